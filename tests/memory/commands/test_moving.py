"""Commands that bring memories from one place to another."""

import subprocess
import sys

import pytest

from hebb_lab.memory.__main__ import main
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.errors import StoreError
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


@pytest.mark.parametrize("command", ["import", "salvage"])
def test_a_making_that_is_stopped_after_its_first_commit_leaves_no_store(
    store, tmp_path, monkeypatch, command, capsys
):
    assert main(["export", str(store), str(tmp_path / "out")]) == 0
    source = {"import": tmp_path / "out", "salvage": store}[command]
    real, commits = DurableJournal.commit, []

    def stopped(journal, change):
        commits.append(change)
        if len(commits) == 2:
            raise KeyboardInterrupt
        real(journal, change)

    monkeypatch.setattr(DurableJournal, "commit", stopped)
    with pytest.raises(KeyboardInterrupt):
        main([command, str(source), str(tmp_path / "new")])
    monkeypatch.undo()
    with pytest.raises(StoreError, match="no store"):
        DurableJournal.open(tmp_path / "new")
    assert main([command, str(source), str(tmp_path / "new")]) == 0
    assert held(DurableJournal.open(tmp_path / "new")) == held(DurableJournal.open(store))


def test_an_import_that_was_killed_is_named_and_opens_as_no_store(store, tmp_path, capsys):
    program = (
        "import os, sys\nfrom hebb_lab.memory.__main__ import main\n"
        "from hebb_lab.memory.durable import DurableJournal\nreal = DurableJournal.commit\n"
        "def killed(journal, change):\n    real(journal, change)\n    os.kill(os.getpid(), 9)\n"
        "DurableJournal.commit = killed\nmain(sys.argv[1:])"
    )
    assert main(["export", str(store), str(tmp_path / "out")]) == 0
    orders = ["import", str(tmp_path / "out"), str(tmp_path / "new")]
    subprocess.run([sys.executable, "-c", program, *orders], check=False)
    with pytest.raises(StoreError, match="no store"):
        DurableJournal.open(tmp_path / "new")
    assert main(orders) == 2
    assert "making was stopped" in capsys.readouterr().err
