"""The head of a store's database: how it must be, and that no wrong bit there hides a memory."""

import shutil

import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, salvage, schema
from hebb_lab.memory.durable.files.head import right_head, set_right
from hebb_lab.memory.durable.files.mark import NAME as MARK
from hebb_lab.memory.errors import DamagedStoreError
from tests.memory.journals import filled
from tests.memory.made import held, made_added

HEAD = 100
WAL = f"{schema.DATABASE}-wal"


def with_bit(folder, out, place, bit):
    shutil.copytree(folder, out)
    data = bytearray((out / schema.DATABASE).read_bytes())
    data[place] ^= bit
    (out / schema.DATABASE).write_bytes(data)
    return out


def left_behind(folder):
    """A store whose writer was killed: a part is in the database, the rest in the WAL."""
    journal = filled("durable", folder.with_name("live"))
    journal.settle()
    journal.commit(Change(10**12, added=made_added(40, seed=7, start_us=10**12)))
    shutil.copytree(folder.with_name("live"), folder)
    whole = held(journal)
    journal.close()
    assert (folder / WAL).stat().st_size
    return whole


def closed(folder):
    journal = filled("durable", folder)
    whole = held(journal)
    journal.close()
    return whole


@pytest.mark.parametrize(
    ("made", "bits"), [(closed, [0x10] * HEAD), (left_behind, [1 << n % 8 for n in range(HEAD)])]
)
def test_no_wrong_bit_in_the_head_hides_a_memory(tmp_path, made, bits):
    whole = made(tmp_path / "store")
    for place, bit in enumerate(bits):
        bad = with_bit(tmp_path / "store", tmp_path / f"bad{place}", place, bit)
        before = (bad / schema.DATABASE).read_bytes()
        found = salvage(bad, tmp_path / "out" / str(place))
        assert found.kept == len(whole["memories"]), place
        assert held(DurableJournal.open(tmp_path / "out" / str(place))) == whole, place
        assert (bad / schema.DATABASE).read_bytes() == before
    assert not list((tmp_path / "out").glob(".salvage-*"))


def test_a_head_that_is_gone_whole_is_told_and_all_comes_back(tmp_path):
    whole = closed(tmp_path / "store")
    data = (tmp_path / "store" / schema.DATABASE).read_bytes()
    (tmp_path / "store" / schema.DATABASE).write_bytes(b"\xff" * HEAD + data[HEAD:])
    with pytest.raises(DamagedStoreError, match=r'damaged="keep" cannot open it.*salvage'):
        DurableJournal.open(tmp_path / "store", mode="read", damaged="keep")
    found = salvage(tmp_path / "store", tmp_path / "out")
    assert any("head of the database" in loss for loss in found.losses)
    assert held(DurableJournal.open(tmp_path / "out")) == whole


def test_the_head_of_a_whole_store_is_right_and_no_copy_is_made(tmp_path):
    closed(tmp_path / "store")
    data = (tmp_path / "store" / schema.DATABASE).read_bytes()
    assert right_head(data[:HEAD], len(data)) == data[:HEAD]
    with set_right(tmp_path / "store", tmp_path / "none") as place:
        assert place == tmp_path / "store"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("gone", ["cut", "deleted"])
def test_what_the_wal_holds_of_a_database_that_is_gone_comes_back(tmp_path, gone):
    journal = DurableJournal.open(tmp_path / "live", 4)
    for step in range(3):  # nothing is forgotten, so that all stays in the WAL
        journal.commit(Change(step, added=made_added(400, seed=step, start_us=10**10 * (step + 1))))
    whole = held(journal)
    shutil.copytree(tmp_path / "live", tmp_path / "store")
    journal.close()
    file = tmp_path / "store" / schema.DATABASE
    file.write_bytes(b"") if gone == "cut" else file.unlink()
    log = (tmp_path / "store" / WAL).read_bytes()
    with pytest.raises(DamagedStoreError, match="salvage"):
        DurableJournal.open(tmp_path / "store")
    assert salvage(tmp_path / "store", tmp_path / "out").kept == 1200
    assert held(DurableJournal.open(tmp_path / "out"))["memories"] == whole["memories"]
    assert (tmp_path / "store" / WAL).read_bytes() == log


@pytest.mark.parametrize("gone", ["cut", "deleted"])
def test_a_database_that_is_gone_is_said_to_need_a_backup_and_not_salvage(tmp_path, gone):
    closed(tmp_path / "store")
    file = tmp_path / "store" / schema.DATABASE
    file.write_bytes(b"") if gone == "cut" else file.unlink()
    for damaged in ("refuse", "keep"):
        with pytest.raises(DamagedStoreError, match="gone, with") as caught:
            DurableJournal.open(tmp_path / "store", damaged=damaged)
        assert "backup" in caught.value.cure
    with pytest.raises(DamagedStoreError, match="nothing of the database can be read") as caught:
        salvage(tmp_path / "store", tmp_path / "out")
    assert "backup" in caught.value.cure
    assert "salvage" not in caught.value.cure
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "store" / MARK).exists()


def test_a_database_cut_off_is_said_to_need_salvage_which_helps(tmp_path):
    journal = DurableJournal.open(tmp_path / "store", 4)
    journal.commit(Change(1, added=made_added(2000)))
    journal.close()
    file = tmp_path / "store" / schema.DATABASE
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 9 // 10])
    for mode in ("read", "write"):
        with pytest.raises(DamagedStoreError, match=r'damaged="keep" cannot.*salvage'):
            DurableJournal.open(tmp_path / "store", mode=mode, damaged="keep")
    assert 0 < salvage(tmp_path / "store", tmp_path / "out").kept < 2000
