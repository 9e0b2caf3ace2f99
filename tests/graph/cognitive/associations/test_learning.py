"""Who is wired to whom, and how rules become arrays."""

import numpy as np

from hebb_lab.graph.cognitive.associations.importance import worth_of
from hebb_lab.graph.cognitive.associations.learning import increments_of, learn, partners_of
from hebb_lab.graph.cognitive.associations.modulator import MemoryState
from hebb_lab.graph.cognitive.associations.table import EdgeTable
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from tests.graph.cognitive.associations.plain import PlainHebbian, world


def test_hints_are_learned_with_their_later_memory_in_their_order():
    memories = world(np.random.default_rng(0), hints=30)
    partners = partners_of(memories)
    stated = [
        (min(a, b), t) for m in range(60)
        for a, b, t in zip(*(c.tolist() for c in memories.hints), strict=True)
        if max(a, b) == m and a != b
    ]  # fmt: skip
    assert list(zip(partners.hint.tolist(), partners.times.tolist(), strict=True)) == stated
    assert partners.hint_ptr[-1] == len(stated)


def test_rules_become_windows_increments_and_caps():
    rules = [
        DOCUMENTED, OBSERVED, DOCUMENTED.change(session_window=None),
        DOCUMENTED.change(co_ingestion="previous_in_session"),
    ]  # fmt: skip
    how = increments_of(rules, 500)
    assert how.window.tolist() == [24, 1, 500, 1]
    assert how.order.tolist() == [0, 1, 0, 0]
    assert how.cap.tolist() == [0, 24, 0, 0]
    assert how.increment.tolist() == [1.0] * 4


def test_a_window_of_0_wires_nothing():
    how = increments_of([DOCUMENTED.change(session_window=0)], 60)
    memories = world(np.random.default_rng(0), hints=0)
    assert edges_after(memories, how, [DOCUMENTED]) == 0


def test_sessions_that_interleave_are_kept_apart():
    memories = world(np.random.default_rng(0), hints=0, interleaved=True)
    rules = DOCUMENTED.change(cycle_memories=1000)
    plain = PlainHebbian(memories, rules).learn(60)
    assert edges_after(memories, increments_of([rules], 60), [rules]) == len(plain.edges())


def test_what_changes_a_row_makes_it_dirty():
    memories = world(np.random.default_rng(0), hints=0)
    dirty = np.zeros(60, np.bool_)
    edges_after(memories, increments_of([OBSERVED], 60), [OBSERVED], 0, 3, dirty)
    assert np.flatnonzero(dirty).tolist() == [0, 1, 2]


def edges_after(memories, how, rules, first=0, stop=60, dirty=None):
    table = learn(
        EdgeTable.with_room(np.zeros(60, np.int64)), partners_of(memories), how,
        worth_of(rules, MemoryState.of(memories)), np.zeros(1, np.int64), first, stop,
        np.zeros(60, np.bool_) if dirty is None else dirty,
    )  # fmt: skip
    assert (np.diff(table.ptr) == table.length).all()
    return int(table.length.sum())
