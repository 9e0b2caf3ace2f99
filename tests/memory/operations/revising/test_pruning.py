import pytest

from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.values import Draft, EdgeKind, Kind, Link
from tests.memory.stores import made_store

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])


def revised(store, times):
    (id,) = store.remember(Draft("v0"), 1)
    for step in range(1, times + 1):
        id = store.revise(id, 1 + step, content=f"v{step}")
    old = sorted(one.id for one in store.lineage(id).ancestors)
    return id, [memory.content for memory in store.get(old)]


@BOTH
@pytest.mark.parametrize(
    ("kept", "revisions", "left"),
    [(3, 8, ["v5", "v6", "v7"]), (2, 4, ["v2", "v3"]), (2, 1, ["v0"]), (0, 3, []),
     (None, 4, ["v0", "v1", "v2", "v3"])],
)  # fmt: skip
def test_the_newest_old_states_are_kept(rules, kept, revisions, left):
    store = made_store(rules, revisions_kept=kept)
    id, old = revised(store, revisions)
    assert old == left
    assert store.get([id])[0].content == f"v{revisions}"
    assert int(store.state.alive.sum()) == len(left) + 1
    stones = store.journal.tombstones()
    if rules.revise == "new" or kept:  # in place, with none kept, no old state is ever made
        assert len(stones.ids) == revisions - len(left)
    assert {reason.split(";")[0] for reason in stones.reason} <= {f"revisions_kept={kept}"}


def test_the_code_keeps_100():
    store = made_store(OBSERVED)
    assert len(revised(store, 103)[1]) == 100


def test_insights_of_a_pruned_state_are_treated_as_forgetting_treats_them():
    for policy, left in (("mark", True), ("keep", False), ("forget", None)):
        store = made_store(revisions_kept=0, forget_insights=policy, insight_stale=False)
        source, insight = store.remember(
            [Draft("a"), Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0)])], 1
        )
        store.revise(source, 2, content="b")
        if left is None:
            assert int(store.state.alive.sum()) == 1
        else:
            assert store.get([insight])[0].stale == left


@pytest.mark.parametrize("revise", ["new", "in_place"])
def test_a_revision_never_forgets_the_memory_that_it_revises(revise):
    store = made_store(revise=revise, revisions_kept=1, forget_insights="forget")
    links = [Link(EdgeKind.REVISED_FROM, 0), Link(EdgeKind.INSIGHT_FROM, 0)]
    first, name = store.remember([Draft("a"), Draft("b", kind=Kind.INSIGHT, links=links)], 1)
    for number in range(3):
        name = store.revise(name, 2 + number, content=f"state {number}")
    assert store.get([name])[0].content == "state 2"
    assert store.lineage(first).forgotten is not None
    assert store.state.alive.sum() == 2
