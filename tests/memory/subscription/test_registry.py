import pytest

from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.subscription import Subscriptions
from tests.memory.subscription.made import Store, hears, said


def test_beyond_the_most_a_subscription_is_refused():
    store = Store()
    registry = Subscriptions(2)
    first = registry.open(store)
    registry.open(store)
    with pytest.raises(StoreError, match="Close one"):
        registry.open(store)
    first.close()
    registry.open(store)
    assert len(registry) == 2


def test_a_hundred_may_be_open():
    store = Store()
    for _ in range(100):
        store.subscribe()
    with pytest.raises(StoreError, match="100"):
        store.subscribe()


def test_each_has_its_own_pushes():
    store = Store()
    store.say("sail", "rain")
    one, two = store.subscribe(), store.subscribe()
    assert hears(one, "sail", 10) == ["sail"]
    assert hears(two, "rain sail", 10) == ["rain", "sail"]


def test_one_that_fails_on_a_change_reaches_neither_the_writer_nor_the_others():
    store = Store()
    broken, whole = store.subscribe(), store.subscribe()
    hears(whole, "sail", 1)
    broken.meet = lambda at_us: 1 / 0
    store.say("sail")
    assert said(whole.drain()) == ["sail"]


def test_closing_all_closes_each():
    store = Store()
    opened = [store.subscribe() for _ in range(3)]
    store.subscriptions.close()
    assert all(one.closed for one in opened)
    assert len(store.subscriptions) == 0
