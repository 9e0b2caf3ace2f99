"""Every back end is held to `reference`: spreading activation and personalised PageRank."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import Rows
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.comparing import (
    NUDGE,
    assert_obeys_the_tie_rule,
    assert_same_found,
    is_steady,
    near,
    nudged,
)
from tests.kernels.logs import (
    DAY_US,
    START_US,
    asked,
    case_of,
    hub,
    rule_sets,
    transitions_case,
    window_lists,
)

QUIET = settings(
    max_examples=60, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip
MEANING = made(REFERENCE)
NODES = 9  # two of them are in no window
FIXED = DOCUMENTED.change(half_life="fixed")


def walked(backend, case, queries, k, traces=None):
    graph, traces = backend.place(case.graph), traces or case.traces
    state = backend.replay(graph, traces)
    return backend.walk(graph, state, traces, case.reads).spread(queries, k)


def is_compared(name, case, queries, k, want):
    """In float64 always; in float32 if no last bit decides anything: see `comparing`."""
    if "float32" not in name:
        return True
    moved = (walked(MEANING, case, queries, k, nudged(case.traces, by)) for by in (NUDGE, -NUDGE))
    return all(is_steady(want, other, name) for other in moved)


def assert_spreads_alike(name, case, queries, k=5):
    """Hold an example to the reference, which float32 must be able to tell."""
    want = walked(MEANING, case, queries, k)
    assert is_compared(name, case, queries, k, want), "choose another example"
    assert_same_found(walked(made(name), case, queries, k), want, name)
    return want


@st.composite
def question_lists(draw: st.DrawFn, windows):
    """Queries at and around the windows: no seeds, idle and doubled ones, lone ones, exclusions."""
    times = sorted({w[0] + shift for w in windows for shift in (0, 1, 3 * DAY_US)})
    seeds = st.tuples(st.integers(0, NODES - 1), st.sampled_from([1.0, 0.6, 0.36, 0.0]))
    return asked(
        *(
            (time, draw(st.lists(seeds, max_size=4)), draw(st.sets(st.integers(0, NODES - 1))))
            for time in draw(st.lists(st.sampled_from(times), max_size=8).map(sorted))
        )
    )


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(window_lists(), st.lists(rule_sets(), min_size=1, max_size=2), st.data())
def test_spreading_gives_the_reference_energies(name, windows, rules, data):
    """The frontier's cut through near ties is left to examples, where there are none.

    float32 holds nothing that has faded below 1e-38, so its rules always prune.
    """
    prune = [0.0103 if "float32" in name else r.prune_below for r in rules]
    rules = [r.change(frontier=None, prune_below=p) for r, p in zip(rules, prune, strict=True)]
    case = case_of(windows, rules, NODES)
    queries = data.draw(question_lists(windows))
    assume(is_compared(name, case, queries, 5, walked(MEANING, case, queries, 5)))
    assert_spreads_alike(name, case, queries)


@lru_cache(maxsize=1)
def hub_case():
    rules = [
        FIXED, FIXED.change(hub_degree=None), FIXED.change(frontier=4, hops=3), OBSERVED,
        FIXED.change(frontier=1), DOCUMENTED.change(normalisation="source_row", hub_degree=2),
        FIXED.change(decay_shape="two_time_scales"), DOCUMENTED.change(read_shared=0.0, hops=1),
    ]  # fmt: skip
    return case_of(hub(), rules, 75)


def hub_questions(count: int = 12):
    """Three random seeds and five exclusions each, while the hub grows and after."""
    rng = np.random.default_rng(4)
    return asked(
        *(
            (
                START_US + int(day * DAY_US),
                list(zip(rng.integers(0, 75, 3).tolist(), rng.random(3).tolist(), strict=True)),
                rng.integers(0, 75, 5).tolist(),
            )
            for day in np.linspace(0, 30, count)
        )
    )


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("k", [1, 12, 100])
def test_hubs_above_degree_50_frontiers_and_mixed_rules(name, k):
    want = assert_spreads_alike(name, hub_case(), hub_questions(), k)
    assert (want.edges[0] > 50).any()
    if k == 12:
        assert not np.array_equal(want.scores[0], want.scores[1]), "no hub factor was at work"


@pytest.mark.parametrize("name", FAST)
def test_equal_energies_are_ordered_by_id_at_the_frontier_and_in_the_list(name):
    """Six neighbours of one weight: two send on, the higher ids; so 5 and 6 reach 15 and 16."""
    windows = [(START_US, [0, n], 1.0, 0) for n in range(1, 7)]
    windows += [(START_US, [n, 10 + n], 1.0, 0) for n in range(1, 7)]
    case = case_of(windows, [FIXED.change(frontier=2)], 20)
    queries = asked((START_US + 1, [(0, 1.0)], [0]))
    want = assert_spreads_alike(name, case, queries, 20)
    assert want.ids[0, 0, :9].tolist() == [6, 5, 4, 3, 2, 1, 16, 15, -1]
    np.testing.assert_array_equal(walked(made(name), case, queries, 20).ids, want.ids)


@pytest.mark.parametrize("name", FAST)
def test_64_half_lives_in_one_walk(name):
    rules = [FIXED.change(half_life_personal_days=h) for h in np.geomspace(0.5, 2000, 63)]
    case = case_of(hub(20), [*rules, DOCUMENTED], 75)
    assert_spreads_alike(name, case, hub_questions(10), 12)


@pytest.mark.parametrize("name", FAST)
def test_many_queries_times_many_configurations_fit_in_the_smallest_memory(name):
    """Memory minds its budget by chunks, and chunks change nothing."""
    rules = [FIXED.change(half_life_personal_days=h) for h in np.geomspace(0.5, 2000, 32)]
    case, queries = case_of(hub(), rules, 75), hub_questions(700)
    whole, parts = (walked(made(name, mb), case, queries, 12) for mb in (500, 1))
    if name.startswith("torch"):  # a sum's order, and so its last bit, may follow the chunk
        assert_same_found(parts, whole, name)
    else:
        for one, other in zip(whole, parts, strict=True):
            np.testing.assert_array_equal(one, other)
    some = case._replace(reads=case.reads.some([0, 31]))
    want = walked(MEANING, some, queries.part(300, 310), 12)
    got = type(want)(*(part[[0, 31], 300:310] for part in whole))
    assert_same_found(got, want, name)


@pytest.mark.parametrize("name", FAST)
def test_transitions_carry_energy_forward_only(name):
    case = transitions_case([DOCUMENTED, FIXED.change(hops=1), OBSERVED])
    times = np.unique(case.graph.time)[5::9].tolist()
    assert_spreads_alike(name, case, asked(*((t + 1, [(t % 6, 1.0)], []) for t in times)))


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize(
    ("windows", "queries"),
    [
        ([(START_US, [0], 1.0, 0)], asked((START_US + 1, [(0, 1.0)], []))),
        ([(START_US, [0, 1], 1.0, 0)], asked()),
        ([(START_US, [0, 1], 1.0, 0)], asked((START_US + 1, [], []), (START_US + 1, [], [0]))),
        ([(START_US, [0, 1], 1.0, 0)], asked((START_US + 1, [(5, 1.0), (0, 0.0)], []))),
        ([(START_US, [0, 1], 1.0, 0)], asked((START_US, [(0, 1.0)], []))),
    ],
    ids=["no edge", "no query", "no seed", "lone and idle seeds", "before the first event"],
)
def test_where_nothing_can_be_found_nothing_is(name, windows, queries):
    case = case_of(windows, [DOCUMENTED, OBSERVED])
    assert_spreads_alike(name, case, queries)
    found = walked(made(name), case, queries, 5)
    assert (found.ids == -1).all()
    ranked = pageranked(made(name), case, queries, 5, 1e-6)
    assert ranked.ids.shape == (2, len(queries.time), 5)


def standing(rng, nodes: int, configs: int, most: int) -> Rows:
    degrees = rng.integers(0, most, nodes)
    col = np.concatenate([np.sort(rng.integers(0, nodes, d)) for d in degrees])
    weight = rng.random((len(col), configs)) * (rng.random((len(col), configs)) > 0.2) - 0.05
    return Rows(np.cumsum([0, *degrees], dtype=np.int64), col.astype(np.int32), weight)


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("nodes", [1, 8, 90])
def test_rows_that_stand_still_carry_the_reference_energies(name, nodes):
    """Parallel edges add up; a weight of 0 or less is no edge."""
    rng, backend = np.random.default_rng(nodes), made(name)
    _, _, reads = hub_case()
    for most in (1, 4, nodes):
        rows = standing(rng, nodes, len(reads.hops), most + 1)
        seeds = [[(int(n), 0.5 + n / 99) for n in rng.integers(0, nodes, 3)] for _ in range(6)]
        queries = asked(*((9, pairs, [int(pairs[0][0])]) for pairs in seeds), (9, [], []))
        want = MEANING.spread_rows(rows, reads, queries, 12)
        got = backend.spread_rows(backend.place(rows), reads, queries, 12)
        assert_same_found(got, want, name)


def pageranked(backend, case, queries, k, tolerance):
    graph = backend.place(case.graph)
    state = backend.replay(graph, case.traces)
    walk = backend.walk(graph, state, case.traces, case.reads)
    return walk.personalised_pagerank(queries, k, 0.15, tolerance)


def assert_pageranks_alike(name, case, queries, nodes, tolerance):
    want = pageranked(MEANING, case, queries, nodes, tolerance)
    got = pageranked(made(name), case, queries, nodes, tolerance)
    assert_obeys_the_tie_rule(got)
    for c, q in np.ndindex(*want.edges.shape):
        exact = dict(zip(want.ids[c, q].tolist(), want.scores[c, q].tolist(), strict=True))
        found = dict(zip(got.ids[c, q].tolist(), got.scores[c, q].tolist(), strict=True))
        for node in {*exact, *found} - {-1}:
            low, high = exact.get(node, 0.0) - nodes * tolerance, exact.get(node, 0.0) + 1e-12
            value, slack = found.get(node, 0.0), near(name) * exact.get(node, 0.0)
            assert low - slack <= value <= high + slack, (c, q, node)


@pytest.mark.parametrize("name", FAST)
@settings(QUIET, max_examples=25)
@given(window_lists(most=8), rule_sets(), st.data())
def test_pagerank_is_the_exact_one_up_to_its_tolerance(name, windows, rules, data):
    """Below the exact one by at most the residuals that may remain: one a node."""
    rules = rules.change(prune_below=0.0103)
    case, queries = case_of(windows, [rules], NODES), data.draw(question_lists(windows))
    assume(is_compared(name, case, queries, NODES, walked(MEANING, case, queries, NODES)))
    assert_pageranks_alike(name, case, queries, NODES, 1e-6)


@pytest.mark.parametrize("name", FAST)
def test_pagerank_through_a_hub_under_mixed_rules(name):
    assert_pageranks_alike(name, hub_case(), hub_questions(3), 75, 1e-6)
