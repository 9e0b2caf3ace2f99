import numpy as np

from hebb_lab.memory.operations.forgetting.going import doomed, superseded_states
from hebb_lab.memory.values import Draft, EdgeKind, Kind, Link
from tests.memory.stores import made_store


def chain(store, length):
    """A memory and its old states, by RevisedFrom; rows from the newest on."""
    drafts = [Draft("v", links=[Link(EdgeKind.REVISED_FROM, place)]) for place in range(1, length)]
    drafts.append(Draft("v"))
    return store.state.rows_of(store.remember(drafts, 1))


def test_old_states_are_followed_however_far_back():
    store = made_store()
    rows = chain(store, 50)
    assert superseded_states(store.state, rows[:1]).tolist() == rows[1:].tolist()
    assert superseded_states(store.state, rows[48:]).tolist() == []
    assert superseded_states(store.state, rows[10:12]).tolist() == rows[12:].tolist()


def test_what_two_memories_superseded_goes_when_both_go():
    store = made_store()
    rows = store.state.rows_of(store.remember([
        Draft("old"), Draft("a", links=[Link(EdgeKind.REVISED_FROM, 0)]),
        Draft("b", links=[Link(EdgeKind.REVISED_FROM, 0)]),
    ], 1))  # fmt: skip
    assert doomed(store.state, store.rules, rows[1:2]).rows.tolist() == [1]
    both = doomed(store.state, store.rules, rows[1:])
    assert both.rows.tolist() == [0, 1, 2]
    assert both.cascaded.tolist() == [True, False, False]


def test_insights_of_insights_and_their_old_states_go_with_their_source():
    store = made_store(forget_insights="forget")
    insight = {"kind": Kind.INSIGHT}
    store.remember([
        Draft("source"), Draft("i", links=[Link(EdgeKind.INSIGHT_FROM, 0)], **insight),
        Draft("j", links=[Link(EdgeKind.INSIGHT_FROM, 1), Link(EdgeKind.REVISED_FROM, 3)],
              **insight),
        Draft("old j", **insight), Draft("other", **insight),
    ], 1)  # fmt: skip
    found = doomed(store.state, store.rules, np.array([0]))
    assert found.rows.tolist() == [0, 1, 2, 3]
    assert found.marks == ()


def test_what_goes_is_not_marked():
    store = made_store(forget_insights="mark")
    store.remember([
        Draft("source"), Draft("i", links=[Link(EdgeKind.INSIGHT_FROM, 0)], kind=Kind.INSIGHT),
        Draft("j", links=[Link(EdgeKind.INSIGHT_FROM, 0)], kind=Kind.INSIGHT),
    ], 1)  # fmt: skip
    (mark,) = doomed(store.state, store.rules, np.array([0, 1])).marks
    assert store.state.rows_of(mark.ids).tolist() == [2]
