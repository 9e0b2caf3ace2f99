"""Bad input is named before a kernel starts: what, which entry, and the cure."""

import re

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.arrays import Rows, nothing_found
from hebb_lab.kernels.checks import graphs, walks
from tests.kernels.backends import REFERENCE, made
from tests.kernels.logs import START_US, asked, case_of

WINDOWS = [(START_US, [0, 1, 2], 1.0, 0), (START_US + 5, [0, 1], -0.5, 1)]
FIXED = DOCUMENTED.change(half_life="fixed")
CASE = case_of(WINDOWS, [FIXED, FIXED])  # 4 edges, 4 events, 7 nodes
BUILD = "Build the graph with hebb_lab.graph.temporal"


def refused(message, error=InputError):
    return pytest.raises(error, match=re.escape(message))


def changed(array, place, value):
    copy = array.copy()
    copy[place] = value
    return copy


def test_what_the_project_builds_passes():
    graphs.check_graph(CASE.graph)
    graphs.check_traces(CASE.graph, CASE.traces)
    graphs.check_rates(CASE.traces, np.ones(2), np.zeros(2))


def test_a_negative_strength_is_a_penalty_and_legal():
    graphs.check_graph(CASE.graph._replace(strength=-CASE.graph.strength))


@pytest.mark.parametrize(
    ("field", "place", "value", "message"),
    [
        ("strength", 2, np.nan, "entry 2 of the strengths is not finite. Mend or leave out"),
        ("strength", 0, -np.inf, "entry 0 of the strengths is not finite"),
        ("npmi", 3, np.nan, "entry 3 of the NPMI is not finite"),
        ("size", 1, 1, "entry 1 of the window sizes is below 2, which makes no pair"),
        ("col", 4, 7, f"entry 4 of the neighbours is 7, outside [0, 7). {BUILD}"),
        ("col", 0, -1, "entry 0 of the neighbours is -1, outside [0, 7)"),
        ("edge_id", 5, 4, "entry 5 of the edges of the rows is 4, outside [0, 4)"),
        ("edge_of", 0, 9, "entry 0 of the edges of the events is 9, outside [0, 4)"),
        ("event_ptr", 1, 3, f"pointer of the events does not ascend from 0 to 4. {BUILD}"),
        ("event_ptr", 4, 5, "pointer of the events does not ascend from 0 to 4"),
        ("row_ptr", 0, 1, "pointer of the rows does not ascend from 0 to 8"),
    ],
)
def test_an_entry_of_a_graph_that_is_wrong_is_named(field, place, value, message):
    graph = CASE.graph._replace(**{field: changed(getattr(CASE.graph, field), place, value)})
    with refused(message):
        made(REFERENCE).replay(graph, CASE.traces)


@pytest.mark.parametrize("field", ["strength", "size", "npmi", "by_time", "edge_of"])
def test_arrays_of_events_are_of_one_length(field):
    graph = CASE.graph._replace(**{field: getattr(CASE.graph, field)[:-1]})
    with refused(f"{field} has 3 entries, not 4. {BUILD}"):
        graphs.check_graph(graph)


def test_events_that_go_back_on_their_edge_are_named():
    graph = case_of([(START_US + i, [0, 1], 1.0, 0) for i in range(5)], [FIXED]).graph
    late = graph._replace(time=changed(graph.time, 3, START_US))
    with refused("entry 3 of the events is earlier than the one before it on its edge. Build"):
        graphs.check_graph(late)
    with refused("(2 in all)"):
        graphs.check_graph(graph._replace(time=changed(late.time, 1, START_US - 1)))


def test_another_edge_may_begin_earlier():
    windows = [(START_US + 9, [0, 1], 1.0, 0), (START_US, [1, 2], 1.0, 0)]
    graphs.check_graph(case_of(sorted(windows), [FIXED]).graph)


def test_more_edges_than_their_numbers_hold_are_refused():
    """Nothing so large is made: its entries are one and the same."""
    many = np.broadcast_to(np.int32(0), 2**31)
    with refused("the graph has 2,147,483,648 directed edges, and their numbers end at"):
        graphs.check_graph(CASE.graph._replace(col=many))
    with refused("Lower dataset.windows.graph_max, or split the log"):
        graphs.check_graph(CASE.graph._replace(namespace=many))


def test_a_namespace_that_the_rules_do_not_know_is_named():
    graph = CASE.graph._replace(namespace=changed(CASE.graph.namespace, 1, 4))
    with refused("entry 1 of the namespaces is 4, outside [0, 4). Make the rules' arrays"):
        graphs.check_traces(graph, CASE.traces)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("default_days", 0.0, "a half-life in default_days is 0.0. Give days above 0, or half"),
        ("default_days", np.inf, "a half-life in default_days is inf"),
        ("low_days", np.nan, "a half-life in low_days is nan"),
        ("high_days", -3.0, "a half-life in high_days is -3.0"),
        ("learning_rate", np.nan, "a learning_rate is nan. Give a number from 0 up"),
        ("strength_max", -1.0, "a strength_max is -1.0"),
        ("floor", np.inf, "a floor is inf"),
        ("prune_below", -0.1, "a prune_below is -0.1"),
        ("weight_cap", np.nan, "a weight_cap is nan. Give a number from 0 up, or null for no cap"),
        ("npmi_min", np.nan, "a npmi_min is nan"),
    ],
)
def test_a_number_of_the_rules_that_is_wrong_is_named(field, value, message):
    traces = CASE.traces._replace(**{field: changed(getattr(CASE.traces, field), 1, value)})
    with refused(message, ConfigError):
        made(REFERENCE).weights_at(CASE.graph, traces, np.zeros(0, np.int64))


def test_passes_need_time_between_them():
    traces = CASE.traces._replace(interval_us=np.zeros(2, np.int64))
    graphs.check_traces(CASE.graph, traces)  # no passes, no matter
    with refused(
        "a pass interval in µs is 0. Set rules.pass_interval_days to a minute (0.0007) or more",
        ConfigError,
    ):
        graphs.check_traces(CASE.graph, traces._replace(compounding=np.ones(2, np.bool_)))


def test_snapshot_times_that_go_back_are_named():
    with refused("entry 2 of the snapshot times is earlier than the one before it. Sort them"):
        made(REFERENCE).weights_at(CASE.graph, CASE.traces, np.array([1, 5, 4]))


@pytest.mark.parametrize(
    ("mu", "beta", "message"),
    [
        ([1, 0], [1, 1], "entry 1 of the base rates is not above 0 and finite. Give a rate per"),
        ([np.nan, 1], [1, 1], "entry 0 of the base rates"),
        ([1, 1], [1, -1], "entry 1 of the gains is negative or not finite"),
        ([1, 1], [np.inf, 0], "entry 0 of the gains"),
        ([1], [1, 1], "(1,) base rates and (2,) gains for 2 traces. Give one of each a trace"),
    ],
)
def test_rates_of_the_process_that_are_wrong_are_named(mu, beta, message):
    with refused(message):
        made(REFERENCE).log_likelihood(
            CASE.graph, CASE.traces, np.array(mu, float), np.array(beta, float), START_US
        )


@pytest.mark.parametrize("switch", [{"half_life": "learned"}, {"decay_passes": "compounding"}])
def test_rules_without_a_closed_form_are_refused(switch):
    case = case_of(WINDOWS, [FIXED.change(**switch)])
    with refused("needs fixed half-lives, or none, and continuous decay. Set", ConfigError):
        made(REFERENCE).log_likelihood(case.graph, case.traces, np.ones(1), np.ones(1), START_US)


QUERIES = asked((5, [(0, 1.0), (3, 0.5)], [2]), (9, [(1, 1.0)], []))


def spread(queries, case=CASE):
    backend = made(REFERENCE)
    state = backend.replay(case.graph, case.traces)
    return backend.walk(case.graph, state, case.traces, case.reads).spread(queries, 3)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("time", [9, 5], "entry 1 of the query times is earlier than the one before it. Sort"),
        ("seed_ids", [0, 3, 7], "entry 2 of the seeds is 7, outside [0, 7). Ask about nodes"),
        ("seed_ids", [-1, 3, 1], "entry 0 of the seeds is -1"),
        ("seed_energy", [1, -0.5, 1], "entry 1 of the seed energies is negative or not finite"),
        ("seed_energy", [1, 1, np.nan], "entry 2 of the seed energies"),
        ("seed_energy", [1, 1], "seed_energy has 2 entries, not 3"),
        ("exclude_ids", [99], "entry 0 of the exclusions is 99, outside [0, 7)"),
        ("seed_ptr", [0, 2, 2], "the pointer of the seeds does not ascend from 0 to 3"),
        ("seed_ptr", [0, 3], "the pointer of the seeds has 2 entries, not 3"),
        ("exclude_ptr", [0, 2, 1], "the pointer of the exclusions does not ascend from 0 to 1"),
    ],
)
def test_an_entry_of_queries_that_is_wrong_is_named(field, value, message):
    kind = getattr(QUERIES, field).dtype
    with refused(message):
        spread(QUERIES._replace(**{field: np.array(value, kind)}))


def test_a_state_of_another_graph_or_other_rules_is_refused():
    state = made(REFERENCE).replay(CASE.graph, CASE.traces)
    with refused("a state of shape (4, 2) for 4 events and 1 traces. Replay this graph"):
        walks.check_state(CASE.graph, state, case_of(WINDOWS, [FIXED]).traces, CASE.reads)
    three = case_of(WINDOWS, [FIXED] * 3)
    with refused("configurations that read 3 traces, of which there are 2. Make traces and"):
        walks.check_state(CASE.graph, state, CASE.traces, three.reads)


ROWS = Rows(np.array([0, 2, 3]), np.array([0, 1, 0], np.int32), np.ones((3, 1)))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("row_ptr", np.array([0, 3, 2]), "the pointer of the rows does not ascend from 0 to 3"),
        ("col", np.array([0, 2, 0]), "entry 1 of the neighbours is 2, outside [0, 2)"),
        ("col", np.array([1, 0, 0]), "entry 1 of the neighbours is below the one before it in"),
        ("weight", np.ones((3, 2)), "weights of shape (3, 2) for 3 edges and 1 configurations"),
        ("weight", np.array([[1], [np.nan], [1]]), "entry 1 of the weights is not finite"),
    ],
)
def test_an_entry_of_rows_that_is_wrong_is_named(field, value, message):
    reads = CASE.reads.some([0])
    with refused(message):
        made(REFERENCE).spread_rows(ROWS._replace(**{field: value}), reads, QUERIES, 3)


VECTORS, WANTED = np.ones((7, 3), np.float32), np.ones((2, 3), np.float32)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, changed(VECTORS, (5, 1), np.inf), "entry 5 of the vectors is not finite"),
        (1, changed(WANTED, (1, 0), np.nan), "entry 1 of the query vectors is not finite"),
        (1, WANTED[:, :2], "vectors of shape (7, 3) and queries of shape (2, 2). Give [N, d]"),
        (2, nothing_found(1, 3, 2), "energies of (1, 3, 2) for (1, 2) configurations and"),
        (3, np.array([np.nan]), "entry 0 of the boosts is not finite"),
    ],
)
def test_an_entry_of_recall_that_is_wrong_is_named(place, value, message):
    inputs = [VECTORS, WANTED, nothing_found(1, 2, 2), np.ones(1), QUERIES]
    inputs[place] = value
    with refused(message):
        made(REFERENCE).recall(*inputs, 3)


def test_energies_of_nodes_that_are_not_there_and_energies_that_are_none_are_named():
    energies = nothing_found(1, 2, 2)
    energies.ids[0, 1, 0] = 3
    with refused("entry 2 of the energies is not finite"):
        walks.check_recall(VECTORS, WANTED, energies, np.ones(1), QUERIES, 3)
    energies.ids[0, 1, 0] = 7
    with refused("entry 2 of the energies is 7, outside [-1, 7)"):
        walks.check_recall(VECTORS, WANTED, energies, np.ones(1), QUERIES, 3)


LISTS = np.array([1, 4, 2], np.int32), np.array([0, 2, 3])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.segment_top_k(np.ones((1, 2)), *LISTS, 1), "values of shape (1, 2) for 3"),
        (
            lambda b: b.segment_top_k(np.array([[1, np.nan, 1]]), *LISTS, 1),
            "entry 1 of the values is not finite",
        ),
        (
            lambda b: b.segment_top_k(np.ones((1, 3)), LISTS[0], np.array([0, 2]), 1),
            "the pointer of the segments does not ascend from 0 to 3",
        ),
        (lambda b: b.pair_counts(-LISTS[0], LISTS[1]), "entry 0 of the lists is negative (3 in"),
        (
            lambda b: b.pair_counts(np.array([4, 4, 4]), LISTS[1]),
            "entry 1 of the lists stands twice in its list. Name each id once a list",
        ),
        (
            lambda b: b.intersect(np.array([4, 1, 2]), LISTS[1], *np.zeros((2, 1), np.int64)),
            "entry 1 of the lists does not ascend in its list. Sort each list",
        ),
        (
            lambda b: b.intersect(*LISTS, np.array([0, 2]), np.array([0, 0])),
            "entry 1 of the lists is 2, outside [0, 2). Name lists by their place",
        ),
        (
            lambda b: b.intersect(*LISTS, np.array([0]), np.array([0, 0])),
            "right has 2 entries, not 1",
        ),
        (lambda b: b.follow(np.array([1, 2]), LISTS[0], 3), "entry 1 of the next nodes is 2"),
        (lambda b: b.follow(np.array([1, -1]), LISTS[0], 3), "entry 1 of the starts is 4, outside"),
    ],
)  # fmt: skip
def test_an_entry_of_segments_and_lists_that_is_wrong_is_named(call, message):
    with refused(message):
        call(made(REFERENCE))


def test_empty_things_are_legal():
    nothing = case_of([(START_US, [0], 1.0, 0)], [FIXED])
    graphs.check_graph(nothing.graph)
    graphs.check_traces(nothing.graph, nothing.traces)
    assert spread(asked(), nothing).ids.shape == (1, 0, 3)
    none, zero = np.zeros(0, np.int32), np.zeros(1, np.int64)
    graphs.check_lists(none, zero, ascending=True)
    graphs.check_lists(none, zero, ascending=False)
    graphs.check_times(np.zeros(0, np.int64))
    walks.check_rows(Rows(zero, none, np.zeros((0, 2))), 2)
    walks.check_recall(VECTORS[:0], WANTED[:0], nothing_found(1, 0, 2), np.ones(1), asked(), 3)


@pytest.mark.parametrize("field", ["half_life_mode", "floor", "default_days", "floor_holds"])
def test_rules_of_another_number_of_traces_are_named(field):
    traces = CASE.traces._replace(**{field: getattr(CASE.traces, field)[:0]})
    with refused(f"the traces' {field} are"):
        made("cpu").replay(CASE.graph, traces)


def test_a_half_life_mode_that_there_is_not_is_named():
    traces = CASE.traces._replace(half_life_mode=CASE.traces.half_life_mode + 9)
    with refused("a half-life mode is", ConfigError):
        made("cpu").replay(CASE.graph, traces)


@pytest.mark.parametrize("field", ["time", "event_ptr", "col", "strength"])
def test_a_graph_of_arrays_of_another_kind_is_named(field):
    values = getattr(CASE.graph, field)
    for wrong in (values[:, None], values.astype("S")):
        with refused(f"the graph's {field} are"):
            made("cpu").replay(CASE.graph._replace(**{field: wrong}), CASE.traces)
