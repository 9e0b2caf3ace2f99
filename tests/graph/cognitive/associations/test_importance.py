"""What an edge is worth: the pinned numbers of the formula."""

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations.importance import (
    SIGNALS,
    rows_importance,
    signal_weights,
    worth_of,
)
from hebb_lab.graph.cognitive.associations.modulator import MemoryState
from hebb_lab.graph.cognitive.associations.table import EdgeTable
from hebb_lab.graph.cognitive.rules import CognitiveRules

NEUTRAL = MemoryState(
    np.ones(30), np.zeros(30), np.zeros(30), np.zeros(30, np.bool_)
)  # of 30 memories


def importance(signals, weight, age=0, bridge=0, shared=0, state=NEUTRAL):
    """Of the edge 0 → 1, which has ``shared`` common neighbours, in cycle 100."""
    rules = CognitiveRules(eviction_signals=signals)
    room = np.zeros(30, np.int64)
    room[:2] = shared + 1, shared
    table = EdgeTable.with_room(room)
    table.length[:] = room
    common = np.arange(2, 2 + shared)
    table.neighbor[:] = np.concatenate([[1], common, common])
    table.weight[:], table.bridge[:], table.last_cycle[:] = weight, bridge, 100 - age
    found = np.empty(shared + 1)
    rows_importance(
        np.array([0]), np.array([0]), table, worth_of([rules], state), np.array([100]), found
    )
    return found[0]


# spector.md §1.1; scoreStructural with shared neighbours is what no rule set here computes
@pytest.mark.parametrize(
    ("weight", "age", "bridge", "expected"),
    [
        (1, 0, 200, 0.68135), (1, 0, 0, 0.39615), (2, 0, 0, 0.43698), (24, 0, 0, 0.63636),
        (1, 50, 0, 0.30512), (3, 0, 255, 0.86364),
    ],
)  # fmt: skip
def test_structural_importance_has_the_pinned_values(weight, age, bridge, expected):
    assert importance("structural", weight, age, bridge) == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize(
    ("weight", "bridge", "shared", "expected"), [(5, 128, 2, 0.71820), (10, 0, 5, 0.52702)]
)
def test_shared_neighbours_lower_the_pinned_values(weight, bridge, shared, expected):
    one_step = 0.10 / 0.55
    lost = one_step * (1 - 1 / (1 + 0.3 * shared))
    found = importance("structural", weight, 0, bridge, shared)
    assert found - lost == pytest.approx(expected, abs=5e-6)


def test_the_structural_score_counts_no_shared_neighbours():
    assert importance("structural", 3, shared=6) == importance("structural", 3)
    assert importance("six", 3, shared=6) < importance("six", 3)


def test_a_weak_bridge_is_worth_more_than_a_strong_redundant_edge():
    assert importance("six", 1, bridge=200) > importance("six", 10, shared=10)


def test_a_recent_edge_is_worth_more_than_an_old_one():
    assert importance("six", 1, age=1) > importance("six", 1, age=50)


def test_recency_has_half_its_value_after_about_50_cycles():
    gone = importance("six", 1) - importance("six", 1, age=50)
    assert gone == pytest.approx(0.10 / 0.75 * (1 - np.exp(-50 / 72)))


def test_an_unresolved_memory_makes_its_edges_worth_more():
    is_open = NEUTRAL.is_open.copy()
    is_open[1] = True
    gain = importance("six", 1, state=NEUTRAL._replace(is_open=is_open)) - importance("six", 1)
    assert gain == pytest.approx(0.10 / 0.75 * 0.2)


def test_six_signals_are_those_that_the_page_names():
    used = {name for name, w in zip(SIGNALS, signal_weights("six"), strict=True) if w > 0}
    assert used == {"weight", "recency", "bridge", "redundancy", "arousal", "zeigarnik"}


@pytest.mark.parametrize("signals", ["six", "structural", "nine"])
def test_signal_weights_sum_to_one(signals):
    assert signal_weights(signals).sum() == pytest.approx(1.0)


def test_the_greatest_importance_of_all_nine_is_92_hundredths_less_storage():
    state = NEUTRAL._replace(
        importance=np.full(30, 10.0), arousal=np.full(30, 255.0), is_open=~NEUTRAL.is_open
    )
    assert importance("nine", 1000, bridge=255, state=state) == pytest.approx(0.92 - 0.05)


def test_valence_and_importance_count_among_all_nine_alone():
    valence = NEUTRAL.valence.copy()
    valence[0] = 100
    other = NEUTRAL._replace(valence=valence, importance=np.full(30, 5.0))
    assert importance("six", 1, state=other) == importance("six", 1)
    assert importance("nine", 1, state=other) == pytest.approx(
        importance("nine", 1) - 0.05 * 100 / 255 + 0.15 * 0.4
    )
