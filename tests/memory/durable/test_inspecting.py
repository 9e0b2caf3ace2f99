"""Damage: it is named, nothing is written over it, and what is whole can be kept."""

import random
import shutil

import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, salvage, schema
from hebb_lab.memory.durable.files.mark import NAME as MARK
from hebb_lab.memory.durable.inspecting import inspect
from hebb_lab.memory.errors import DamagedStoreError, StoreError
from hebb_lab.memory.ids import Ids
from tests.memory.journals import filled
from tests.memory.made import held, made_added

DATABASE, WAL = schema.DATABASE, f"{schema.DATABASE}-wal"


def store(folder, *, count=300):
    """A store whose last commit is in the WAL only, as a killed process leaves it."""
    live = folder.parent / "live"
    journal = DurableJournal.open(live, 4)
    journal.commit(Change(1, added=made_added(count)))
    journal.close()
    journal = DurableJournal.open(live)
    journal.commit(Change(2, added=made_added(count, seed=1, start_us=10**12)))
    journal.commit(Change(3, facts={"last": True}))
    whole = held(journal)
    shutil.copytree(live, folder)
    journal.close()
    shutil.rmtree(live)
    assert (folder / WAL).stat().st_size
    return whole


def contents_of(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name[-4:] != "-shm"}


@pytest.fixture
def folder(tmp_path):
    store(tmp_path / "store")
    return tmp_path / "store"


def test_a_store_without_damage_is_opened_and_looking_changes_no_byte(folder):
    before = contents_of(folder)
    assert inspect(folder, keep=False).losses == ()
    assert contents_of(folder) == before
    assert len(held(DurableJournal.open(folder))["memories"]) == 600


@pytest.mark.parametrize("left", [0, 31, 32, 5000, 20_000])
def test_a_wal_that_is_cut_off_is_told_by_the_commits_that_are_missing(folder, left):
    with (folder / WAL).open("r+b") as file:
        file.truncate(left)
    before = contents_of(folder)
    for mode in ("read", "write"):
        with pytest.raises(DamagedStoreError, match=r"2 commits are missing.*salvage"):
            DurableJournal.open(folder, mode=mode)
    assert contents_of(folder) == before
    kept = DurableJournal.open(folder, damaged="keep")
    assert len(held(kept)["memories"]) == 300
    assert kept.losses == ("2 commits are missing that were acknowledged",)
    kept.close()
    assert DurableJournal.open(folder).losses == ()


def test_a_wal_that_is_gone_is_told(folder):
    (folder / WAL).unlink()
    with pytest.raises(DamagedStoreError, match="2 commits are missing"):
        DurableJournal.open(folder)


def test_an_old_copy_of_the_database_is_told(tmp_path):
    journal = filled("durable", tmp_path)
    journal.close()
    old = (tmp_path / DATABASE).read_bytes()
    journal = DurableJournal.open(tmp_path)
    journal.commit(Change(70, added=made_added(1, seed=8)))
    journal.close()
    (tmp_path / DATABASE).write_bytes(old)
    with pytest.raises(DamagedStoreError, match="1 commits are missing"):
        DurableJournal.open(tmp_path)


@pytest.mark.parametrize("left", [0, 1, 100, 16_384, 40_000])
def test_a_database_that_is_cut_off_is_refused_by_name(folder, left):
    (folder / WAL).unlink()
    with (folder / DATABASE).open("r+b") as file:
        file.truncate(left)
    for mode in ("read", "write"):
        with pytest.raises(DamagedStoreError):
            DurableJournal.open(folder, mode=mode)


def test_a_database_that_is_gone_is_told_by_the_mark(folder):
    (folder / DATABASE).unlink()
    (folder / WAL).unlink()
    with pytest.raises(DamagedStoreError, match="the database is gone, with 3 commits"):
        DurableJournal.open(folder, 4)


def test_a_mark_that_is_behind_is_moved_on(folder):
    from hebb_lab.memory.durable.files.mark import Mark

    mark = Mark(folder)
    mark.write(1)
    mark.close()
    assert DurableJournal.open(folder).losses == ()
    assert Mark(folder).read() == 3


def test_a_mark_that_is_missing_is_warned_of_and_made_anew(folder, caplog):
    (folder / MARK).unlink()
    DurableJournal.open(folder).close()
    assert "mark" in caplog.text
    assert (folder / MARK).exists()


@pytest.mark.parametrize("place", range(20))
def test_a_mark_with_a_flipped_byte_is_refused_or_kept_by_wish(folder, place):
    mark = bytearray((folder / MARK).read_bytes())
    mark[place] ^= 4
    (folder / MARK).write_bytes(mark)
    with pytest.raises(DamagedStoreError, match="mark"):
        DurableJournal.open(folder)
    journal = DurableJournal.open(folder, damaged="keep")
    assert len(journal.losses) == 1
    journal.close()
    assert len(held(DurableJournal.open(folder))["memories"]) == 600


@pytest.mark.parametrize("name", [DATABASE, WAL])
def test_a_flipped_byte_is_named_or_changes_nothing_that_is_read(tmp_path, name):
    whole = store(tmp_path / "store", count=60)
    rng = random.Random(5)
    named = 0
    for attempt in range(60):
        folder = tmp_path / str(attempt)
        shutil.copytree(tmp_path / "store", folder)
        data = bytearray((folder / name).read_bytes())
        place = rng.randrange(100) if attempt < 20 else rng.randrange(len(data))
        data[place] ^= 1 << rng.randrange(8)
        (folder / name).write_bytes(data)
        try:
            journal = DurableJournal.open(folder)
            found = held(journal)
        except StoreError:
            named += 1
        else:
            assert found == whole
    assert named


@pytest.mark.parametrize("name", [DATABASE, WAL])
def test_what_salvage_keeps_is_whole_and_what_it_loses_is_counted(tmp_path, name):
    whole = store(tmp_path / "store", count=60)
    rng = random.Random(6)
    kept = []
    for attempt in range(30):
        folder = tmp_path / str(attempt)
        shutil.copytree(tmp_path / "store", folder)
        data = bytearray((folder / name).read_bytes())
        place = rng.randrange(len(data) - 200)
        data[place : place + 200] = rng.randbytes(200)
        (folder / name).write_bytes(data)
        try:
            found = salvage(folder, tmp_path / f"out {attempt}")
        except DamagedStoreError:
            continue
        saved = held(DurableJournal.open(tmp_path / f"out {attempt}"))["memories"]
        kept.append(len(saved))
        assert found.kept == len(saved)
        assert saved.items() <= whole["memories"].items()
        assert len(saved) == 120 or found.losses
    assert max(kept) == 120
    assert len(kept) >= 20


def test_a_damaged_row_is_named_by_its_id_and_left_out_where_the_rest_is_kept(tmp_path):
    journal = filled("durable", tmp_path)
    whole = held(journal)["memories"]
    journal.close()
    data = (tmp_path / DATABASE).read_bytes()
    place = data.index(b"memory 0-17 said")
    (tmp_path / DATABASE).write_bytes(data[:place] + b"M" + data[place + 1 :])
    name = next(part for part, row in whole.items() if row[0].startswith("memory 0-17 "))
    (shown,) = Ids.from_bytes([name])
    journal = DurableJournal.open(tmp_path)
    with pytest.raises(DamagedStoreError, match=f"{shown}.*salvage {tmp_path} OUT"):
        list(journal.load())
    with pytest.raises(DamagedStoreError, match=shown):
        journal.contents(Ids.from_bytes([name]))
    assert len(journal.check()) == 2
    journal.close()
    keeping = DurableJournal.open(tmp_path, mode="read", damaged="keep")
    assert held(keeping)["memories"] == {part: row for part, row in whole.items() if part != name}
    assert any(shown in loss for loss in keeping.losses)
