"""How the state of a memory slows, or in the code reverses, decay."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations.modulator import (
    MemoryState,
    decay_factors,
    modulator,
)
from hebb_lab.graph.cognitive.published import DOCUMENTED
from hebb_lab.records import Memories


def memories(count=3, **values):
    plain = Memories.plain(
        tuple(map(str, range(count))), ("",) * count, np.arange(count), np.zeros(count, np.int32),
        ("s",),
    )  # fmt: skip
    return replace(plain, **values)


def test_unknown_importance_is_1_and_unknown_arousal_twice_the_valence():
    state = MemoryState.of(memories(valence=np.array([-100, 127, 0], np.int16)))
    assert state.importance.tolist() == [1, 1, 1]
    assert state.arousal.tolist() == [200, 254, 0]
    assert MemoryState.of(memories(valence=np.full(3, -128, np.int16))).arousal[0] == 255


def test_a_known_arousal_stands_whatever_the_valence():
    given = memories(valence=np.full(3, 90, np.int16), arousal=np.array([0, 7, -1], np.int16))
    assert MemoryState.of(given).arousal.tolist() == [0, 7, 180]


def test_what_is_pinned_or_unresolved_is_open():
    given = memories(pinned=np.array([True, False, False]), resolved=np.array([True, True, False]))
    assert MemoryState.of(given).is_open.tolist() == [True, False, True]


def test_the_unclamped_factor_has_the_pinned_extremes():
    strong = memories(
        importance=np.array([1, 10, 0.05], np.float32), arousal=np.array([0, 255, 0], np.int16),
        valence=np.array([0, 127, 0], np.int16),
    )  # fmt: skip
    factor = decay_factors([DOCUMENTED.change(decay_modulator="unclamped")], MemoryState.of(strong))
    assert factor[0, 0] == pytest.approx(1.17)
    assert factor[0, 1] == pytest.approx(3.87)


def test_the_modulator_is_1_and_3_tenths_at_an_importance_of_1():
    plain = memories(
        importance=np.array([1], np.float32), arousal=np.array([0], np.int16),
        valence=np.array([0], np.int16),
    )  # fmt: skip
    assert modulator(MemoryState.of(plain)) == pytest.approx([1.3])


def test_the_clamped_factor_slows_decay_and_never_stops_it():
    rules = [DOCUMENTED.change(decay_modulator="clamped", hebbian_decay=f) for f in (0.9, 0.0, 1.0)]
    state = MemoryState.of(memories(importance=np.array([10, 1, np.nan], np.float32)))
    factor = decay_factors(rules, state)
    assert factor[0].tolist() == pytest.approx([0.95, 1 - 0.1 / 1.3, 1 - 0.1 / 1.3])
    assert factor[1, 0] == 0.5
    assert (factor[2] == 0.999).all()


def test_without_a_modulator_all_memories_decay_alike():
    assert decay_factors([DOCUMENTED], MemoryState.of(memories())).tolist() == [[0.9] * 3]


def test_the_modulator_is_at_least_1():
    assert (modulator(MemoryState.of(memories())) >= 1).all()
