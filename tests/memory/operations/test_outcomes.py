import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.values import Cues, Draft, EdgeKind
from tests.memory.stores import EAST, edges_of, made_store


def filled(rules=DOCUMENTED, **switches):
    store = made_store(rules, **switches)
    ids = store.remember([Draft(f"{place}", vector=EAST) for place in range(3)], 1)
    return store, list(ids)


def counts(store, ids):
    return [memory.access_count for memory in store.get(ids)]


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])
@pytest.mark.parametrize("times", range(1, 6))
def test_k_recalls_are_k_accesses_and_the_last_one_is_kept(rules, times):
    store, ids = filled(rules)
    for time in range(times):
        store.recall(Cues(vectors=EAST[None]), 10 + time)
    assert counts(store, ids) == [times] * 3
    assert [memory.accessed_us for memory in store.get(ids)] == [9 + times] * 3


def test_each_question_of_a_batch_counts():
    store, ids = filled()
    store.recall(Cues(vectors=EAST[None].repeat(4, 0)), 2, k=1)
    assert sorted(counts(store, ids)) == [0, 0, 4]


def test_recall_reinforces_by_the_rules_or_as_it_is_told():
    for mode, reinforce, expected in (
        ("on", None, 1), ("off", None, 0), ("outcome", None, 0), ("on", False, 0), ("off", True, 1)
    ):  # fmt: skip
        store, ids = filled(reinforcement=mode)
        store.recall(Cues(vectors=EAST[None]), 2, reinforce=reinforce)
        assert counts(store, ids) == [expected] * 3


def test_an_outcome_names_what_helped_each_time_it_did():
    for mode, expected in (("outcome", [2, 0, 1]), ("on", [2, 0, 1]), ("off", [0, 0, 0])):
        store, ids = filled(reinforcement=mode)
        store.reinforce([ids[0], ids[2], ids[0]], 5)
        assert counts(store, ids) == expected


def test_only_named_pairs_are_linked_by_an_outcome():
    for mode, recalled, named in (("off", 0, 0), ("all_pairs", 3, 3), ("outcome", 0, 1)):
        store, ids = filled(co_recall=mode)
        store.recall(Cues(vectors=EAST[None]), 2)
        assert len(edges_of(store)) == recalled
        store.reinforce([], 3, pairs=[(ids[0], ids[1])])
        assert len(edges_of(store)) == named
        assert {edge[2] for edge in edges_of(store)} <= {EdgeKind.RELATED_TO}


def test_nothing_named_changes_nothing():
    store, _ = filled()
    store.reinforce([], 2)
    assert store.state.version == 1


def test_what_is_not_there_cannot_have_helped():
    store, ids = filled()
    store.forget(ids[:1], 2)
    with pytest.raises(MemoryNotFoundError):
        store.reinforce(ids, 3)
    with pytest.raises(MemoryNotFoundError):
        store.reinforce([], 3, pairs=[ids[:2]])


def test_a_recall_that_reinforces_may_not_go_back_in_time_one_that_reads_may():
    store, ids = filled()
    store.reinforce(ids, 10)
    with pytest.raises(InputError, match="goes back"):
        store.recall(Cues(vectors=EAST[None]), 5)
    assert len(store.recall(Cues(vectors=EAST[None]), 5, reinforce=False).hits()) == 3
    assert store.state.clock_us == 10
