"""The batched form does what the single form does, query by query."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.recall.injection import Hit, additive, budget_neutral, inject_batch
from hebb_lab.records import Ranking

SCORES = st.sampled_from([0.0, 0.1, 0.15, 0.3, 0.5, 0.50000001, 0.6, 1.0, 3.0]) | st.floats(
    -2, 5, width=32
)


def house(rows):
    return sorted(rows, key=lambda row: (np.float32(row[1]), row[0]), reverse=True)


def ranking(lists, width):
    ids = np.full((len(lists), width), -1, np.int32)
    scores = np.full((len(lists), width), -np.inf, np.float32)
    for row, hits in enumerate(lists):
        for column, (node, score) in enumerate(house(hits)[:width]):
            ids[row, column], scores[row, column] = node, score
    return Ranking(ids, scores)


def rows_of(ranked, row):
    """(id, score) of one query, scores as the float32 that they are."""
    pairs = zip(ranked.ids[row].tolist(), ranked.scores[row].tolist(), strict=True)
    return [(node, score) for node, score in pairs if node >= 0]


LISTS = st.lists(
    st.dictionaries(st.integers(0, 11), SCORES, max_size=6).map(lambda d: list(d.items())),
    min_size=3,
    max_size=3,
)
RULES = st.builds(
    lambda boost, most, least, compares: DOCUMENTED.change(
        boost=boost, displace_max=most, displace_energy=least, displace_compares=compares
    ),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.integers(0, 4),
    st.sampled_from([0.0, 0.15, 0.5]),
    st.booleans(),
)
SEEDS = st.lists(st.lists(st.integers(-1, 11), min_size=2, max_size=2), min_size=3, max_size=3).map(
    lambda seeds: np.array(seeds, np.int32)
)


@settings(max_examples=300, deadline=None)
@given(LISTS, LISTS, RULES, SEEDS, st.integers(1, 7))
def test_budget_neutral_in_batch_is_the_single_form_of_each_query(hits, energies, rules, seeds, k):
    host, energy = ranking(hits, 6), ranking(energies, 5)
    batch = inject_batch(host, energy, rules, "budget_neutral", k, seeds)
    for row in range(3):
        mine = [Hit(*pair) for pair in rows_of(host, row)[:k]]
        single = budget_neutral(mine, rows_of(energy, row), rules, set(seeds[row]), ties="id")
        got = rows_of(batch, row)
        assert [node for node, _ in got] == [hit.id for hit in single.hits]
        assert len(got) == len(mine)
        for (_, score), hit in zip(got, single.hits, strict=True):
            assert score == np.float32(hit.score) or (score < hit.score and single.added)
        if rules.displace_compares:
            assert [score for _, score in got] == [np.float32(hit.score) for hit in single.hits]


@settings(max_examples=300, deadline=None)
@given(LISTS, LISTS, RULES, SEEDS, st.none() | st.integers(0, 6))
def test_addition_in_batch_is_the_single_form_of_each_query(hits, energies, rules, seeds, limit):
    host, energy = ranking(hits, 6), ranking(energies, 5)
    batch = inject_batch(host, energy, rules, "additive", 4, seeds, limit)
    assert batch.ids.shape == (3, 4 + (5 if limit is None else limit))
    for row in range(3):
        mine = [Hit(*pair) for pair in rows_of(host, row)[:4]]
        single = additive(mine, rows_of(energy, row), rules, limit, set(seeds[row]))
        expected = [(hit.id, np.float32(hit.score)) for hit in single.hits]
        assert rows_of(batch, row) == expected


@settings(max_examples=100, deadline=None)
@given(LISTS, LISTS, RULES, SEEDS)
def test_every_result_is_in_house_order_without_repeats(hits, energies, rules, seeds):
    host, energy = ranking(hits, 6), ranking(energies, 5)
    for mode in ("budget_neutral", "additive"):
        batch = inject_batch(host, energy, rules, mode, 6, seeds)
        for row in range(3):
            got = rows_of(batch, row)
            assert got == house(got)
            assert len({node for node, _ in got}) == len(got)
            assert (batch.ids[row, len(got) :] == -1).all()


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
@pytest.mark.parametrize("mode", ["budget_neutral", "additive"])
def test_a_query_without_energies_keeps_its_row_byte_for_byte(rules, mode):
    host = ranking([[(1, 0.5), (2, 0.25)], [(3, 0.75)]], 2)
    cold = ranking([[], [(9, 5.0)]], 1)
    result = inject_batch(host, cold, rules, mode, 2)
    assert result.ids[0, :2].tobytes() == host.ids[0].tobytes()
    assert result.scores[0, :2].tobytes() == host.scores[0].tobytes()
    colder = inject_batch(host, ranking([[], []], 0), rules, mode, 2)
    assert colder.sha256() == host.sha256()


def test_the_host_is_not_written_to():
    host, energy = ranking([[(1, 0.5), (2, 0.25)]], 2), ranking([[(2, 1.0), (5, 9.0)]], 2)
    before = host.sha256()
    for rules in (DOCUMENTED, OBSERVED):
        inject_batch(host, energy, rules, "budget_neutral", 2)
    assert host.sha256() == before


def test_a_node_that_nobody_compared_keeps_its_place_below_a_hit_that_it_outscores():
    host = ranking([[(1, 0.5), (2, 0.25)]], 2)
    result = inject_batch(host, ranking([[(7, 9.0)]], 1), OBSERVED, "budget_neutral", 2)
    assert result.ids.tolist() == [[1, 7]]
    assert result.scores[0, 1] == np.nextafter(np.float32(0.5), np.float32(0))


def test_no_queries_give_no_rows():
    none = ranking([], 3)
    assert inject_batch(none, none, DOCUMENTED, "budget_neutral", 3).ids.shape == (0, 3)


def test_an_unknown_mode_is_an_error_that_names_the_two():
    with pytest.raises(ConfigError, match="budget_neutral or additive"):
        inject_batch(ranking([[]], 1), ranking([[]], 1), DOCUMENTED, "both", 1)
