"""How a store is opened or made."""

import sqlite3

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.memory import Draft, MemoryStore
from hebb_lab.memory.durable import DurableJournal, salvage, schema
from hebb_lab.memory.durable.auditing import problems
from hebb_lab.memory.durable.files.lock import WriterLock
from hebb_lab.memory.errors import (
    DamagedStoreError,
    StoreBusyError,
    StoreError,
    StoreReadOnlyError,
)
from hebb_lab.memory.volatile import VolatileJournal
from tests.memory.journals import CHANGES, filled
from tests.memory.made import held


def test_a_new_store_needs_the_length_of_vectors_and_no_folder_is_made_without(tmp_path):
    for how in ({}, {"mode": "read"}, {"mode": "read", "dimensions": 4}):
        with pytest.raises(StoreError, match="no store"):
            DurableJournal.open(tmp_path / "new", **how)
    assert not (tmp_path / "new").exists()


def test_folders_are_made_on_the_way(tmp_path):
    DurableJournal.open(tmp_path / "a" / "b ü'%20?#", 3).close()
    assert DurableJournal.open(tmp_path / "a" / "b ü'%20?#", 3, mode="read").dimensions == 3


@pytest.mark.parametrize("mode", ["read", "write"])
def test_another_length_of_vectors_than_the_stores_is_refused(tmp_path, mode):
    filled("durable", tmp_path).close()
    with pytest.raises(ConfigError, match="vectors of 4, not 5"):
        DurableJournal.open(tmp_path, 5, mode=mode)
    DurableJournal.open(tmp_path, 4).close()


@pytest.mark.parametrize("dimensions", [0, -1, 100_000])
def test_a_length_that_no_vector_has_is_refused(tmp_path, dimensions):
    with pytest.raises(ConfigError, match="out of range"):
        DurableJournal.open(tmp_path, dimensions)


@pytest.mark.parametrize("dimensions", [1.5, 4.0, "4", True, np.float32(4), np.bool_(True)])
def test_what_is_no_whole_number_is_no_length_and_nothing_is_made(tmp_path, dimensions):
    for mode in ("write", "read"):
        with pytest.raises(ConfigError, match="whole number"):
            DurableJournal.open(tmp_path / "new", dimensions, mode=mode)
    assert not (tmp_path / "new").exists()
    with pytest.raises(ConfigError, match="whole number"):
        VolatileJournal(dimensions)


def test_a_length_of_numpy_is_a_length(tmp_path):
    DurableJournal.open(tmp_path, np.int64(4)).close()
    assert type(DurableJournal.open(tmp_path).facts["dimensions"]) is int
    assert VolatileJournal(np.int64(4)).dimensions == 4


def test_a_path_that_is_a_file_is_refused_by_name(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreError, match=r"a file stands where.*path of a folder"):
            DurableJournal.open(path, 4)
    for how in ({}, {"mode": "read"}):
        with pytest.raises(StoreError, match="a file stands where"):
            DurableJournal.open(tmp_path / "file", **how)
    with pytest.raises(StoreError, match="a file stands where"):
        salvage(tmp_path / "file", tmp_path / "out")


@pytest.mark.parametrize("how", [{}, {"dimensions": 4}, {"mode": "read"}])
def test_a_store_whose_database_is_gone_is_not_taken_for_none(tmp_path, how):
    filled("durable", tmp_path).close()
    (tmp_path / schema.DATABASE).unlink()
    with pytest.raises(DamagedStoreError, match=rf"gone, with {len(CHANGES)} commits"):
        DurableJournal.open(tmp_path, **how)


def test_a_database_of_another_program_is_refused(tmp_path):
    other = sqlite3.connect(tmp_path / schema.DATABASE)
    other.execute("CREATE TABLE things (name TEXT)")
    other.close()
    before = (tmp_path / schema.DATABASE).read_bytes()
    with pytest.raises(DamagedStoreError, match="none of memories"):
        DurableJournal.open(tmp_path, 4)
    assert (tmp_path / schema.DATABASE).read_bytes() == before


def test_a_store_of_a_newer_version_is_refused_by_name(tmp_path):
    filled("durable", tmp_path).close()
    newer = sqlite3.connect(tmp_path / schema.DATABASE)
    newer.execute("ALTER TABLE memories ADD COLUMN mood REAL")
    newer.execute("PRAGMA user_version = 3")
    newer.close()
    for mode in ("read", "write"):
        with pytest.raises(StoreError, match="version 3"):
            DurableJournal.open(tmp_path, mode=mode)


ALTERED = {
    "a column more": "ALTER TABLE memories ADD COLUMN mood REAL",
    "another name": "ALTER TABLE texts RENAME COLUMN content TO said",
    "a table less": "DROP TABLE texts",
    "tombstones gone": "DROP TABLE tombstones",
}


@pytest.mark.parametrize("damaged", ["refuse", "keep"])
@pytest.mark.parametrize("statement", ALTERED.values(), ids=ALTERED)
def test_tables_that_are_not_those_of_their_version_are_refused_by_name(
    tmp_path, statement, damaged
):
    filled("durable", tmp_path / "store").close()
    other = sqlite3.connect(tmp_path / "store" / schema.DATABASE)
    other.execute(statement)
    other.close()
    for mode in ("read", "write"):
        with pytest.raises(StoreError, match="not those of version 2"):
            DurableJournal.open(tmp_path / "store", mode=mode, damaged=damaged)
    with pytest.raises(StoreError, match="not those of version 2"):
        salvage(tmp_path / "store", tmp_path / "out")
    assert any("not those of version 2" in one for one in problems(tmp_path / "store"))


def test_a_store_that_says_version_1_without_its_tables_is_refused_by_name(tmp_path):
    filled("durable", tmp_path).close()
    other = sqlite3.connect(tmp_path / schema.DATABASE)
    other.execute("DROP TABLE edges")
    other.execute("PRAGMA user_version = 1")
    other.close()
    with pytest.raises(StoreError, match="not those of version 1"):
        DurableJournal.open(tmp_path)


def test_a_sqlite_that_is_too_old_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(schema, "LEAST_SQLITE", (99, 1, 0))
    with pytest.raises(StoreError, match=r"too old.*99\.1\.0"):
        DurableJournal.open(tmp_path, 4)


def test_a_store_whose_making_was_cut_short_is_made_anew(tmp_path):
    begun = sqlite3.connect(tmp_path / schema.DATABASE, isolation_level=None)
    begun.execute("PRAGMA journal_mode = WAL")
    begun.execute("BEGIN")
    begun.execute("CREATE TABLE memories (id)")
    begun.close()
    journal = DurableJournal.open(tmp_path, 4)
    journal.commit(CHANGES[0])
    assert journal.check() == []


def test_a_failed_opening_lets_go_of_the_lock(tmp_path):
    filled("durable", tmp_path).close()
    with pytest.raises(ConfigError):
        DurableJournal.open(tmp_path, 9)
    WriterLock(tmp_path).release()


def test_the_settings_are_those_that_durability_and_forgetting_need(tmp_path):
    def settings(journal):
        names = ("journal_mode", "synchronous", "secure_delete", "page_size")
        return [journal._db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    journal = DurableJournal.open(tmp_path, 4)
    assert settings(journal) == [b"wal", 2, 1, schema.PAGE_BYTES]
    journal.close()
    again = DurableJournal.open(tmp_path, durability="normal")
    assert settings(again) == [b"wal", 1, 1, schema.PAGE_BYTES]


def test_a_wal_that_a_killed_process_left_is_emptied_at_once(tmp_path):
    journal = filled("durable", tmp_path)
    wal = tmp_path / f"{schema.DATABASE}-wal"
    left = wal.read_bytes()
    database = (tmp_path / schema.DATABASE).read_bytes()
    journal.close()
    assert left
    wal.write_bytes(left)
    (tmp_path / schema.DATABASE).write_bytes(database)
    again = DurableJournal.open(tmp_path)
    assert wal.stat().st_size == 0
    assert held(again) == held(filled("volatile", None))


def test_a_reader_of_a_disk_that_cannot_be_written_reads_without_locks(tmp_path, monkeypatch):
    filled("durable", tmp_path).close()
    whole = held(DurableJournal.open(tmp_path, mode="read"))
    no_writing(monkeypatch)
    reader = DurableJournal.open(tmp_path, mode="read")
    assert held(reader) == whole
    assert not reader.changed()


def test_commits_in_the_wal_of_such_a_disk_are_not_passed_over(tmp_path, monkeypatch):
    journal = filled("durable", tmp_path)
    assert (tmp_path / f"{schema.DATABASE}-wal").stat().st_size
    no_writing(monkeypatch)
    with pytest.raises(StoreReadOnlyError, match="WAL"):
        DurableJournal.open(tmp_path, mode="read")
    monkeypatch.undo()
    journal.close()


def no_writing(monkeypatch):
    """As a disk that cannot be written answers: no index of the WAL can be made."""
    from hebb_lab.memory.durable.files import connecting

    connected = connecting.connected

    def refused(folder, access, **how):
        if access == "ro":
            return connected(folder / "nowhere", access, **how)
        return connected(folder, access, **how)

    monkeypatch.setattr(connecting, "connected", refused)


def test_a_relative_path_stays_the_same_store_when_the_folder_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with MemoryStore.open("store", dimensions=2) as store:
        ids = store.remember([Draft("one"), Draft("two")], 1)
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert store.forget(ids[:1], 2).count == 1
        store.export(tmp_path / "tables")
        assert store.check() == []
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_nothing_is_acknowledged_by_a_database_that_is_no_longer_there(tmp_path, how):
    folder, other = tmp_path / "store", tmp_path / "other"
    with MemoryStore.open(other, dimensions=2):
        pass
    with MemoryStore.open(folder, dimensions=2) as store:
        store.remember(Draft("one"), 1)
        if how == "deleted":
            (folder / schema.DATABASE).unlink()
        elif how == "moved":
            folder.rename(tmp_path / "away")
        else:
            (other / schema.DATABASE).replace(folder / schema.DATABASE)
        with pytest.raises(DamagedStoreError, match="deleted, moved or replaced"):
            store.remember(Draft("two"), 2)
        assert store.state.count == 1


def test_a_writer_that_slipped_past_the_lock_is_noticed(tmp_path):
    folder = tmp_path / "store"
    first = MemoryStore.open(folder, dimensions=2)
    first.remember(Draft("one"), 1)
    (folder / "writer.lock").unlink()
    with MemoryStore.open(folder) as second:
        second.remember(Draft("two"), 2)
    with pytest.raises(StoreBusyError, match="another writer"):
        first.remember(Draft("three"), 3)
    first.close()
    with MemoryStore.open(folder) as store:
        assert (store.state.count, store.check()) == (2, [])
