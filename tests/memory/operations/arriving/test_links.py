import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.values import Draft, EdgeKind, Link, Refused
from tests.memory.stores import edges_of, made_store

CAUSED_BY, RELATED_TO, FOLLOWED_BY, REVISED_FROM, INSIGHT_FROM = EdgeKind
STRANGE = Ids.from_bytes([bytes(range(16))])[0]


def test_links_lead_to_ids_and_to_places_of_the_batch_either_way():
    store = made_store()
    old = store.remember(Draft("old"), 1)[0]
    a, b = store.remember([
        Draft("a", links=[Link(CAUSED_BY, old, 0.5), Link(FOLLOWED_BY, old, incoming=True)]),
        Draft("b", links=[Link(RELATED_TO, 0), Link(RELATED_TO, 0, 0.25, True)]),
    ], 2)  # fmt: skip
    assert edges_of(store) == [
        (a, old, CAUSED_BY, 0.5), (old, a, FOLLOWED_BY, 1.0), (b, a, RELATED_TO, 1.0),
        (a, b, RELATED_TO, 0.25),
    ]  # fmt: skip
    assert store.state.edges.time_us.tolist() == [2] * 4


def test_a_repeated_edge_overwrites():
    store = made_store()
    old = store.remember(Draft("old"), 1)[0]
    new = store.remember(
        Draft("a", links=[Link(CAUSED_BY, old, 0.5), Link(CAUSED_BY, old, 0.75)]), 2
    )[0]
    assert edges_of(store) == [(new, old, CAUSED_BY, 0.75)]


def test_an_edge_to_what_is_not_there_is_refused_or_kept_by_the_rules():
    store = made_store()
    with pytest.raises(InputError, match=r"not there.*dangling_edges=keep"):
        store.remember(Draft("a", links=[Link(CAUSED_BY, STRANGE)]), 1)
    assert store.state.count == 0
    store = made_store(dangling_edges="keep")
    new = store.remember(Draft("a", links=[Link(CAUSED_BY, STRANGE)]), 1)[0]
    assert edges_of(store) == [(new, None, CAUSED_BY, 1.0)]


@pytest.mark.parametrize("dangling", ["refuse", "keep"])
def test_a_target_that_is_no_id_is_refused(dangling):
    store = made_store(dangling_edges=dangling)
    good = store.remember(Draft("good"), 1)[0]
    drafts = [Draft("a", links=[Link(CAUSED_BY, good)]), Draft("b", links=[Link(CAUSED_BY, "x")])]
    with pytest.raises(InputError, match="memory 1: the target of an edge is no id"):
        store.remember(drafts, 1)


@pytest.mark.parametrize("kind", [REVISED_FROM, INSIGHT_FROM])
def test_a_circle_of_lineage_is_refused(kind):
    store = made_store()
    old = store.remember(Draft("old"), 1)[0]
    older = Draft("a", links=[Link(kind, old), Link(kind, old, incoming=True)])
    around = [Draft("a", links=[Link(kind, 1)]), Draft("b", links=[Link(kind, 2)]),
              Draft("c", links=[Link(kind, 0)]), Draft("d", links=[Link(kind, 0)])]  # fmt: skip
    with pytest.raises(InputError, match="closes a circle"):
        store.remember(older, 2)
    with pytest.raises(InputError, match=r"3 of 4 .*memory 2: an edge of lineage closes a circle"):
        store.remember(around, 2)
    assert store.state.count == 1


def test_a_circle_of_both_kinds_over_old_edges_is_refused():
    store = made_store()
    a = store.remember(Draft("a"), 1)[0]
    b = store.remember(Draft("b", links=[Link(REVISED_FROM, a)]), 2)[0]
    with pytest.raises(InputError, match="circle"):
        store.remember(
            Draft("c", links=[Link(INSIGHT_FROM, b), Link(REVISED_FROM, a, incoming=True)]), 3
        )
    store.remember(Draft("c", links=[Link(INSIGHT_FROM, b), Link(INSIGHT_FROM, a)]), 3)


def test_other_circles_and_lineage_within_a_batch_are_kept():
    store = made_store()
    store.remember([
        Draft("a", links=[Link(CAUSED_BY, 1)]), Draft("b", links=[Link(CAUSED_BY, 0)]),
        Draft("c", links=[Link(INSIGHT_FROM, 0), Link(INSIGHT_FROM, 1)]),
    ], 1)  # fmt: skip
    assert len(edges_of(store)) == 4


def test_an_edge_to_a_refused_memory_is_left_out_and_listed():
    store, refused = made_store(), []
    ids = store.remember([
        Draft("a", links=[Link(CAUSED_BY, 1), Link(CAUSED_BY, 2)]),
        Draft("", links=[Link(CAUSED_BY, 0)]), Draft("c"),
        Draft("d", links=[Link(CAUSED_BY, STRANGE)]),
    ], 1, refused)  # fmt: skip
    assert [memory.content for memory in store.get(ids)] == ["a", "c"]
    assert edges_of(store) == [(ids[0], ids[1], CAUSED_BY, 1.0)]
    assert [(one.place, one.problem.split(",")[0]) for one in refused] == [
        (1, "content is empty"), (3, "an edge leads to a memory that is not there"),
        (0, "its edge to memory 1"),
    ]  # fmt: skip
    assert all(isinstance(one, Refused) and one.cure for one in refused)
