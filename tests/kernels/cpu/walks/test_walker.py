"""A walk goes on where its last call has left it, and finds what a fresh one finds."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.cpu.traces.replay import replay
from hebb_lab.kernels.cpu.walks import pagerank
from hebb_lab.kernels.cpu.walks import spread as spreading
from hebb_lab.kernels.cpu.walks.walker import PreparedWalker
from tests.kernels.logs import DAY_US, START_US, asked, case_of

NODES, PLENTY = 40, 10**9
CLIQUES = [
    (START_US + i * DAY_US // 4, [(i + j * j) % NODES for j in range(5)], 1.0, i % 2)
    for i in range(120)
]
ALONE = [DOCUMENTED]
MIXED = [
    DOCUMENTED,
    DOCUMENTED.change(half_life="fixed", window_max=3),  # gates
    OBSERVED.change(hops=1),
    DOCUMENTED.change(half_life="fixed", decay_shape="two_time_scales"),
    DOCUMENTED.change(window_max=3, normalisation="source_row"),
]
METHODS = {
    "spread": lambda walker, queries: walker.spread(queries, 5),
    "personalised_pagerank": lambda walker, queries: walker.personalised_pagerank(
        queries, 5, 0.15, 1e-6
    ),
}


@lru_cache(maxsize=4)
def learned(mixed):
    case = case_of(CLIQUES, MIXED if mixed else ALONE, NODES)
    return case, replay(case.graph, case.traces, before=False)


def ready(mixed=True, memory=PLENTY):
    case, state = learned(mixed)
    return PreparedWalker(case.graph, state, case.traces, case.reads, memory)


def days(*moments):
    """A query a moment, in days of the log; every other one excludes a node."""
    return asked(
        *(
            (START_US + day * DAY_US, [((day + q) % NODES, 1.0), (7, 0.5)], [3] * (q % 2))
            for q, day in enumerate(sorted(moments))
        )
    )


def assert_equal(found, fresh):
    for got, want in zip(found, fresh, strict=True):
        np.testing.assert_array_equal(got, want)


batches = st.lists(st.lists(st.integers(-1, 40), max_size=6), min_size=2, max_size=6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mixed", [False, True])
@settings(max_examples=25, deadline=None)
@given(batches=batches)
def test_earlier_later_and_equal_times_in_any_order_find_what_fresh_walks_find(
    method, mixed, batches
):
    walker, ask = ready(mixed), METHODS[method]
    for batch in batches:
        queries = days(*batch)
        assert_equal(ask(walker, queries), ask(ready(mixed), queries))


@settings(max_examples=25, deadline=None)
@given(batches=batches)
def test_what_is_asked_before_changes_no_last_bit_of_either_engine(batches):
    walker, before = ready(), spreading.expected_visits
    try:
        for i, batch in enumerate(batches):
            many = 10**9 * (i % 2)  # from rows and from the lines of all edges, by turns
            spreading.expected_visits = lambda e, q, v=many: (np.full(len(q.time), v), 1, v)
            queries = days(*batch)
            assert_equal(walker.spread(queries, 5), ready().spread(queries, 5))
    finally:
        spreading.expected_visits = before


@pytest.mark.parametrize("method", METHODS)
def test_at_the_first_moment_there_is_nothing_has_happened(method):
    walker, ask = ready(), METHODS[method]
    first = days(3, 5)._replace(time=np.full(2, np.iinfo(np.int64).min))
    for queries in (first, days(30, 30), first, days(3), first):
        assert_equal(ask(walker, queries), ask(ready(), queries))
    assert not ask(walker, first).edges.any()


def test_a_short_arena_after_a_long_one_does_not_read_beyond_its_end(monkeypatch):
    monkeypatch.setattr(spreading, "CACHED", 0)  # the longest row, and no more
    walker = ready(mixed=False)
    for moments in ((30, 30, 30), (30,), (30, 30), (30,)):
        queries = days(*moments)
        assert_equal(walker.spread(queries, 5), ready(mixed=False).spread(queries, 5))


@pytest.mark.parametrize("method", METHODS)
def test_four_threads_that_ask_at_once_find_what_each_finds_alone(method):
    walker, ask = ready(), METHODS[method]
    questions = [days(*range(first, first + 20, step)) for first in range(8) for step in (1, 3, 7)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda queries: ask(walker, queries), questions))
    for got, queries in zip(found, questions, strict=True):
        assert_equal(got, ask(ready(), queries))


@pytest.mark.parametrize("method", METHODS)
def test_workspaces_are_used_again_and_no_more_than_the_threads_that_took_them(method, monkeypatch):
    made = []
    whole = spreading.workspace

    def counted(*arguments):
        made.append(arguments)
        return whole(*arguments)

    for module in (spreading, pagerank):
        monkeypatch.setattr(module, "workspace", counted)
    monkeypatch.setattr(spreading, "ALONE", 0)  # no batch is too small for several threads
    walker = ready(mixed=False)
    for _ in range(5):
        METHODS[method](walker, days(*range(40), *range(40)))
    assert 1 <= len(made) <= numba.get_num_threads()


@pytest.mark.parametrize("method", METHODS)
def test_no_queries_are_answered_by_nothing(method):
    found = METHODS[method](ready(), asked())
    assert [part.shape for part in found] == [(5, 0, 5), (5, 0, 5), (5, 0)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("memory", [0, 50_000, 200_000])
def test_a_budget_too_small_for_all_configurations_changes_nothing_but_memory(method, memory):
    threads = numba.get_num_threads()  # that share it
    small, ask = ready(memory=memory * threads), METHODS[method]
    for moments in ((5, 9, 30), (2, 2, 2), (30, 31)):
        found, want = ask(small, days(*moments)), ask(ready(), days(*moments))
        np.testing.assert_array_equal(found.ids, want.ids)
        # Queries that are pushed together are pushed further.
        np.testing.assert_allclose(found.scores, want.scores, rtol=1e-5)
    assert "_spreadings" not in vars(small) or memory == 200_000
