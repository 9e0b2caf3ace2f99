import numpy as np

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.subscription.scope import Scope, pushable
from hebb_lab.memory.values import Kind
from tests.memory.subscription.made import SECOND, Store


def made():
    store = Store()
    store.say("sail", at=1, entity="ada")
    store.say("rain", at=2, entity="bob", kind=[2])
    store.say("bread", at=3)
    return store


def rows(scope, **switches):
    store = made()
    rules = DOCUMENTED.change(**switches)
    found = scope.rows(store.state, rules)
    every = np.arange(store.state.count)
    assert np.flatnonzero(scope.holds(store.state, rules, every)).tolist() == found.tolist()
    return found.tolist()


def test_without_a_scope_everything_is_in_it():
    assert rows(Scope()) == [0, 1, 2]


def test_an_entity_sees_its_own_and_by_rule_what_has_none():
    assert rows(Scope("ada")) == [0, 2]
    assert rows(Scope("ada"), unscoped_shared=False) == [0]


def test_an_entity_that_no_memory_has_sees_only_what_has_none():
    assert rows(Scope("eve")) == [2]
    assert rows(Scope("eve"), unscoped_shared=False) == []


def test_kinds_and_times_narrow_it():
    assert rows(Scope(kinds=(Kind.INSIGHT,))) == [1]
    assert rows(Scope(since_us=2 * SECOND)) == [1, 2]
    assert rows(Scope(until_us=2 * SECOND)) == [0]


def test_what_is_forgotten_is_in_no_scope():
    store = made()
    store.forget(1)
    assert Scope().rows(store.state, DOCUMENTED).tolist() == [0, 2]


def test_superseded_and_stale_memories_are_pushed_only_where_recall_finds_them():
    store = made()
    store.set(0, superseded=True)
    store.set(1, stale=True)
    every = np.arange(3)
    assert pushable(store.state, DOCUMENTED, every).tolist() == [False, True, True]
    rules = DOCUMENTED.change(superseded_recalled=True, stale_recalled=False)
    assert pushable(store.state, rules, every).tolist() == [True, False, True]
