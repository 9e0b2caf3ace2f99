"""What salvage brings into a new store, and what it does not."""

import shutil

import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, Salvaged, salvage, schema
from hebb_lab.memory.errors import DamagedStoreError, StoreError
from tests.memory.journals import filled
from tests.memory.made import held, made_added, made_tombstones

WAL = f"{schema.DATABASE}-wal"


def test_a_whole_store_is_copied_whole_and_nothing_is_lost(tmp_path):
    journal = filled("durable", tmp_path / "store")
    whole = held(journal)
    journal.close()
    assert salvage(tmp_path / "store", tmp_path / "out") == Salvaged(52, ())
    assert held(DurableJournal.open(tmp_path / "out")) == whole
    assert held(DurableJournal.open(tmp_path / "store")) == whole


def test_a_wal_that_broke_over_a_newer_database_is_left_aside(tmp_path):
    journal = DurableJournal.open(tmp_path / "live", 4)
    for step in range(5):
        journal.commit(Change(step, added=made_added(30, seed=step, start_us=10**10 * (step + 1))))
    whole = held(journal)
    journal._db.execute("PRAGMA wal_checkpoint(PASSIVE)")  # all is in the database too
    shutil.copytree(tmp_path / "live", tmp_path / "store")
    journal.close()
    wal = bytearray((tmp_path / "store" / WAL).read_bytes())
    wal[len(wal) // 2] ^= 1
    (tmp_path / "store" / WAL).write_bytes(wal)
    with pytest.raises(DamagedStoreError):
        DurableJournal.open(tmp_path / "store")
    found = salvage(tmp_path / "store", tmp_path / "out")
    assert found.kept == 150
    assert held(DurableJournal.open(tmp_path / "out")) == whole


def test_what_has_a_tombstone_does_not_come_back(tmp_path):
    journal = DurableJournal.open(tmp_path / "store", 4)
    added = made_added(9)
    journal.commit(Change(1, added=added, tombstones=made_tombstones(added.ids[2:4])))
    journal.close()
    found = salvage(tmp_path / "store", tmp_path / "out")
    assert found.kept == 7
    memories = held(DurableJournal.open(tmp_path / "out"))["memories"]
    assert set(memories) == set(added.ids.to_bytes()) - set(added.ids[2:4].to_bytes())


def test_nothing_is_written_over_and_nothing_comes_from_nothing(tmp_path):
    filled("durable", tmp_path / "store").close()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("")
    with pytest.raises(StoreError, match="not empty"):
        salvage(tmp_path / "store", tmp_path / "out")
    with pytest.raises(StoreError, match="no store"):
        salvage(tmp_path / "none", tmp_path / "new")
    (tmp_path / "none").mkdir()
    with pytest.raises(StoreError):
        salvage(tmp_path / "none", tmp_path / "new")
    (tmp_path / "store" / schema.DATABASE).write_bytes(b"no database " * 5000)
    with pytest.raises(DamagedStoreError):
        salvage(tmp_path / "store", tmp_path / "new")
