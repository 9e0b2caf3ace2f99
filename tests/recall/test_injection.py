"""Boost, displacement, addition. T pinned by a test of NeuralMind v3.3.0, M measured."""

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore
from hebb_lab.recall.injection import Hit, additive, budget_neutral, seeds_of

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
HITS = [Hit("t", 0.90), Hit("m", 0.60), Hit("s3", 0.55), Hit("low", 0.50)]
SEEDS = ["t", "m", "s3"]


def inject(energies, rules=OBSERVED, hits=HITS, **options):
    return budget_neutral(hits, energies, rules, SEEDS, **options)


def recorder(known=None, order=None):
    """A fetch that notes what it was asked for; ``order`` is the order of its answer."""
    calls = []

    def fetch(ids):
        calls.append(list(ids))
        found = [node for node in ids if known is None or node in known]
        return sorted(found, key=order) if order else found

    return fetch, calls


def ids(result):
    return [hit.id for hit in result.hits]


def scores(result):
    return [round(hit.score, 12) for hit in result.hits]


# --- no signal


@BOTH
@pytest.mark.parametrize("energies", [None, [], {}.items()])
def test_without_energies_the_very_same_list_comes_back(rules, energies):
    """T: recall None -> unchanged; recall [] -> unchanged (and INJECT=0, which is None here)."""
    result = inject(energies, rules)
    assert result.hits is HITS
    assert (result.boosted, result.added) == ((), ())


@BOTH
def test_a_cold_store_changes_nothing(rules):
    """Cold-start identity."""
    energies = SynapseStore(rules).spread(seeds_of(HITS, rules), 0)
    assert budget_neutral(HITS, energies, rules, SEEDS).hits is HITS
    assert additive(HITS, energies, rules, seeds=SEEDS).hits is HITS


@BOTH
def test_energies_of_seeds_are_ignored(rules):
    """M: seed energies [(t,5),(m,5)] -> unchanged."""
    assert inject([("t", 5), ("m", 5)], rules).hits is HITS


@BOTH
def test_no_hits_stay_no_hits(rules):
    """M: 0 hits -> []."""
    empty = []
    fetch, calls = recorder()
    assert inject([("x", 1.0)], rules, hits=empty, fetch=fetch).hits is empty
    assert calls == []


# --- boost


@BOTH
def test_a_boosted_hit_climbs(rules):
    """T: recall [(low,1.0)] -> t .90, low .80, m .60, s3 .55."""
    result = inject([("low", 1.0)], rules)
    assert ids(result) == ["t", "low", "m", "s3"]
    assert scores(result) == [0.90, 0.80, 0.60, 0.55]
    assert result.boosted == (("low", 1.0, 0.50, 0.80),)


@BOTH
def test_a_boost_that_ties_stays_behind(rules):
    """M: [(low,1/3)] -> low ties m at .60: t,m,low,s3."""
    assert ids(inject([("low", 1 / 3)], rules)) == ["t", "m", "low", "s3"]


@pytest.mark.parametrize(("energy", "score"), [(0.0, 0.50), (-1.0, 0.20)])
def test_zero_and_negative_energies_are_applied_too(energy, score):
    result = inject([("low", energy)])
    assert scores(result)[-1] == score
    assert result.boosted[0].energy == energy


@BOTH
def test_the_list_that_came_in_is_never_changed(rules):
    """T: two calls -> identical text, the cached low score stays .50, no flag in the cache."""
    hits = list(HITS)
    first = inject([("low", 1.0), ("x", 9.0)], rules, hits=hits)
    assert inject([("low", 1.0), ("x", 9.0)], rules, hits=hits) == first
    assert hits == HITS


def test_another_boost_factor():
    """T: structural: boost .35*w, low -> .85."""
    result = inject([("low", 1.0)], OBSERVED.change(boost=0.35))
    assert scores(result)[1] == 0.85


def test_structural_displacement_has_the_same_shape():
    """T: absent in with .35 x its weight, low out, count 4."""
    result = inject([("absent", 1.0)], OBSERVED.change(boost=0.35))
    assert (ids(result), scores(result)[-1]) == (["t", "m", "s3", "absent"], 0.35)


def test_the_walkthrough_boosts_a_present_hit_by_0045():
    """Page: boost 0.3 x 0.15 = 0.045."""
    hits = [Hit(f"h{n}", 0.9 - n / 10) for n in range(8)]
    result = budget_neutral(hits, [("h6", 0.15)], DOCUMENTED, ["h0", "h1", "h2"])
    assert result.boosted[0].after - result.boosted[0].before == pytest.approx(0.045)
    assert ids(result) == [hit.id for hit in hits]


# --- displacement, as in the code


def test_an_absent_node_takes_the_place_of_the_last_hit():
    """T: [(absent,1.0)] -> count 4, absent in, low out, fetch called once with [absent]. M: .30."""
    fetch, calls = recorder()
    result = inject([("absent", 1.0)], fetch=fetch)
    assert ids(result) == ["t", "m", "s3", "absent"]
    assert scores(result)[-1] == 0.30
    assert calls == [["absent"]]
    assert result.added == (("absent", 1.0, 0.30, Hit("low", 0.50)),)


@pytest.mark.parametrize(
    ("energy", "pulled"), [(0.05, False), (0.1499, False), (0.15, True), (1.0, True)]
)
def test_an_absent_node_needs_an_energy_of_015(energy, pulled):
    """T: [(absent,.05)] -> no fetch. M: .15 -> pulled, score .045; .1499 -> not."""
    fetch, calls = recorder()
    result = inject([("absent", energy)], fetch=fetch)
    assert bool(calls) is pulled
    assert (result.hits is not HITS) is pulled
    if pulled:
        assert result.hits[-1] == Hit("absent", pytest.approx(0.3 * energy))


def test_at_most_two_nodes_come_in_the_strongest_first():
    """T: [(a,.9),(b,.8),(c,.7)] -> fetch [a,b], count 4. M: order t,m,a .27,b .24."""
    fetch, calls = recorder()
    result = inject([("c", 0.7), ("a", 0.9), ("b", 0.8)], fetch=fetch)
    assert calls == [["a", "b"]]
    assert ids(result) == ["t", "m", "a", "b"]
    assert scores(result)[2:] == [0.27, 0.24]
    assert [new.displaced.id for new in result.added] == ["low", "s3"]


def test_a_node_of_any_energy_stands_at_the_end_in_the_code():
    """M: [(X,9)] -> X appended last with score 2.7."""
    result = inject([("X", 9.0)])
    assert result.hits[-1] == ("X", pytest.approx(2.7))


def test_nodes_stand_in_the_order_in_which_they_were_fetched():
    """M: backend returns [Y,X] -> appended Y then X."""
    fetch, _ = recorder(order=lambda node: -ord(node))
    assert ids(inject([("X", 0.9), ("Y", 0.8)], fetch=fetch)) == ["t", "m", "Y", "X"]


@BOTH
def test_without_a_fetch_nothing_is_pulled_in(rules):
    """T: get_nodes_by_ids None, [(absent,1.0)] -> 4 hits, nothing pulled."""
    assert inject([("absent", 9.0)], rules, fetch=None).hits is HITS


def test_a_node_that_does_not_exist_is_not_replaced_by_the_third():
    """Unknown ids dropped and not back-filled by candidate 3."""
    fetch, calls = recorder(known={"b", "c"})
    result = inject([("a", 0.9), ("b", 0.8), ("c", 0.7)], fetch=fetch)
    assert calls == [["a", "b"]]
    assert ids(result) == ["t", "m", "s3", "b"]


@BOTH
def test_pseudo_nodes_are_never_pulled_in(rules):
    """T: [(community_9,1.0)] -> L3 unchanged, no fetch."""
    fetch, calls = recorder()
    skip = lambda node: node.startswith("community_")  # noqa: E731
    assert inject([("community_9", 1.0)], rules, fetch=fetch, skip=skip).hits is HITS
    assert calls == []


@pytest.mark.parametrize(
    ("count", "energies", "left"),
    [
        (1, [("X", 9.0)], ["t"]),
        (2, [("X", 9.0), ("Y", 8.0)], ["t", "X"]),
        (3, [("X", 9.0), ("Y", 8.0)], ["t", "X", "Y"]),
    ],
)
def test_one_original_hit_stays(count, energies, left):
    """M: 1 hit + candidate -> unchanged, no fetch; 2 + 2 -> hit1, X; 3 + 2 -> hit1, X, Y."""
    fetch, calls = recorder()
    assert ids(inject(energies, hits=HITS[:count], fetch=fetch)) == left
    assert bool(calls) is (count > 1)


def test_the_last_hits_are_those_after_the_boost():
    """Drop the last rows of the re-sorted list (may drop seeds)."""
    result = inject([("low", 1.0), ("x", 1.0), ("y", 1.0)])
    assert ids(result) == ["t", "low", "x", "y"]
    assert [new.displaced.id for new in result.added] == ["s3", "m"]


# Facts that hebb_lab has no part for. Of the list "input -> value":
# - SQLite: reinforce and decay open exactly one connection (T test_synapses.py:466, :520), the v0
#   migration keeps (.42,7), (.05,1), (3.0,4) (T test_synapse_namespaces.py:121): no file.
# - Environment: NEURALMIND_SYNAPSE_INJECT=0 (T :782), NEURALMIND_STRUCTURAL=0 (T :1119): a config
#   hands no energies, which is tested above.
# - Recall raises -> unchanged, 4 hits (T :831): energies are a value here, a layer fails before.
# - L2 communities, three facts (T :958, :974, :997): nodes have no communities.
# Of the semantics: the wall clock inside the learned half-life (every time is an argument), bounds
# from a tuner, ties in SQL row order (house rule instead), intent re-ranking, the memory file, the
# quality gate of team imports and its review queue, the staleness pass, hooks of MCP and CLI.
