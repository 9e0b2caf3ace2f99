import numpy as np
import pytest

from hebb_lab.memory.changes import Change, Edges
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.values import Draft, EdgeKind, Kind, Link
from tests.memory.stores import made_store

REVISED_FROM, INSIGHT_FROM = EdgeKind.REVISED_FROM, EdgeKind.INSIGHT_FROM


def named(relatives):
    return [(one.id, one.by, one.distance) for one in relatives]


def test_ancestors_and_descendants_are_followed_to_the_end_the_nearest_first():
    store = made_store()
    source, aside, insight = store.remember([
        Draft("s"), Draft("x"),
        Draft("i", kind=Kind.INSIGHT, links=[Link(INSIGHT_FROM, 0), Link(EdgeKind.RELATED_TO, 1)]),
    ], 1)  # fmt: skip
    newer = store.revise(source, 2, content="t")
    newest = store.revise(newer, 3, content="u")
    found = store.lineage(source)
    assert named(found.descendants) == [
        (insight, INSIGHT_FROM, 1), (newer, REVISED_FROM, 1), (newest, REVISED_FROM, 2)
    ]  # fmt: skip
    assert found.ancestors == ()
    assert named(store.lineage(newest).ancestors) == [
        (newer, REVISED_FROM, 1), (source, REVISED_FROM, 2)
    ]  # fmt: skip
    assert [one.superseded for one in store.lineage(newest).ancestors] == [True, True]
    assert [one.kind for one in found.descendants] == [Kind.INSIGHT, Kind.REVISION, Kind.REVISION]
    assert store.lineage(aside)[2:] == ((), (), ())


def test_a_circle_that_came_in_otherwise_ends_where_it_began():
    store = made_store()
    ids = store.remember([Draft("a"), Draft("b"), Draft("c")], 1)
    store.commit(Change(2, edges=Edges(
        ids, Ids(np.roll(ids.array, 1, axis=0)), np.full(3, REVISED_FROM, np.int8),
        np.ones(3, np.float32), np.full(3, 2),
    )))  # fmt: skip
    found = store.lineage(ids[0])
    assert {one.id for one in found.ancestors} == {one.id for one in found.descendants}
    assert sorted(one.id for one in found.ancestors) == sorted(ids[1:])


def test_what_is_gone_is_named_from_its_tombstone():
    store = made_store(forget_revisions=False)
    (source,) = store.remember(Draft("s"), 1)
    newer = store.revise(source, 2, content="t")
    (insight,) = store.remember(Draft("i", kind=Kind.INSIGHT, links=[Link(INSIGHT_FROM, newer)]), 3)
    store.forget([source], 4)
    store.forget([newer], 5)
    found = store.lineage(insight)
    assert found.ancestors == ()
    assert [(one.id, one.forgotten_us, one.reason) for one in found.gone] == [
        (source, 4, "ids"), (newer, 5, "ids")
    ]  # fmt: skip
    buried = store.lineage(newer)
    assert (buried.forgotten.id, buried.forgotten.forgotten_us) == (newer, 5)
    assert [one.id for one in buried.gone] == [source]


def test_a_memory_that_never_was_has_no_lineage():
    store = made_store()
    (id,) = store.remember(Draft("a"), 1)
    store.forget([id], 2)
    assert store.lineage(id).forgotten.reason == "ids"
    store.collect_tombstones(1000 * 86_400_000_000)
    with pytest.raises(MemoryNotFoundError, match="tombstone is collected"):
        store.lineage(id)
