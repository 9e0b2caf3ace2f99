"""Stores of version 1 become stores of version 2, whole or not at all."""

import os
import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.durable.rows import writing
from hebb_lab.memory.errors import StoreError, StoreFullError
from hebb_lab.memory.values import EdgeKind, Kind
from tests.memory.durable.old import write_version_1
from tests.memory.made import held, made_added

ADDED = made_added(50)
KEYS = ADDED.ids.to_bytes()
EDGES = [
    (KEYS[40], KEYS[3], int(EdgeKind.INSIGHT_FROM), 0.5, 7),
    (KEYS[2], KEYS[1], int(EdgeKind.CAUSED_BY), 1.0, 8),
]
STONES = [(b"\1" * 16, 5, b"s" * 16, b"d" * 32, "ids")]
FACTS = {"dimensions": 4, "sequence": 6, "clock_us": 77, "cursor": ["ü", 1]}


def old(folder):
    write_version_1(folder, ADDED, EDGES, STONES, FACTS)
    return folder


def test_everything_of_version_1_is_there_in_version_2(tmp_path):
    journal = DurableJournal.open(old(tmp_path))
    found = held(journal)
    assert list(found["memories"]) == KEYS
    names = list(ADDED.scalars)
    for row, part in enumerate(KEYS):
        memory = found["memories"][part]
        assert memory[:3] == tuple(column[row] for column in ADDED.texts[:3])
        assert memory[3] == ADDED.texts.vectors[row].tobytes()
        numbers = dict(zip(names, memory[4:], strict=True))
        assert numbers["stale"] is False
        assert numbers["reflected"] is (row == 3)
        for name in set(names) - {"stale", "reflected"}:
            assert numbers[name] == ADDED.scalars[name][row].item()
    assert found["edges"] == EDGES
    assert found["stones"] == STONES
    assert found["clock_us"] == 77
    assert found["facts"] == {"cursor": ["ü", 1], "highest_id": KEYS[-1].hex()}
    assert journal.facts["sequence"] == 6
    assert journal.check() == []


def test_a_migrated_store_goes_on_as_any_other(tmp_path):
    journal = DurableJournal.open(old(tmp_path))
    more = made_added(3, seed=2, last=ADDED.ids.array[-1])
    journal.commit(Change(80, added=more, forgotten=ADDED.ids[:2]))
    journal.compact()
    journal.close()
    journal = DurableJournal.open(tmp_path)
    assert len(held(journal)["memories"]) == 51
    assert journal.check() == []


def test_a_reader_does_not_migrate_but_says_what_would(tmp_path):
    with pytest.raises(StoreError, match=r"version 1.*Open it once for writing"):
        DurableJournal.open(old(tmp_path), mode="read")


def test_an_empty_store_of_version_1_migrates(tmp_path):
    none = made_added(0)
    write_version_1(tmp_path, none, [], [], {"dimensions": 4, "sequence": 0, "clock_us": -1})
    journal = DurableJournal.open(tmp_path)
    assert list(journal.load()) == []
    journal.commit(Change(1, added=ADDED))


def test_a_migration_that_fails_leaves_version_1(tmp_path, monkeypatch):
    def full(*_):
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = 13
        raise error

    monkeypatch.setattr(writing, "bury", full)
    with pytest.raises(StoreFullError):
        DurableJournal.open(old(tmp_path))
    monkeypatch.undo()
    assert version(tmp_path) == 1
    assert len(held(DurableJournal.open(tmp_path))["memories"]) == 50


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a kill that cannot be caught")
@pytest.mark.parametrize("steps", [1, 3, 8, 12, 20, 60, 70, 75, 80, 90])
def test_a_process_that_is_killed_while_migrating_leaves_one_version_whole(tmp_path, steps):
    subprocess.run([sys.executable, "-c", KILLED, str(old(tmp_path)), str(steps)], check=False)
    assert version(tmp_path) in {1, 2}
    journal = DurableJournal.open(tmp_path)
    assert np.array_equal(list(held(journal)["memories"]), KEYS)
    assert held(journal)["edges"] == EDGES
    assert journal.check() == []
    assert int(Kind.EPISODE) == 1


KILLED = f"""
import os, signal, sqlite3, sys
from hebb_lab.memory.durable import DurableJournal, opening
made, left = opening.migrate, [int(sys.argv[2])]
def step(statement):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), {int(getattr(signal, "SIGKILL", 9))})
def migrate(db):
    db.set_trace_callback(step)
    made(db)
opening.migrate = migrate
DurableJournal.open(sys.argv[1])
os.kill(os.getpid(), 9)
"""


def version(folder):
    db = sqlite3.connect(os.fspath(folder / schema.DATABASE))
    (found,) = db.execute("PRAGMA user_version").fetchone()
    db.close()
    return found
