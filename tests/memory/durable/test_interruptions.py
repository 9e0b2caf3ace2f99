"""A write that is interrupted: the store goes on, and state and files say the same."""

import signal
import sqlite3

import numpy as np
import pytest

from hebb_lab.memory import Draft, MemoryStore
from hebb_lab.memory.durable import DurableJournal, settling
from hebb_lab.memory.durable.files import connecting
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.durable.rows import writing
from hebb_lab.memory.state import State
from tests.memory.journals import CHANGES
from tests.memory.made import held


class StoppedError(BaseException):
    """As KeyboardInterrupt."""


def stopping(monkeypatch, owner, name, *, after):
    """Interrupt the next call of a function, before it or after it."""
    real = getattr(owner, name)

    def stopped(*args, **settings):
        monkeypatch.setattr(owner, name, real)
        if after:
            real(*args, **settings)
        raise StoppedError

    monkeypatch.setattr(owner, name, stopped)


POINTS = {
    "before a row": (writing, "write", False),
    "before COMMIT": (writing, "write", True),
    "in COMMIT": (connecting.Transaction, "__exit__", False),
    "after COMMIT": (connecting.Transaction, "__exit__", True),
    "before the mark": (Mark, "write", False),
    "after the mark": (Mark, "write", True),
    "before the checkpoint": (settling, "settle", False),
    "after the checkpoint": (settling, "settle", True),
    "in a transaction of the rewrite": (settling, "set_facts", False),
    "in the rewrite": (settling, "compact", False),
    "before it is applied": (State, "apply", False),
    "after it is applied": (State, "apply", True),
}


def written(folder):
    store = MemoryStore.open(folder, dimensions=4, rng=np.random.default_rng(0))
    ids = store.remember([Draft(f"said {n}", vector=np.eye(4)[n % 4]) for n in range(8)], 1)
    return store, ids


def contents(store):
    alive = np.flatnonzero(store.state.alive)
    return sorted(one.content for one in store.get(store.state.ids_of(alive)))


@pytest.mark.parametrize("point", POINTS)
def test_a_forgetting_that_is_interrupted_is_done_or_not_in_state_and_files(
    tmp_path, monkeypatch, point
):
    store, ids = written(tmp_path)
    stopping(monkeypatch, *POINTS[point][:2], after=POINTS[point][2])
    with pytest.raises(StoppedError):
        store.forget(ids[:3], 2)
    kept = len(contents(store))
    assert kept == (8 if list(POINTS).index(point) < 3 else 5)
    assert len(held(store.journal)["memories"]) == kept
    assert store.refresh() is False
    store.remember(Draft("after it"), 3)
    assert store.check() == []
    if kept == 5:
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert b"said 1" not in files
    before = contents(store)
    store.close()
    with MemoryStore.open(tmp_path) as again:
        assert contents(again) == before
        assert len(before) == kept + 1
        assert again.check() == []


def test_a_second_interruption_while_the_first_is_mended_is_mended_too(tmp_path, monkeypatch):
    store, _ = written(tmp_path)
    stopping(monkeypatch, connecting.Transaction, "__exit__", after=True)
    from hebb_lab.memory.durable import opening

    stopping(monkeypatch, opening, "checked_facts", after=False)
    with pytest.raises(StoppedError):
        store.remember(Draft("one more"), 2)
    stopping(monkeypatch, State, "apply", after=False)
    with pytest.raises(StoppedError):
        _ = store.state
    assert len(contents(store)) == 9
    store.remember(Draft("and one"), 3)
    assert store.check() == []


def test_a_reader_of_the_state_is_told_by_refresh_that_it_was_read_anew(tmp_path, monkeypatch):
    store, _ = written(tmp_path)
    stopping(monkeypatch, Mark, "write", after=False)
    with pytest.raises(StoppedError):
        store.remember(Draft("one more"), 2)
    assert store.refresh() is True
    assert store.refresh() is False


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers of the system")
def test_a_store_that_signals_interrupt_at_any_time_stays_whole(tmp_path):
    store, ids = written(tmp_path)
    store.forget(ids[:1], 1)  # what is compiled is compiled now
    rng = np.random.default_rng(3)

    def ring(_number, _frame):
        raise StoppedError

    before = signal.signal(signal.SIGALRM, ring)
    stopped = 0
    try:
        for step in range(150):
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-4, 6e-3))
                ids = store.remember([Draft(f"step {step}"), Draft(f"other {step}")], step + 2)
                store.forget(ids[:1], step + 2)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except StoppedError:
                stopped += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert len(held(store.journal)["memories"]) == np.count_nonzero(store.state.alive)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert stopped
    store.remember(Draft("the end"), 200)
    assert store.check() == []
    whole = contents(store)
    store.close()
    with MemoryStore.open(tmp_path) as again:
        assert contents(again) == whole
        assert again.check() == []


def test_a_checkpoint_that_fails_does_not_undo_what_was_acknowledged(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    for change in CHANGES[:5]:
        journal.commit(change)
    real = journal._db
    journal._connection = Malformed(real)
    journal.commit(CHANGES[5])
    assert "malformed" in journal.unfinished[0]
    journal._connection = real
    journal.commit(CHANGES[6])
    assert journal.unfinished == ()
    assert journal.check() == []


class Malformed:
    """A connection whose checkpoint finds the database malformed."""

    def __init__(self, db):
        self.db = db

    def execute(self, statement, *values):
        if "wal_checkpoint" in statement:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return self.db.execute(statement, *values)

    def __getattr__(self, name):
        return getattr(self.db, name)
