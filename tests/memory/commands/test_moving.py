"""Commands that bring memories from one place to another."""

from hebb_lab.memory.__main__ import main
from hebb_lab.memory.durable import DurableJournal
from tests.memory.made import held


def test_a_store_goes_to_parquet_and_comes_back(store, tmp_path, capsys):
    assert main(["export", str(store), str(tmp_path / "out")]) == 0
    assert main(["import", str(tmp_path / "out"), str(tmp_path / "new")]) == 0
    assert "52 memories" in capsys.readouterr().out
    assert held(DurableJournal.open(tmp_path / "new")) == held(DurableJournal.open(store))
    assert main(["import", str(tmp_path / "out"), str(store)]) == 2
    assert "not empty" in capsys.readouterr().err


def test_salvage_prints_what_it_keeps_and_what_is_lost(store, tmp_path, capsys):
    journal = DurableJournal.open(store)
    journal._db.execute("UPDATE texts SET content = 'x' WHERE place = 3")
    journal.close()
    assert main(["salvage", str(store), str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("51 memories are in")
    assert "lost: memory" in printed
