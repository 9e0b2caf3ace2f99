import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.values import Draft, EdgeKind, Kind, Link
from tests.memory.stores import made_store


def test_get_gives_memories_in_the_order_asked_and_reinforces_nothing():
    store = made_store()
    a, b = store.remember([Draft("a", entity_id="ada"), Draft("b")], 1)
    version = store.state.version
    assert [memory.id for memory in store.get([b, a, b])] == [b, a, b]
    assert [memory.entity_id for memory in store.get(Ids.parse([a, b]))] == ["ada", None]
    assert store.get([]) == []
    assert store.state.version == version


def test_an_id_that_is_not_there_is_named():
    store = made_store()
    a, b = store.remember([Draft("a"), Draft("b")], 1)
    store.forget([b], 2)
    with pytest.raises(MemoryNotFoundError, match=b):
        store.get([a, b])
    with pytest.raises(InputError, match="no id"):
        store.get(["nonsense"])


def insights(store, **asked):
    return [memory.content for memory in store.insights(**asked)]


def test_insights_come_by_importance_then_the_newest_first():
    store = made_store()
    drafts = [("a", 0.5), ("b", 0.9), ("c", 0.5), ("d", 0.1)]
    store.remember([Draft("e", 1.0), *(Draft(*each, kind=Kind.INSIGHT) for each in drafts)], 1)
    assert insights(store) == ["b", "c", "a", "d"]
    assert insights(store, most=2) == ["b", "c"]
    assert insights(store, least_importance=0.5) == ["b", "c", "a"]
    with pytest.raises(InputError, match="most=0"):
        store.insights(most=0)


def test_insights_sorted_after_the_cut_lose_the_important_as_the_code_does():
    store = made_store(insights_sorted="after")
    store.remember([Draft(f"{place}", place / 10, kind=Kind.INSIGHT) for place in range(5)], 1)
    assert insights(store, most=2) == ["1", "0"]


def test_insights_have_a_scope():
    store = made_store()
    store.remember(
        [Draft("a", entity_id="ada", kind=Kind.INSIGHT), Draft("b", kind=Kind.INSIGHT)], 1
    )
    assert insights(store, entity="ada") == ["a"]
    assert insights(store, entity="nobody") == []


def test_superseded_and_stale_insights_are_seen_by_the_rules():
    drafts = [
        Draft("source"), Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0)]),
        Draft("j", kind=Kind.INSIGHT),
    ]  # fmt: skip
    for switches, seen in (({}, ["i"]), ({"stale_recalled": False}, []),
                           ({"superseded_recalled": True}, ["j", "i"])):  # fmt: skip
        store = made_store(**switches)
        source, _, j = store.remember(drafts, 1)
        store.revise(source, 2, content="new source")
        store.revise(j, 3, content="k")
        assert insights(store) == seen
