"""One thread at a time is in an object that threads share."""

import os
import subprocess
import sys
import threading
import time

import pytest

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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_copy_that_fork_made_does_not_wait_for_threads_that_it_has_not():
    script = (
        "import os, signal, threading\n"
        "from hebb_lab.threads import Shared\n"
        "one, inside, go = Shared(), threading.Event(), threading.Event()\n"
        "def hold():\n"
        "    with one.lock:\n"
        "        inside.set(); go.wait()\n"
        "thread = threading.Thread(target=hold); thread.start(); inside.wait()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    signal.alarm(20)\n"
        "    with one.lock:\n"
        "        os._exit(5)\n"
        "status = os.waitpid(child, 0)[1]; go.set(); thread.join()\n"
        "assert status == 5 << 8, status\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
