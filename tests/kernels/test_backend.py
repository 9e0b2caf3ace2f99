"""What Backend adds to any kernels: input is checked first, and memory is minded."""

import logging
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.arrays import QueryArrays, Rows
from hebb_lab.kernels.backend import Backend, as_they_are
from hebb_lab.kernels.checks import walks
from hebb_lab.kernels.interface import PlainWalker
from hebb_lab.kernels.reference import walk as meaning
from tests.kernels.backends import REFERENCE, made
from tests.kernels.logs import DAY_US, START_US, asked, case_of
from tests.kernels.retained import NOW_US, memory, retention

WINDOWS = [(START_US + i * DAY_US, [i % 5, (i + 1) % 5, 5 + i % 2], 1.0, 0) for i in range(9)]
CASE = case_of(WINDOWS, [DOCUMENTED, DOCUMENTED.change(hops=1)])
QUERIES = asked(*((START_US + i * DAY_US, [(i % 7, 1.0), (3, 0.5)], [i % 3]) for i in range(11)))
MEANING = made(REFERENCE)
STATE = MEANING.replay(CASE.graph, CASE.traces)
ROWS = Rows(CASE.graph.row_ptr, CASE.graph.col, np.full((len(CASE.graph.col), 2), 0.3))
WALKS = ["spread", "spread_rows", "personalised_pagerank"]


def never(*_inputs):
    raise AssertionError("a kernel was started")


class OutOfMemoryError(RuntimeError):
    """Of torch and of CuPy, by name."""


def walk(backend, name, queries=QUERIES):
    if name == "spread_rows":
        return backend.spread_rows(ROWS, CASE.reads, queries, 4)
    return getattr(backend.walk(CASE.graph, STATE, CASE.traces, CASE.reads), name)(queries, 4)


def walking(spreads, ranks, spread_rows):
    """The kernels of the reference with other walks."""
    return replace(
        MEANING.kernels, walk=partial(PlainWalker, spreads, ranks), spread_rows=spread_rows
    )


def short_of_memory(room, error=MemoryError):
    """The reference, where walks of more than ``room`` queries end in an error; and the sizes."""
    sizes = []

    def limited(kernel):
        def walk(*inputs):
            queries = next(given for given in inputs if isinstance(given, QueryArrays))
            sizes.append(len(queries.time))
            if len(queries.time) > room:
                raise error
            return kernel(*inputs)

        return walk

    kernels = walking(*map(limited, (meaning.spread, meaning.personalised_pagerank,
                                     meaning.spread_rows)))  # fmt: skip
    return Backend("small", kernels), sizes


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.parametrize("error", [MemoryError, OutOfMemoryError])
def test_out_of_memory_halves_the_queries_and_goes_on(name, error, caplog):
    backend, sizes = short_of_memory(3, error)
    with caplog.at_level(logging.WARNING):
        found = walk(backend, name)
    for part, whole in zip(found, walk(MEANING, name), strict=True):
        np.testing.assert_array_equal(part, whole)
    assert sizes == [11, 6, 3, 3, 3, 2]
    assert [record.message for record in caplog.records] == [
        "small: out of memory; now 6 queries at a time",
        "small: out of memory; now 3 queries at a time",
        "small: 3 queries at a time held",
    ]


@pytest.mark.parametrize("name", WALKS)
def test_what_fits_is_walked_at_once_and_nothing_is_logged(name, caplog):
    backend, sizes = short_of_memory(11)
    walk(backend, name)
    assert sizes == [11]
    assert caplog.records == []


def test_memory_that_runs_out_later_halves_what_is_left():
    sizes, rooms = [], iter([8, 8, 2, 2, 2, 2])

    def shrinking(*inputs):
        count, room = len(inputs[4].time), next(rooms, 2)
        sizes.append(count if count <= room else -count)
        if count > room:
            raise MemoryError
        return meaning.spread(*inputs)

    found = walk(Backend("small", walking(shrinking, never, never)), "spread")
    assert sizes == [-11, 6, -5, -3, 2, 2, 1]
    np.testing.assert_array_equal(found.ids, walk(MEANING, "spread").ids)


def test_one_query_that_does_not_fit_is_the_error_itself():
    backend, sizes = short_of_memory(0)
    with pytest.raises(MemoryError):
        walk(backend, "spread")
    assert sizes == [11, 6, 3, 2, 1]


@pytest.mark.parametrize("error", [ValueError, RuntimeError, ZeroDivisionError])
def test_an_error_other_than_memory_is_not_swallowed(error):
    backend, sizes = short_of_memory(3, error)
    with pytest.raises(error):
        walk(backend, "spread")
    assert sizes == [11]


@pytest.mark.parametrize("name", WALKS)
def test_no_queries_start_no_walk(name):
    backend, sizes = short_of_memory(3)
    assert walk(backend, name, asked()).ids.shape == (2, 0, 4)
    assert sizes == []


BAD_GRAPH = CASE.graph._replace(strength=CASE.graph.strength * np.nan)
BAD_QUERIES = QUERIES._replace(time=QUERIES.time[::-1])
NOBODY = np.zeros(1, np.int64)
BAD = {
    "place": (BAD_GRAPH,),
    "replay": (BAD_GRAPH, CASE.traces),
    "weights_at": (CASE.graph, CASE.traces, np.array([2, 1])),
    "log_likelihood": (CASE.graph, CASE.traces._replace(half_life_mode=np.zeros(2)),
                       np.zeros(2), np.ones(2), START_US),
    "replay_tangents": (BAD_GRAPH, CASE.traces, np.ones(0), np.ones((0, 0))),
    "walk": (BAD_GRAPH, STATE, CASE.traces, CASE.reads),
    "spread_rows": (ROWS, CASE.reads, BAD_QUERIES, 4),
    "recall": (np.full((2, 2), np.nan, np.float32), np.zeros((11, 2), np.float32),
               walk(MEANING, "spread"), np.ones(2), QUERIES, 4),
    "segment_top_k": (np.full((1, 0), 1.0), np.zeros(0, np.int32), np.ones(1, np.int64), 1),
    "pair_counts": (np.array([-1]), np.array([0, 1])),
    "intersect": (np.array([2, 1]), np.array([0, 2]), NOBODY, NOBODY),
    "follow": (np.array([5]), np.array([0]), 1),
    "decay_scores": (memory(1.1), retention((30, 0, 0, False)), NOW_US),
}  # fmt: skip


@pytest.mark.parametrize("method", BAD)
def test_bad_input_is_refused_before_a_kernel_starts(method):
    kernels = replace(MEANING.kernels, **dict.fromkeys(BAD, never))
    with pytest.raises(InputError):
        getattr(Backend("watched", kernels), method)(*BAD[method])


def test_every_kernel_is_watched():
    assert {*BAD} == {*vars(MEANING.kernels)} - {"device", "precision"}


def test_arrays_that_are_read_where_they_are_stay_there():
    assert as_they_are(CASE.graph) is CASE.graph
    placed = MEANING.place(CASE.graph)
    assert all(one is other for one, other in zip(placed, CASE.graph, strict=True))


def test_what_is_changed_after_it_was_placed_is_looked_through_again():
    placed = made("cpu").place(CASE.graph)
    wrong = placed._replace(by_time=placed.by_time + 10**6)
    with pytest.raises(InputError, match="events in time order"):
        made("cpu").walk(wrong, STATE, CASE.traces, CASE.reads)


def test_placed_rows_are_looked_through_once(monkeypatch):
    looked, original = [], walks.check_pointer

    def look(what, *rest):
        looked.append(what)
        original(what, *rest)

    monkeypatch.setattr(walks, "check_pointer", look)
    backend = made("cpu")
    placed = backend.place(ROWS)
    once = backend.spread_rows(placed, CASE.reads, QUERIES, 3)
    assert looked.count("rows") == 1
    again = backend.spread_rows(ROWS, CASE.reads, QUERIES, 3)
    assert looked.count("rows") == 2
    np.testing.assert_array_equal(once.ids, again.ids)
