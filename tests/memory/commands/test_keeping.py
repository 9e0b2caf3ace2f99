"""Commands that write to a store."""

from hebb_lab.memory.__main__ import main
from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.ids import Ids
from tests.memory.made import DAY_US, held, made_added


def test_compact_prints_the_bytes_before_and_after(store, capsys):
    assert main(["compact", str(store)]) == 0
    assert "bytes before" in capsys.readouterr().out


def test_forget_forgets_for_good(store, capsys):
    memories = held(DurableJournal.open(store, mode="read"))["memories"]
    key = next(part for part, row in memories.items() if row[0].startswith("memory 0-17 "))
    (name,) = Ids.from_bytes([key])
    assert main(["forget", str(store), name, "--at", str(DAY_US)]) == 0
    assert capsys.readouterr().out.startswith("1 forgotten")
    assert b"memory 0-17 " not in (store / schema.DATABASE).read_bytes()
    assert key in [stone[0] for stone in held(DurableJournal.open(store))["stones"]]


def test_what_a_reader_still_holds_is_said_and_1(tmp_path, capsys):
    journal = DurableJournal.open(tmp_path, 4)
    journal.commit(Change(1, added=made_added(9000)))
    journal.close()
    loading = DurableJournal.open(tmp_path, mode="read").load()
    next(loading)
    assert main(["compact", str(tmp_path)]) == 1
    assert "a reader holds the WAL" in capsys.readouterr().out
