"""Disks that are full or cannot be written, other processes, files cut off and altered."""

import pytest

from hebb_lab.memory.durable import DurableJournal, salvage
from hebb_lab.memory.errors import DamagedStoreError
from tests.memory.crash import alterations, faults
from tests.memory.crash.alterations import DATABASE, LOCK, MARK, SHM, WAL
from tests.memory.crash.contents import contents_of

IN_WAL = [(DATABASE, True), (WAL, True), (MARK, True), (SHM, True)]
FILES = [*IN_WAL, (DATABASE, False), (MARK, False)]


@pytest.fixture(scope="module")
def bases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bases")
    made = {}
    for wal in (True, False):
        base = folder / str(wal)
        made[wal] = base, alterations.made_store(base, wal=wal)
    return made


@pytest.mark.parametrize(("name", "wal"), FILES)
def test_a_file_that_is_cut_off_is_refused_by_name_or_nothing_is_missing(
    bases, tmp_path, name, wal
):
    tally = alterations.truncations(*bases[wal], name, 10, 1, tmp_path)
    assert tally.wrong == []
    assert tally.tried == tally.whole + tally.refused > 10


@pytest.mark.parametrize(("name", "wal"), FILES)
def test_an_altered_byte_is_refused_by_name_or_changes_nothing(bases, tmp_path, name, wal):
    tally = alterations.flips(*bases[wal], name, 30, 2, tmp_path)
    assert tally.wrong == []
    assert tally.tried == tally.whole + tally.refused >= 20


def test_a_file_that_is_gone_is_refused_by_name_or_nothing_is_missing(tmp_path):
    tally = faults.missing_files(tmp_path, 3)
    assert tally.wrong == []
    assert tally.refused >= 2


def test_the_test_finds_a_memory_that_is_another(bases, tmp_path):
    base, wanted = bases[False]
    name = next(iter(wanted["memories"]))
    other = {**wanted, "memories": {**wanted["memories"], name: ("another",)}}
    tally = alterations.Tally()
    alterations.try_altered(alterations._copied(base, tmp_path), other, tally, "nothing")
    assert len(tally.wrong) == 2


def test_an_old_copy_of_the_database_is_told_from_the_newest(tmp_path):
    alterations.made_store(tmp_path / "old", wal=False)
    alterations.made_store(tmp_path / "new", wal=False)
    journal = DurableJournal.open(tmp_path / "new")
    journal.commit(faults.Change(99, added=faults.added(99)))
    journal.close()
    (tmp_path / "old" / DATABASE).rename(tmp_path / "new" / DATABASE)
    with pytest.raises(DamagedStoreError, match="1 commits are missing"):
        DurableJournal.open(tmp_path / "new")


def test_garbage_in_the_lock_is_named(bases, tmp_path):
    folder = alterations._copied(bases[False][0], tmp_path)
    (folder / LOCK).write_bytes(b"garbage" * 1000)
    with pytest.raises(DamagedStoreError, match="Delete it"):
        DurableJournal.open(folder)


def test_salvage_keeps_what_stands_before_the_cut(bases, tmp_path):
    base, wanted = bases[False]
    folder = alterations._copied(base, tmp_path)
    alterations.cut(folder, DATABASE, (base / DATABASE).stat().st_size - 1)
    told = salvage(folder, tmp_path / "out")
    assert told.kept == len(wanted["memories"]) - 1
    assert any("1 of" in one and "missing" in one for one in told.losses)


def test_salvage_leaves_edges_of_lost_memories_out(bases, tmp_path):
    base, wanted = bases[False]
    folder = alterations._copied(base, tmp_path)
    victim = wanted["edges"][0][0]
    content = wanted["memories"][victim][0].encode()
    place = (folder / DATABASE).read_bytes().index(content[:40])
    alterations.flip(folder, DATABASE, place, 1)
    told = salvage(folder, tmp_path / "out")
    journal = DurableJournal.open(tmp_path / "out")
    held, problems = contents_of(journal), journal.check(dangling_edges="refuse")
    journal.close()
    assert victim not in held["memories"]
    assert all(victim not in edge[:2] for edge in held["edges"])
    assert problems == []
    assert any("edges of memories that are lost" in one for one in told.losses)


def test_on_a_full_disk_nothing_that_was_acknowledged_is_lost_and_it_can_be_written_again(tmp_path):
    problems = faults.full_disk(tmp_path)
    if problems is None:
        pytest.skip("no file system may be mounted here")
    assert problems == []


def test_where_files_may_not_grow_nothing_that_was_acknowledged_is_lost(tmp_path):
    assert faults.limited_files(tmp_path) == []


@pytest.mark.parametrize("wal", [False, True])
def test_a_read_only_disk_is_read_or_refused_by_name(tmp_path, wal):
    problems = faults.read_only_disk(tmp_path, wal=wal)
    if problems is None:
        pytest.skip("no file system may be mounted here")
    assert problems == []


def test_a_second_writer_is_refused(tmp_path):
    assert faults.two_writers(tmp_path / "store") == []


def test_readers_beside_a_writer_see_one_commit_each_time(tmp_path):
    problems, reads, commits = faults.readers_beside_a_writer(tmp_path / "store", 3, 1.5)
    assert problems == []
    assert reads > 3
    assert commits > 3
