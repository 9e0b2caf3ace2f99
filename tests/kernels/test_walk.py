"""A walk is made ready once: what it refuses, and that it may be asked again."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.interface import PlainWalker
from hebb_lab.kernels.walk import Walk
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.comparing import assert_same_found
from tests.kernels.logs import DAY_US, START_US, asked, case_of

WINDOWS = [(START_US + i * DAY_US, [i % 5, (i + 1) % 5, 5 + i % 2], 1.0, 0) for i in range(9)]
CASE = case_of(WINDOWS, [DOCUMENTED, DOCUMENTED.change(hops=1)])
QUERIES = asked(*((START_US + i * DAY_US, [(i % 7, 1.0), (3, 0.5)], [i % 3]) for i in range(11)))
METHODS = ["spread", "personalised_pagerank"]


def never(*_inputs):
    raise AssertionError("a kernel was started")


def ready(name=REFERENCE):
    backend = made(name)
    graph = backend.place(CASE.graph)
    return backend.walk(graph, backend.replay(graph, CASE.traces), CASE.traces, CASE.reads)


def watched():
    nothing = (CASE.graph, None, CASE.traces, CASE.reads)
    return Walk("watched", 7, 2, PlainWalker(never, never, *nothing))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"time": QUERIES.time[::-1]},
        {"seed_ids": QUERIES.seed_ids + 7},
        {"exclude_ids": QUERIES.exclude_ids - 5},
        {"seed_energy": QUERIES.seed_energy * np.nan},
        {"seed_ptr": QUERIES.seed_ptr[:-1]},
    ],
)
def test_bad_queries_are_refused_before_a_kernel_starts(method, wrong):
    with pytest.raises(InputError):
        getattr(watched(), method)(QUERIES._replace(**wrong), 4)


@pytest.mark.parametrize("method", METHODS)
def test_a_negative_number_of_answers_is_refused_before_a_kernel_starts(method):
    with pytest.raises(ConfigError, match="k=-1"):
        getattr(watched(), method)(QUERIES, -1)


def test_a_walk_that_never_restarts_is_refused_before_a_kernel_starts():
    with pytest.raises(ConfigError, match="a restart of 0"):
        watched().personalised_pagerank(QUERIES, 4, 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_no_queries_are_answered_by_nothing(method):
    found = getattr(ready(), method)(asked(), 4)
    assert [part.shape for part in found] == [(2, 0, 4), (2, 0, 4), (2, 0)]


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("method", METHODS)
def test_a_walk_asked_twice_answers_as_two_walks(name, method):
    walk = ready(name)
    once, again = (getattr(walk, method)(QUERIES, 4) for _ in range(2))
    fresh = getattr(ready(name), method)(QUERIES, 4)
    for found in (once, again):
        assert_same_found(found, fresh, name)
