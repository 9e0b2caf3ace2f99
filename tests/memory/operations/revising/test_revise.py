import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.operations import Revision
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.values import Draft, EdgeKind, Kind, Link
from tests.memory.stores import DAY, EAST, NORTH, WEST, Letters, edges_of, made_store

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])
REVISED_FROM = EdgeKind.REVISED_FROM


def old_states(store, id):
    """What a memory superseded, the newest first."""
    return [one.id for one in store.lineage(id).ancestors]


def test_by_the_page_a_revision_is_a_new_memory_and_the_old_one_stays():
    store = made_store()
    (old,) = store.remember(Draft("a", 0.7, {"x": 1}, "ada", vector=EAST), DAY)
    store.reinforce([old, old], 2 * DAY)
    before = store.get([old])[0]
    new = store.revise(old, 3 * DAY, content="b", importance=0.9, vector=NORTH)
    assert new > old
    then, now = store.get([old, new])
    assert (then.content, then.kind, then.clock) == ("a", Kind.EPISODE, 0)
    assert then.superseded
    assert then.importance == before.importance
    assert (now.content, now.kind, now.entity_id) == ("b", Kind.REVISION, "ada")
    assert not now.superseded
    assert now.created_us == now.updated_us == 3 * DAY
    assert (now.accessed_us, now.access_count) == (2 * DAY, 2)  # what was used stays so
    assert (now.clock, now.importance, now.decay_score) == (1, *[np.float32(0.9)] * 2)
    assert edges_of(store) == [(new, old, REVISED_FROM, 1.0)]


def test_by_the_code_a_revision_keeps_its_id_and_the_old_state_gets_a_new_one():
    store = made_store(OBSERVED)
    (id,) = store.remember(Draft("a", 0.7, {"x": 1}, "ada", vector=EAST), DAY)
    store.reinforce([id, id], 2 * DAY)
    assert store.revise(id, 3 * DAY, content="b", importance=0.9, vector=NORTH) == id
    (old,) = old_states(store, id)
    then, now = store.get([old, id])
    assert (then.content, then.kind, then.clock, then.importance) == (
        "a", Kind.EPISODE, 0, np.float32(0.7)
    )  # fmt: skip
    assert then.superseded
    assert (then.created_us, then.access_count) == (DAY, 2)
    assert (now.content, now.kind, now.entity_id) == ("b", Kind.REVISION, "ada")
    assert (now.created_us, now.updated_us, now.accessed_us, now.access_count) == (
        DAY, 3 * DAY, 2 * DAY, 2
    )  # fmt: skip
    assert (now.clock, now.importance, now.decay_score) == (1, *[np.float32(0.9)] * 2)
    assert edges_of(store) == [(id, old, REVISED_FROM, 1.0)]
    vectors = store.state.vectors.take(store.state.rows_of(Ids.parse([id, old])))
    assert np.array_equal(vectors, [NORTH, EAST])


@BOTH
def test_the_clock_goes_up_by_one_with_each_revision(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a"), 1)
    for step in range(1, 4):
        id = store.revise(id, 1 + step, content=f"v{step}")
        assert store.get([id])[0].clock == step


def test_two_revisions_leave_two_revised_from_edges():
    store = made_store(OBSERVED)
    (id,) = store.remember(Draft("a"), 1)
    for time in (2, 3):
        store.revise(id, time, content=f"v{time}")
    assert [(source, kind) for source, _, kind, _ in edges_of(store)] == [(id, REVISED_FROM)] * 2
    store = made_store()
    (first,) = store.remember(Draft("a"), 1)
    second = store.revise(first, 2, content="b")
    third = store.revise(second, 3, content="c")
    assert edges_of(store) == [
        (second, first, REVISED_FROM, 1.0), (third, second, REVISED_FROM, 1.0)
    ]  # fmt: skip


@BOTH
def test_a_context_is_laid_over_the_old_one_or_replaces_it(rules):
    for how, expected in (("merge", {"a": 1, "b": 3, "c": 4}), ("replace", {"b": 3, "c": 4})):
        store = made_store(rules, revise_context=how)
        (id,) = store.remember(Draft("a", context={"a": 1, "b": 2}), 1)
        id = store.revise(id, 2, context={"b": 3, "c": 4})
        assert store.get([id])[0].context == expected


@BOTH
def test_what_is_not_given_stays(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a", 0.3, {"x": 1}, "ada", vector=EAST), 1)
    id = store.revise(id, 2, importance=0.6)
    now = store.get([id])[0]
    assert (now.content, now.context, now.entity_id) == ("a", {"x": 1}, "ada")
    id = store.revise(id, 3, entity_id=None)
    now = store.get([id])[0]
    assert now.entity_id is None
    assert now.importance == np.float32(0.6)
    row = store.state.rows_of(Ids.parse([id]))
    assert np.array_equal(store.state.vectors.take(row), [EAST])


@BOTH
@pytest.mark.parametrize(
    ("given", "said"),
    [({}, "gives nothing"), ({"content": ""}, "empty"), ({"importance": 1.5}, "1.5"),
     ({"context": {"a": float("nan")}}, "NaN"), ({"entity_id": ""}, "entity_id"),
     ({"vector": np.zeros(4)}, "zero"), ({"content": "b" * 65_537}, "65537")],
)  # fmt: skip
def test_a_revision_that_cannot_be_is_refused_and_changes_nothing(rules, given, said):
    store = made_store(rules)
    (id,) = store.remember(Draft("a"), 1)
    with pytest.raises(InputError, match=said):
        store.revise(id, 2, **given)
    assert store.state.version == 1


@BOTH
def test_a_missing_or_superseded_memory_is_not_revised(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a"), 1)
    new = store.revise(id, 2, content="b")
    (old,) = old_states(store, new)
    with pytest.raises(InputError, match="superseded"):
        store.revise(old, 3, content="c")
    store.forget([new], 4)
    with pytest.raises(MemoryNotFoundError):
        store.revise(new, 5, content="c")


@BOTH
def test_a_new_content_needs_a_vector_where_the_old_one_had_one(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a", vector=EAST), 1)
    with pytest.raises(InputError, match="nothing gives its vector"):
        store.revise(id, 2, content="b")
    id = store.revise(id, 3, content="a", importance=1.0)  # the same content keeps its vector
    embedder = Letters()
    store.embedder = embedder
    id = store.revise(id, 4, content="dd")
    assert embedder.asked == ["dd"]
    row = store.state.rows_of(Ids.parse([id]))
    assert store.state.vectors.take(row).tolist() == [[0, 0, 0, 1]]
    store.revise(id, 5, content="given", vector=WEST)
    assert embedder.asked == ["dd"]


@BOTH
def test_links_of_a_revision_are_added(rules):
    store = made_store(rules)
    cause, id = store.remember([Draft("c"), Draft("a", links=[Link(EdgeKind.RELATED_TO, 0)])], 1)
    new = store.revise(id, 2, links=[Link(EdgeKind.CAUSED_BY, cause, 0.5)])
    assert (new, cause, EdgeKind.CAUSED_BY, 0.5) in edges_of(store)
    assert (id, cause, EdgeKind.RELATED_TO, 1.0) in edges_of(store)
    if rules.revise == "in_place":
        with pytest.raises(InputError, match="itself"):
            store.revise(id, 3, links=[Link(EdgeKind.CAUSED_BY, id)])


@BOTH
def test_a_revision_closes_no_circle_of_lineage(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a"), 1)
    (insight,) = store.remember(Draft("i", links=[Link(EdgeKind.INSIGHT_FROM, id)]), 2)
    if rules.revise == "in_place":
        link = Link(EdgeKind.INSIGHT_FROM, insight)
    else:
        link = Link(EdgeKind.INSIGHT_FROM, id, incoming=True)
    with pytest.raises(InputError, match="circle"):
        store.revise(id, 3, links=[link])


@BOTH
def test_insights_of_a_revised_source_become_stale_by_the_rules(rules):
    for stale in (True, False):
        store = made_store(rules, insight_stale=stale)
        source, insight = store.remember(
            [Draft("a"), Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0)])], 1
        )
        store.revise(source, 2, content="b")
        assert store.get([insight])[0].stale == stale


def test_a_revised_insight_keeps_its_sources_and_is_stale_no_more():
    store = made_store(forget_insights="mark")
    source, insight = store.remember(
        [Draft("a"), Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0, 0.5)])], 1
    )
    source = store.revise(source, 2, content="b")
    newer = store.revise(insight, 3, content="j")
    assert [memory.stale for memory in store.get([insight, newer])] == [True, False]
    assert [edge[2:] for edge in edges_of(store) if edge[0] == newer] == [
        (REVISED_FROM, 1.0), (EdgeKind.INSIGHT_FROM, 0.5)
    ]  # fmt: skip
    assert store.forget(old_states(store, source), 4).marked == 1  # the other one was already
    assert store.get([newer])[0].stale


@BOTH
def test_many_are_revised_as_one_change_or_none(rules):
    store = made_store(rules)
    ids = store.remember([Draft("a"), Draft("b"), Draft("c")], 1)
    with pytest.raises(InputError, match=r"2 of 3 .*memory 1: content is empty; memory 2: .*twice"):
        store.revise_all([Revision(ids[0], "x"), Revision(ids[1], ""), Revision(ids[0], "y")], 2)
    assert store.state.version == 1
    now = store.revise_all(
        [Revision(ids[2], "z"), Revision(ids[0], "x", links=[Link(EdgeKind.RELATED_TO, 0)])], 3
    )
    assert [memory.content for memory in store.get(now)] == ["z", "x"]
    assert store.state.version == 2
    assert (now[1], now[0], EdgeKind.RELATED_TO, 1.0) in edges_of(store)
    assert len(store.revise_all([], 4)) == 0


@BOTH
def test_a_superseded_state_is_not_recalled(rules):
    store = made_store(rules, reinforcement="off")
    (id,) = store.remember(Draft("a", vector=EAST), 1)
    id = store.revise(id, 2, importance=0.9)
    assert [hit.id for hit in store.recall([""], 3, strategies=["temporal"]).hits()] == (
        [id] if not rules.temporal_needs_entity else []
    )
