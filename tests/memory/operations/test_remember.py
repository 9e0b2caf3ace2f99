import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.published import OBSERVED
from hebb_lab.memory.values import Batch, Draft, EdgeKind, Kind, Link
from tests.memory.stores import DAY, EAST, NORTH, Letters, made_store


def test_a_new_memory_begins_as_the_page_says():
    store = made_store()
    (id,) = store.remember(Draft("a", context={"b": 1}, entity_id="ada"), DAY)
    (memory,) = store.get([id])
    assert (memory.content, memory.context, memory.entity_id) == ("a", {"b": 1}, "ada")
    assert memory.kind is Kind.EPISODE
    assert memory.importance == memory.decay_score == 0.5
    assert memory.created_us == memory.updated_us == memory.accessed_us == DAY
    assert (memory.access_count, memory.clock) == (0, 0)
    assert not memory.superseded
    assert not memory.stale


def test_a_memory_may_come_as_any_kind():
    store = made_store()
    ids = store.remember([Draft("a", kind=kind) for kind in Kind], 1)
    assert [memory.kind for memory in store.get(ids)] == list(Kind)


@pytest.mark.parametrize("importance", [1.1, -0.1, float("nan"), float("inf")])
def test_an_importance_outside_0_to_1_is_refused_with_a_cure(importance):
    store = made_store()
    with pytest.raises(InputError, match=r"importance .* is not in \[0, 1\]\. Give 0 to 1\."):
        store.remember(Draft("a", importance), 1)
    assert store.state.count == 0


def test_65536_bytes_are_kept_and_one_more_is_refused():
    store = made_store()
    (id,) = store.remember(Draft("a" * 65_536), 1)
    assert len(store.get([id])[0].content) == 65_536
    with pytest.raises(InputError, match="65537 bytes"):
        store.remember(Draft("a" * 65_537), 2)


def test_a_record_without_a_vector_stays_under_500_bytes():
    store = made_store(dimensions=1)
    store.remember([Draft(f"the memory number {place}") for place in range(100)], 1)
    assert store.journal.byte_count() / 100 < 500


def test_equal_microseconds_are_kept_in_the_order_of_ids():
    store = made_store()
    ids = [store.remember(Draft(f"{place}"), 7)[0] for place in range(20)]
    ids += list(store.remember([Draft("x"), Draft("y")], 7))
    assert ids == sorted(ids)
    assert len(set(ids)) == 22


def test_a_clock_that_goes_back_is_refused_or_kept_by_the_rules():
    store = made_store()
    store.remember(Draft("a"), 2 * DAY)
    with pytest.raises(InputError, match="clock goes back"):
        store.remember(Draft("b"), DAY)
    store = made_store(clock_back="keep")
    a, b = (store.remember(Draft("a"), time)[0] for time in (2 * DAY, DAY))
    assert store.get([b])[0].created_us == DAY
    assert a < b  # ids still ascend


def test_a_batch_is_kept_whole_or_not_at_all():
    store = made_store()
    drafts = [Draft("a"), Draft(""), Draft("c"), Draft("d", 2.0)]
    with pytest.raises(InputError, match=r"2 of 4 .*memory 1: content is empty; memory 3: imp"):
        store.remember(drafts, 1)
    assert store.state.count == 0
    refused = []
    ids = store.remember(drafts, 1, refused)
    assert [memory.content for memory in store.get(ids)] == ["a", "c"]
    assert [one.place for one in refused] == [1, 3]


def test_a_batch_of_which_nothing_is_left_changes_nothing():
    store, refused = made_store(), []
    assert len(store.remember([Draft("")], 1, refused)) == 0
    assert len(store.remember([], 1)) == 0
    assert len(refused) == 1
    assert store.state.version == 0


def test_each_memory_of_a_batch_has_its_own_time():
    store = made_store()
    ids = store.remember(Batch(["a", "b"], time_us=np.array([3, 5])), 9)
    assert [memory.created_us for memory in store.get(ids)] == [3, 5]
    assert store.state.clock_us == 9


def test_the_embedder_is_asked_only_where_no_vector_is_given():
    embedder = Letters()
    store = made_store(embedder=embedder)
    store.remember([Draft("ab"), Draft("given", vector=NORTH), Draft("zzz")], 1)
    assert embedder.asked == ["ab", "zzz"]
    vectors = store.state.vectors.take(np.arange(3))
    assert np.allclose(vectors, [[0.5**0.5, 0.5**0.5, 0, 0], NORTH, [0] * 4])
    assert store.state.has_vector.tolist() == [True, True, False]


def test_without_an_embedder_a_memory_may_have_no_vector():
    store = made_store()
    store.remember([Draft("a"), Draft("b", vector=EAST)], 1)
    assert store.state.has_vector.tolist() == [False, True]


def test_vectors_are_brought_to_length_1():
    store = made_store()
    store.remember(Draft("a", vector=np.array([3, 4, 0, 0])), 1)
    assert np.allclose(store.state.vectors.take(np.array([0])), [[0.6, 0.8, 0, 0]])


def test_an_edge_revised_from_supersedes_its_target_by_the_page_alone():
    drafts = [Draft("a"), Draft("b", links=[Link(EdgeKind.REVISED_FROM, 0)])]
    for rules, within in ((made_store().rules, [True, False]), (OBSERVED, [False, False])):
        store = made_store(rules)
        ids = store.remember(drafts, 1)
        assert [memory.superseded for memory in store.get(ids)] == within
        store.remember(Draft("c", links=[Link(EdgeKind.REVISED_FROM, ids[1])]), 2)
        assert store.get(ids)[1].superseded == within[0]
        (late,) = store.remember(
            Draft("d", links=[Link(EdgeKind.REVISED_FROM, ids[0], incoming=True)]), 3
        )
        assert store.get([late])[0].superseded == within[0]


def test_what_a_new_memory_supersedes_makes_its_insights_stale():
    for stale in (True, False):
        store = made_store(insight_stale=stale)
        old, insight = store.remember(
            [Draft("a"), Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0)])], 1
        )
        store.remember(Draft("b", links=[Link(EdgeKind.REVISED_FROM, old)]), 2)
        assert store.get([insight])[0].stale == stale


def test_100000_memories_with_edges_come_in_as_one_change():
    count = 100_000
    rng = np.random.default_rng(0)
    store = made_store(dimensions=2)
    links = {place: [Link(EdgeKind.FOLLOWED_BY, place - 1, incoming=True)]
             for place in range(1, count, 10)}  # fmt: skip
    ids = store.remember(
        Batch([f"{place}" for place in range(count)], importance=rng.random(count),
              entities=[f"e{place % 7}" for place in range(count)], links=links), DAY,
    )  # fmt: skip
    assert len(ids) == store.state.count == count
    assert len(store.state.edges) == count // 10
    assert store.get(ids[77_777:77_778])[0].content == "77777"
    assert len(store.state.rows_of_entity(store.state.entity_number("e3"))) == 14_286


def test_the_same_seed_gives_the_same_ids():
    assert list(made_store(seed=5).remember([Draft("a")] * 3, DAY)) == list(
        made_store(seed=5).remember([Draft("a")] * 3, DAY)
    )
