import math

import numpy as np
import pytest

from hebb_lab.kernels.cpu.plasticity.timing import best_edges, learn_timing

CODE = np.array([[0.1], [0.05], [30_000.0]])


def learned(events, rules=CODE, start=0.0):
    """The weight after (gap in ms, is causal) events of one edge."""
    gap, causal = zip(*events, strict=True)
    weight = np.full((1, rules.shape[1]), start, np.float32)
    learn_timing(
        np.array([0, len(events)]), np.array(gap, np.float64), np.array(causal), rules, weight
    )
    return weight[0]


@pytest.mark.parametrize(
    ("gap_ms", "causal", "anti"),
    [
        (0, 0.1, 0.05), (100, 0.09967, 0.04983), (1000, 0.09672, 0.04836), (5000, 0.08465, 0.04232),
        (20_000, 0.05134, 0.02567), (30_000, 0.03679, 0.01839), (60_000, 0.01353, 0.00677),
    ],
)  # fmt: skip
def test_one_event_changes_an_edge_by_what_the_rule_says(gap_ms, causal, anti):
    assert learned([(gap_ms, True)])[0] == pytest.approx(causal, abs=5e-6)
    assert 0.5 - learned([(gap_ms, False)], start=0.5)[0] == pytest.approx(anti, abs=5e-6)


def test_a_weight_stays_between_0_and_1_after_each_event():
    assert learned([(0, True)] * 30)[0] == 1.0
    assert learned([(0, False), (0, True)])[0] == pytest.approx(0.1)
    assert learned([(0, True)] * 30 + [(0, False)])[0] == pytest.approx(0.95)


def test_with_tau_0_only_what_is_at_once_counts():
    never = np.array([[0.1], [0.05], [0.0]])
    assert learned([(0, True), (1, True)], never)[0] == pytest.approx(0.1)


def test_rule_sets_are_learned_beside_each_other():
    rules = np.array([[0.1, 0.2], [0.05, 0.0], [30_000.0, 1000.0]])
    found = learned([(1000, True), (1000, False)], rules)
    assert found == pytest.approx([0.05 * math.exp(-1 / 30), 0.2 * math.exp(-1)], rel=1e-5)


def test_it_does_not_matter_in_how_many_calls_events_come():
    rng = np.random.default_rng(0)
    gap, causal = rng.random(200) * 1e5, rng.random(200) < 0.7
    once, twice = np.zeros((2, 1, 1), np.float32)
    learn_timing(np.array([0, 200]), gap, causal, CODE, once)
    for part in (slice(0, 77), slice(77, 200)):
        bounds = np.array([0, part.stop - part.start])
        learn_timing(bounds, gap[part], causal[part], CODE, twice)
    assert once.tobytes() == twice.tobytes()


def test_the_heaviest_edge_from_the_context_into_each_list_is_found():
    # edges 0→1 .2, 0→3 .9, 2→1 .5 under one rule set, all .4 under another
    row_ptr, target = np.array([0, 2, 2, 3, 3]), np.array([1, 3, 1], np.int32)
    weight = np.array([[0.2, 0.4], [0.9, 0.4], [0.5, 0.4]], np.float32)
    context = np.array([0, 2]), np.array([0, 2], np.int32)
    lists = np.array([0, 3]), np.array([0, 1, 3, 3]), np.array([1, 1, 3], np.int32)
    best, sender, receiver = best_edges(row_ptr, target, weight, context, lists)
    assert best.tolist() == pytest.approx(np.array([[0.5, 0.4], [0.9, 0.4], [0, 0]]).astype("f4"))
    assert sender.tolist() == [[1, 0], [0, 0], [-1, -1]]
    assert receiver.tolist() == [[0, 0], [2, 1], [-1, -1]]


def test_without_queries_nothing_is_looked_up():
    none = np.zeros(1, np.int64)
    empty = np.zeros(0, np.int32)
    weight = np.zeros((0, 1), np.float32)
    found = best_edges(none, empty, weight, (none, empty), (none, none, empty))
    assert [len(part) for part in found] == [0, 0, 0]
