"""One thread at a time is in an object that threads share."""

import threading
import time

from hebb_lab.threads import Shared


class Purse(Shared):
    """Money that two threads would lose without a lock."""

    def __init__(self):
        super().__init__()
        self.coins = 0

    def add(self):
        """Put a coin in."""
        self._put(self.held + 1)

    def add_two(self):
        self.add()
        self.add()

    def _put(self, coins):
        time.sleep(1e-4)
        self.coins = coins

    @property
    def held(self):
        """How many."""
        return self.coins


class Wallet(Purse):
    def pay(self):
        self._put(self.coins - 1)


def together(*acts):
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_coin_is_lost_between_threads():
    purse = Purse()
    together(*[purse.add_two] * 20)
    assert purse.held == 40


def test_a_subclass_waits_for_what_it_has_from_its_parent():
    wallet = Wallet()
    together(*[wallet.add] * 20, *[wallet.pay] * 20)
    assert wallet.held == 0


def test_a_property_waits_and_what_is_private_does_not():
    purse, seen = Purse(), []
    with purse.lock:
        waiting = threading.Thread(target=lambda: seen.append(purse.held))
        waiting.start()
        free = threading.Thread(target=lambda: purse._put(5))
        free.start()
        free.join(60)
        assert (purse.coins, seen) == (5, [])
    waiting.join(60)
    assert seen == [5]


def test_methods_keep_their_names_and_words():
    assert (Purse.add.__name__, Purse.add.__doc__) == ("add", "Put a coin in.")
    assert Purse.held.__doc__ == "How many."
