"""What no call of a store takes is refused by a named error with a cure, and nothing is changed."""

import pytest

from hebb_lab.errors import ConfigError, HebbLabError
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.operations import Criteria
from hebb_lab.memory.reflection import command_writer
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.subscription import stream
from hebb_lab.memory.values import Batch, Draft
from tests.memory.stores import DAY, Letters, made_store

NAN = float("nan")


def refuses(call):
    """Whether a call on a store of two memories is refused, and leaves it as it was."""
    store = made_store(embedder=Letters())
    first = store.remember([Draft("abc"), Draft("bcd")], DAY)[0]
    version = store.state.version
    with pytest.raises(HebbLabError) as caught:
        call(store, first)
    assert caught.value.problem
    assert caught.value.cure
    assert store.state.version == version


@pytest.mark.parametrize("drafts", [
    None, 5, "abc", [5], Batch(5), Batch("ab"), Batch(["a"], entities=5), Batch(["a"], links=5),
    Batch(["a"], links={0: 5}), Batch(["a"], kinds=[[]]), Draft("a", links=5), Draft(None),
])  # fmt: skip
def test_what_is_no_memory_is_not_remembered(drafts):
    refuses(lambda store, _: store.remember(drafts, DAY))


@pytest.mark.parametrize("ids", [None, 5, "x", [5], {"a": 1}])
def test_what_is_no_id_is_refused(ids):
    refuses(lambda store, _: store.forget(ids, DAY))
    refuses(lambda store, _: store.get(ids))
    refuses(lambda store, _: store.reinforce(ids, DAY))
    refuses(lambda store, _: store.reinforce([], DAY, pairs=[ids]))


def test_what_a_reader_does_not_know_yet_is_found_after_refresh():
    store = made_store()
    with pytest.raises(MemoryNotFoundError, match=r"refresh\(\)"):
        store.get(["01ARZ3NDEKTSV4RRFFQ69G5FAV"])


@pytest.mark.parametrize("criterion", [
    {"decay_score_below": "x"}, {"decay_score_below": NAN}, {"decay_score_below": True},
    {"accessed_before_us": "x"}, {"accessed_before_us": 1.5}, {"access_count_below": 1.5},
    {"entity_id": 5}, {"entity_id": ""}, {"stale": "x"}, {"kind": "x"}, {"kind": 9}, {"ids": 5},
])  # fmt: skip
def test_criteria_that_no_memory_could_meet_are_refused(criterion):
    refuses(lambda store, _: store.forget(Criteria(**criterion), DAY))


@pytest.mark.parametrize("half_lives", ["30", ["30"], 30, [NAN], [0], [[1]], [True], [1, [2]]])
def test_half_lives_are_a_list_of_days(half_lives):
    refuses(lambda store, _: store.sweep(DAY, half_lives))


def test_the_time_of_a_sweep_is_a_time():
    refuses(lambda store, _: store.sweep("x"))


@pytest.mark.parametrize(
    "wanted", [{"least_importance": "x"}, {"least_importance": NAN}, {"entity": 7}, {"most": 0}]
)
def test_insights_are_asked_for_by_what_they_could_have(wanted):
    refuses(lambda store, _: store.insights(**wanted))


@pytest.mark.parametrize("wanted", [{"entity": 7}, {"entity": ""}, {"writer": 5}])
def test_a_reflection_has_an_entity_and_a_writer(wanted):
    refuses(lambda store, _: store.reflect(DAY, **wanted))


@pytest.mark.parametrize("wanted", [
    {"threshold": "x"}, {"threshold": True}, {"threshold": NAN}, {"budget_pushes": "3"},
    {"budget_pushes": 1.5}, {"budget_tokens": True}, {"kinds": 1}, {"kinds": ([],)}, {"k": 5},
    {"callback": 5}, {"since_us": "a"}, {"since_us": 5, "until_us": 5}, {"entity": 5},
])  # fmt: skip
def test_a_subscription_is_asked_for_by_what_it_has(wanted):
    refuses(lambda store, _: store.subscribe(**wanted))
    refuses(lambda store, _: list(stream(store, [(DAY, "abc")], **wanted)))


@pytest.mark.parametrize("pieces", [5, "abc", [5], [(DAY, None)], [(DAY, "a", 3)], [("x", "a")]])
def test_a_stream_is_made_of_pairs(pieces):
    refuses(lambda store, _: list(stream(store, pieces)))


@pytest.mark.parametrize("rules", [None, "observed", 5, {}])
def test_rules_are_a_rule_set(rules, tmp_path):
    with pytest.raises(ConfigError, match="Give DOCUMENTED"):
        MemoryStore.in_memory(4, rules=rules)
    with pytest.raises(ConfigError, match="Give DOCUMENTED"):
        MemoryStore.open(tmp_path / "store", dimensions=4, rules=rules)
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("dimensions", [0, -1, "4", True, 1.5, None])
def test_a_store_in_memory_has_a_length_of_vectors(dimensions):
    with pytest.raises(HebbLabError):
        MemoryStore.in_memory(dimensions)


def test_what_helped_together_is_two_memories_at_least():
    refuses(lambda store, first: store.reinforce([], DAY, pairs=[(first, first)]))
    refuses(lambda store, first: store.reinforce([], DAY, pairs=[(first,)]))
    refuses(lambda store, first: store.reinforce([], DAY, pairs=5))


@pytest.mark.parametrize("timeout_s", [-1, 0, NAN, "x", True])
def test_a_command_has_some_time(timeout_s):
    with pytest.raises(ConfigError, match="timeout_s"):
        command_writer(["true"], timeout_s=timeout_s)


@pytest.mark.parametrize("asked", [{"context": 5}, {"cue": 5}, {"vector": "x"}, {"k": 0}])
def test_a_priming_is_asked_by_what_it_has(asked):
    refuses(lambda store, _: store.prime("ada", DAY, **asked))


def test_revisions_are_revisions():
    refuses(lambda store, _: store.revise(5, DAY, content="x"))
    refuses(lambda store, _: store.revise_all(5, DAY))
    refuses(lambda store, _: store.revise_all([5], DAY))
    refuses(lambda store, first: store.revise(first, DAY, links=5))
    refuses(lambda store, first: store.revise(first, DAY, vector="x"))
