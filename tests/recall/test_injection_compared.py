"""Displacement that compares scores, seeds, and addition."""

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.recall.injection import Hit, additive, budget_neutral, seeds_of

COMPARED = DOCUMENTED.change(displace_compares=True)

HITS = [Hit("t", 0.90), Hit("m", 0.60), Hit("s3", 0.55), Hit("low", 0.50)]
SEEDS = ["t", "m", "s3"]


def inject(energies, rules=COMPARED, hits=HITS, **options):
    return budget_neutral(hits, energies, rules, SEEDS, **options)


def ids(result):
    return [hit.id for hit in result.hits]


def scores(result):
    return [round(hit.score, 12) for hit in result.hits]


# --- displacement that compares


def test_a_weak_node_displaces_nothing_where_scores_are_compared():
    """boost * energy = .30 is below low's .50: the list is left as it is."""
    assert inject([("absent", 1.0)], COMPARED).hits is HITS


def test_an_equal_score_displaces_nothing():
    hits = [Hit("t", 0.9), Hit("low", 0.3)]
    assert budget_neutral(hits, [("x", 1.0)], COMPARED, ["t"]).hits is hits


def test_a_strong_node_comes_in_where_its_score_belongs():
    result = inject([("absent", 1.9), ("weak", 1.7)], COMPARED)
    assert ids(result) == ["t", "m", "absent", "s3"]
    assert result.added == (("absent", 1.9, pytest.approx(0.57), Hit("low", 0.50)),)


def test_the_second_node_must_beat_the_last_hit_but_one():
    result = inject([("a", 1.9), ("b", 1.85)], COMPARED)
    assert ids(result) == ["t", "m", "a", "b"]
    assert [(new.id, new.displaced.id) for new in result.added] == [("a", "low"), ("b", "s3")]


def test_the_order_of_the_fetch_does_not_matter_where_scores_are_compared():
    result = inject([("a", 2.5), ("b", 2.4)], fetch=reversed)
    assert ids(result) == ["t", "a", "b", "m"]


def test_the_house_tie_rule_puts_the_larger_id_first():
    hits = [Hit(9, 0.9), Hit(7, 0.5), Hit(3, 0.2)]
    result = budget_neutral(hits, [(3, 1.0)], COMPARED, ties="id")
    assert ids(result) == [9, 7, 3]
    hits = [Hit(9, 0.9), Hit(3, 0.5), Hit(7, 0.2)]
    assert ids(budget_neutral(hits, [(7, 1.0)], COMPARED, ties="id")) == [9, 7, 3]
    assert ids(budget_neutral(hits, [(7, 1.0)], COMPARED, ties="stable")) == [9, 3, 7]


# --- seeds


@pytest.mark.parametrize(("seed_hits", "seeds"), [(3, SEEDS), (None, [*SEEDS, "low"]), (9, 4)])
def test_the_first_hits_are_the_seeds(seed_hits, seeds):
    """T: seeds passed = [top, mid, seed3]."""
    got = seeds_of(HITS, OBSERVED.change(seed_hits=seed_hits))
    assert (len(got) if isinstance(seeds, int) else got) == seeds


# --- additive


def test_addition_removes_nothing_and_sorts_by_score():
    result = additive(HITS, [("x", 2.0), ("low", 1.0), ("y", 0.1)], COMPARED, seeds=SEEDS)
    assert ids(result) == ["t", "low", "x", "m", "s3", "y"]
    assert scores(result) == [0.90, 0.80, 0.60, 0.60, 0.55, 0.03]
    assert [(new.id, new.displaced) for new in result.added] == [("x", None), ("y", None)]


def test_addition_takes_the_strongest_up_to_the_limit():
    result = additive(HITS, [("x", 0.2), ("y", 0.3), ("z", 0.0)], COMPARED, limit=1, seeds=SEEDS)
    assert ids(result) == ["t", "m", "s3", "low", "y"]


def test_addition_adds_neither_seeds_nor_pseudo_nodes_nor_nodes_without_energy():
    energies = [("t", 2.0), ("seed_elsewhere", 2.0), ("community_1", 2.0), ("z", 0.0)]
    result = additive(
        HITS, energies, COMPARED, None, [*SEEDS, "seed_elsewhere"],
        skip=lambda node: node.startswith("community_"),
    )  # fmt: skip
    assert result.hits is HITS
