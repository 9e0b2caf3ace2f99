from hashlib import sha256

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.operations import Criteria
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.values import Draft, EdgeKind, Kind, Link
from tests.memory.stores import DAY, EAST, edges_of, made_store

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])


def contents(store):
    rows = np.flatnonzero(store.state.alive)
    return [memory.content for memory in store.get(store.state.ids_of(rows))]


@BOTH
def test_an_entity_with_5_of_8_memories_loses_5(rules):
    store = made_store(rules)
    store.remember([Draft(f"{place}", entity_id="ab"[place >= 5]) for place in range(8)], 1)
    found = store.forget(Criteria(entity_id="a"), 2)
    assert (found.count, found.cascaded, found.truncated, len(found.ids)) == (5, 0, False, 5)
    assert contents(store) == ["5", "6", "7"]
    assert store.state.entity_number("a") == -1


@BOTH
def test_3_of_10_go_oldest_first_and_the_rest_is_told(rules):
    store = made_store(rules)
    store.remember([Draft(f"{place}", entity_id="a") for place in range(10)], 1)
    found = store.forget(Criteria(entity_id="a", most=3), 2)
    assert (found.count, found.truncated) == (3, True)
    assert contents(store) == list("3456789")
    assert not store.forget(Criteria(entity_id="a", most=7), 3).truncated


def test_forget_most_is_how_many_go_a_call_by_criteria_but_not_by_ids():
    store = made_store(forget_most=2)
    ids = store.remember([Draft("a", entity_id="a")] * 6, 1)
    assert store.forget(Criteria(entity_id="a"), 2).count == 2
    assert store.forget(ids, 3).count == 4
    assert (OBSERVED.forget_most, DOCUMENTED.forget_most) == (1000, 100_000)


@BOTH
def test_an_id_that_is_not_there_is_no_error(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a"), 1)
    assert store.forget([id, id], 2).count == 1
    found = store.forget([id], 3)
    assert (found.count, found.missing) == (0, 1)
    assert store.forget(Criteria(ids=[id]), 4).missing == 1
    assert store.state.clock_us == 2  # nothing was changed


@BOTH
def test_a_memory_with_one_old_state_takes_it_along(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a"), 1)
    id = store.revise(id, 2, content="b")
    found = store.forget([id], 3)
    assert (found.count, found.cascaded) == (1, 1)
    assert contents(store) == []


@BOTH
def test_old_states_stay_when_the_rules_say_so(rules):
    store = made_store(rules, forget_revisions=False)
    (id,) = store.remember(Draft("a"), 1)
    id = store.revise(id, 2, content="b")
    assert store.forget([id], 3).cascaded == 0
    assert contents(store) == ["a"]


def test_a_newer_state_and_a_state_that_another_memory_superseded_stay():
    store = made_store()
    (first,) = store.remember(Draft("v0"), 1)
    second = store.revise(first, 2, content="v1")
    (other,) = store.remember(Draft("w", links=[Link(EdgeKind.REVISED_FROM, first)]), 3)
    assert store.forget([second], 4).cascaded == 0
    assert contents(store) == ["v0", "w"]
    assert store.forget([first], 5).count == 1
    assert contents(store) == ["w"]
    assert store.lineage(other).gone[0].id == first


@pytest.mark.parametrize(
    ("criteria", "left"),
    [
        (Criteria(accessed_before_us=3), "bd"), (Criteria(access_count_below=1), "bd"),
        (Criteria(access_count_below=2), ""), (Criteria(kind=Kind.INSIGHT), "abd"),
        (Criteria(decay_score_below=0.5), "bcd"), (Criteria(stale=True), "abd"),
        (Criteria(stale=False), "c"), (Criteria(kind=Kind.EPISODE, access_count_below=1), "bcd"),
        (Criteria(entity_id="x", kind=Kind.EPISODE, decay_score_below=0.95), "cd"),
        (Criteria(entity_id="nobody"), "abcd"),
    ],
)  # fmt: skip
def test_criteria_hold_together(criteria, left):
    store = made_store(forget_insights="keep", insight_stale=True, importance_boost=0.0)
    source, a, b, c, d = store.remember([
        Draft("s"), Draft("a", 0.2, entity_id="x"), Draft("b", 0.9, entity_id="x"),
        Draft("c", 0.5, kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0)]),
        Draft("d", 0.95, entity_id="y"),
    ], 1)  # fmt: skip
    store.revise(source, 2, content="t")
    store.forget([source, *store.state.ids_of(np.array([5]))], 2)
    store.reinforce([b, d], 3)
    store.forget(criteria, 4)
    assert "".join(contents(store)) == left
    assert a < c


def test_no_criterion_is_refused():
    store = made_store()
    with pytest.raises(InputError, match="no criterion"):
        store.forget(Criteria(most=3), 1)
    with pytest.raises(InputError, match="most=0"):
        store.forget(Criteria(stale=True, most=0), 1)
    with pytest.raises(InputError, match="kind 9"):
        store.forget(Criteria(kind=9), 1)


def test_insights_are_marked_forgotten_or_left_alone():
    drafts = [Draft("a"), Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0)]),
              Draft("j", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 1)]),
              Draft("b")]  # fmt: skip
    for policy, told, left, stale in (
        ("mark", (1, 0, 1, 1), "ijb", [True, False, False]),
        ("forget", (1, 2, 0, 0), "b", [False]),
        ("keep", (1, 0, 0, 1), "ijb", [False] * 3),
    ):
        store = made_store(forget_insights=policy)
        ids = store.remember(drafts, 1)
        found = store.forget(ids[:1], 2)
        assert (found.count, found.cascaded, found.marked, found.standing) == told
        assert "".join(contents(store)) == left
        assert store.state.column("stale")[store.state.alive].tolist() == stale


def test_an_insight_that_was_stale_before_is_told_although_it_is_not_marked_again():
    store = made_store(forget_insights="mark")
    (old,) = store.remember(Draft("a"), 1)
    store.remember(Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, old)]), 2)
    new = store.revise(old, 3, content="b")
    found = store.forget([new], 4)
    assert (found.marked, found.standing) == (0, 1)


def test_an_insight_from_an_old_state_is_found_through_the_cascade():
    store = made_store(forget_insights="forget")
    (old,) = store.remember(Draft("a"), 1)
    store.remember(Draft("i", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, old)]), 2)
    new = store.revise(old, 3, content="b")
    assert store.forget([new], 4).cascaded == 2
    assert contents(store) == []


def test_nothing_of_a_forgotten_memory_is_left_but_a_salted_hash():
    store = made_store()
    secret = "the secret of ada"
    a, b, c = store.remember([
        Draft(secret, context={"key": "sesame"}, entity_id="ada", vector=EAST),
        Draft(secret, entity_id="ada"), Draft("c", links=[Link(EdgeKind.CAUSED_BY, 0)]),
    ], 1)  # fmt: skip
    store.forget(Criteria(entity_id="ada", decay_score_below=0.75), DAY)
    stones = store.journal.tombstones()
    assert list(stones.ids) == [a, b]
    assert stones.time_us.tolist() == [DAY, DAY]
    assert list(stones.reason) == ["criteria: entity_id, decay_score_below=0.75"] * 2
    assert len(set(stones.salt)) == len(set(stones.digest)) == 2
    assert list(stones.digest) == [sha256(salt + secret.encode()).digest() for salt in stones.salt]
    assert edges_of(store) == []
    assert not store.state.vectors.take(store.state.rows_of(Ids.parse([c]))).any()
    held = repr([vars(change) for change in store.journal.load()])
    assert "secret" not in held
    assert "sesame" not in held
    assert "ada" not in list(store.state.entities)
    with pytest.raises(MemoryNotFoundError):
        store.get([a])


def test_forgetting_ends_in_a_rewrite_by_the_rules():
    for vacuum in (True, False):
        store, calls = made_store(vacuum=vacuum), []
        store.journal.compact = lambda calls=calls: calls.append(1)
        (id,) = store.remember(Draft("a"), 1)
        store.forget([id], 2)
        store.forget([id], 3)  # nothing to forget, nothing to give back
        assert len(calls) == vacuum


@BOTH
def test_tombstones_are_collected_after_90_days(rules):
    store = made_store(rules)
    (id,) = store.remember(Draft("a"), 0)
    store.forget([id], 0)
    assert store.collect_tombstones(90 * DAY) == 0
    assert store.collect_tombstones(90 * DAY + 1) == 1
    assert len(store.journal.tombstones().ids) == 0
    assert made_store(tombstone_days=1.0).rules.tombstone_days == 1


def test_tombstone_days_are_a_switch():
    store = made_store(tombstone_days=1.0)
    store.forget(store.remember(Draft("a"), 0), 0)
    assert store.collect_tombstones(DAY + 1) == 1


def test_the_id_of_a_forgotten_memory_is_never_given_again():
    store = made_store()
    (a,) = store.remember(Draft("a"), 5)
    store.forget([a], 5)
    (b,) = store.remember(Draft("b"), 5)
    assert b > a
