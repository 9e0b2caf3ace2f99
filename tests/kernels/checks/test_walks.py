"""What no walk is started with, by name; and inputs that look harmless and broke one."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import Rows
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.logs import DAY_US, START_US, asked, case_of

FIXED = DOCUMENTED.change(half_life="fixed")
WINDOWS = [(START_US + i * DAY_US, [i % 5, (i + 1) % 5, 5 + i % 2], 1.0, i % 3) for i in range(9)]
CASE = case_of(WINDOWS, [FIXED, DOCUMENTED.change(hops=1)])
QUERIES = asked((START_US + 20 * DAY_US, [(0, 1.0), (3, 0.5)], [1]))
MEANING = made(REFERENCE)
STATE = MEANING.replay(CASE.graph, CASE.traces)
CPU = made("cpu")


def walk(name="spread", graph=CASE.graph, state=STATE, traces=CASE.traces, reads=CASE.reads, k=3,
         more=()):  # fmt: skip
    return getattr(CPU.walk(graph, state, traces, reads), name)(QUERIES, k, *more)


@pytest.mark.parametrize("name", ["spread", "personalised_pagerank"])
@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"by_time": CASE.graph.by_time + 10**9}, "events in time order"),
        ({"by_time": CASE.graph.by_time[::-1].copy()}, "events in time order"),
        ({"by_time": np.zeros_like(CASE.graph.by_time)}, "is not once in by_time"),
        ({"edge_id": CASE.graph.edge_id + 10**8}, "edges of the rows"),
        ({"edge_of": np.zeros_like(CASE.graph.edge_of)}, "is another than event_ptr says"),
        ({"col": CASE.graph.col[::-1].copy()}, "is below the one before it in its row"),
        ({"namespace": CASE.graph.namespace + 30_000}, "namespaces"),
    ],
)
def test_a_graph_that_leads_out_of_its_arrays_is_named(name, parts, message):
    with pytest.raises(InputError, match=message):
        walk(name, CASE.graph._replace(**parts))


@pytest.mark.parametrize(
    ("parts", "kind", "message"),
    [
        ({"read_weight": CASE.reads.read_weight[:, :1]}, InputError, "read weights of shape"),
        ({"mix": CASE.reads.mix[:1]}, InputError, "1 shares"),
        ({"mix": CASE.reads.mix * np.nan}, ConfigError, "mix"),
        ({"read_weight": CASE.reads.read_weight + np.inf}, ConfigError, "read_weight"),
        ({"spread_decay": CASE.reads.spread_decay - 1}, ConfigError, "spread_decay"),
        ({"spread_decay": CASE.reads.spread_decay * np.nan}, ConfigError, "spread_decay"),
        ({"hub_degree": CASE.reads.hub_degree * np.nan}, ConfigError, "hub_degree"),
        ({"frontier": CASE.reads.frontier * 0 - 3}, ConfigError, "frontier"),
        ({"trace_first": CASE.reads.trace_first - 5}, InputError, "traces"),
    ],
)
def test_reading_rules_that_fit_no_graph_are_named(parts, kind, message):
    with pytest.raises(kind, match=message):
        walk(reads=CASE.reads._replace(**parts))


def test_a_state_without_the_half_lives_that_its_rules_store_is_refused():
    stored = case_of(WINDOWS, [OBSERVED, OBSERVED])
    with pytest.raises(InputError, match="a state without half-lives"):
        walk(traces=stored.traces, reads=stored.reads)


@pytest.mark.parametrize("restart", [0.0, -0.5, 1.5, np.nan])
def test_a_walk_that_never_restarts_or_always_more_is_refused(restart):
    with pytest.raises(ConfigError, match="a restart of"):
        walk("personalised_pagerank", more=(restart, 1e-6))


@pytest.mark.parametrize("tolerance", [0.0, -1.0, np.nan, np.inf])
def test_a_walk_that_never_ends_is_refused(tolerance):
    with pytest.raises(ConfigError, match="a tolerance of"):
        walk("personalised_pagerank", more=(0.15, tolerance))


@pytest.mark.parametrize("name", ["spread", "personalised_pagerank"])
def test_no_answers_are_an_answer_and_fewer_are_refused(name):
    for _ in range(50):
        assert walk(name, k=0).ids.shape == (2, 1, 0)
    with pytest.raises(ConfigError, match="k=-1"):
        walk(name, k=-1)


@pytest.mark.parametrize("backend", FAST)
@pytest.mark.parametrize("lifts", [False, True])
@pytest.mark.parametrize("configs", [1, 2])
def test_a_proven_edge_that_was_weakened_to_nothing_carries_nothing(backend, lifts, configs):
    windows = [(START_US + i, [0, 1], 1.0, 0) for i in range(6)]
    windows.append((START_US + 10, [0, 1], -1.0, 0))
    rules = FIXED.change(potentiation_count=2, normalisation="source_row", floor_lifts=lifts)
    case, queries = case_of(windows, [rules] * configs, 3), asked((START_US + 20, [(0, 1.0)], []))
    found = []
    for each in (made(backend), MEANING):
        asked_for = (each.place(case.graph), case.traces)
        state = each.replay(*asked_for)
        ready = each.walk(asked_for[0], state, case.traces, case.reads)
        found.append(ready.spread(queries, 2))
    for got, want in zip(*found, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5)


def test_an_edge_without_events_and_a_log_without_any_are_walked():
    graph = CASE.graph._replace(
        event_ptr=np.zeros_like(CASE.graph.event_ptr), time=CASE.graph.time[:0],
        strength=CASE.graph.strength[:0], size=CASE.graph.size[:0], npmi=CASE.graph.npmi[:0],
        by_time=CASE.graph.by_time[:0], edge_of=CASE.graph.edge_of[:0],
    )  # fmt: skip
    state = CPU.replay(graph, CASE.traces)
    assert (walk(graph=graph, state=state).ids == -1).all()


@pytest.mark.parametrize("short", ["frontier", "hops", "hub_degree", "source_row", "trace_stop"])
def test_reading_rules_of_other_lengths_are_named(short):
    for part in (getattr(CASE.reads, short)[:1], getattr(CASE.reads, short)[:0]):
        with pytest.raises(InputError, match=r"reads' \w+ are .* of shape"):
            walk(reads=CASE.reads._replace(**{short: part}))


@pytest.mark.parametrize("field", QUERIES._fields)
def test_queries_that_are_no_vectors_of_their_kind_are_named(field):
    values = getattr(QUERIES, field)
    ready = CPU.walk(CASE.graph, STATE, CASE.traces, CASE.reads)
    words = values.tolist(), values[:, None], values.astype("S")
    for wrong in words if field == "seed_energy" else (*words, values + 0.5, values * np.nan):
        with pytest.raises(InputError, match=f"the queries' {field} are"):
            ready.spread(QUERIES._replace(**{field: wrong}), 3)


@pytest.mark.parametrize("field", ["row_ptr", "col"])
def test_rows_that_are_no_whole_numbers_are_named(field):
    rows = Rows(np.array([0, 1, 2]), np.array([1, 0], np.int32), np.ones((2, 2)))
    rows = rows._replace(**{field: getattr(rows, field) + 0.5})
    with pytest.raises(InputError, match="Give a NumPy array of whole numbers"):
        CPU.spread_rows(rows, CASE.reads, QUERIES, 3)
