"""What durability=normal may lose with the power, and what no durability may."""

import shutil

import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.durable.auditing import problems
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.errors import DamagedStoreError
from tests.memory.made import held, made_added

WAL = f"{schema.DATABASE}-wal"


def after_a_power_cut(folder, durability, *, left=0, checkpoint=False):
    """Three commits, the last two after an opening; of the WAL so many bytes are on the disk."""
    live = folder.parent / "live"
    journal = DurableJournal.open(live, 4, durability=durability)
    journal.commit(Change(1, added=made_added(20)))
    journal.close()
    journal = DurableJournal.open(live, durability=durability)
    journal.commit(Change(2, added=made_added(5, seed=1, start_us=10**12)))
    if checkpoint:
        journal.settle()
    journal.commit(Change(3, facts={"last": True}))
    shutil.copytree(live, folder)
    journal.close()
    with (folder / WAL).open("r+b") as wal:
        wal.truncate(left)
    return folder


@pytest.mark.parametrize("mode", ["read", "write"])
def test_commits_that_the_system_had_not_written_are_told_and_the_rest_is_opened(
    tmp_path, caplog, mode
):
    folder = after_a_power_cut(tmp_path / "store", "normal")
    journal = DurableJournal.open(folder, mode=mode)
    assert len(held(journal)["memories"]) == 20
    assert "2 commits are missing that the operating system had not yet written" in caplog.text
    assert len(journal.losses) == 1
    journal.close()
    if mode == "write":
        assert problems(folder) == []
        assert DurableJournal.open(folder).losses == ()


def test_what_a_checkpoint_brought_to_the_disk_must_be_there_under_normal_too(tmp_path):
    folder = after_a_power_cut(tmp_path / "store", "normal", checkpoint=True)
    assert Mark(folder).read_both() == (3, 2)
    journal = DurableJournal.open(folder)
    assert len(held(journal)["memories"]) == 25
    assert "1 commits are missing" in journal.losses[0]
    journal.close()
    older = after_a_power_cut(tmp_path / "other" / "store", "normal", checkpoint=False)
    shutil.copyfile(folder.parent / "live" / "acknowledged", older / "acknowledged")
    with pytest.raises(DamagedStoreError, match="2 commits are missing that were acknowledged"):
        DurableJournal.open(older)


def test_under_full_a_wal_that_is_gone_is_damage(tmp_path):
    folder = after_a_power_cut(tmp_path / "store", "full")
    with pytest.raises(DamagedStoreError, match="2 commits are missing that were acknowledged"):
        DurableJournal.open(folder)


def test_a_store_may_go_from_one_durability_to_the_other(tmp_path):
    for commits, durability in enumerate(("full", "normal", "full", "normal")):
        journal = DurableJournal.open(tmp_path, 4, durability=durability)
        assert Mark(tmp_path).read_both() == (commits, commits)
        journal.commit(Change(commits, facts={"n": commits}))
        on_disk = commits + 1 if durability == "full" else commits
        assert Mark(tmp_path).read_both() == (commits + 1, on_disk)
        assert journal.losses == ()
        journal.close()
        assert Mark(tmp_path).read_both() == (commits + 1, commits + 1)
