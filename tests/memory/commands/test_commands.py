"""``python -m hebb_lab.memory``: what each command prints, and what it exits with."""

import subprocess
import sys

import pytest

from hebb_lab.memory.__main__ import COMMANDS, main, time_us
from hebb_lab.memory.commands.looking import shown_time
from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.ids import Ids
from tests.memory.journals import filled
from tests.memory.made import DAY_US, held


@pytest.fixture
def store(tmp_path):
    filled("durable", tmp_path / "store").close()
    return tmp_path / "store"


def test_info_prints_counts_the_clock_and_losses(store, capsys):
    assert main(["info", str(store)]) == 0
    printed = capsys.readouterr().out
    for line in ("version       2", "memories      52", "edges         4", "tombstones    2",
                 "losses        none", "'entity 1'", "(none)", "(9 µs)"):  # fmt: skip
        assert line in printed


def test_check_exits_with_1_and_a_sentence_for_each_problem(store, capsys):
    assert main(["check", str(store)]) == 0
    assert capsys.readouterr().out == "Nothing is wrong.\n"
    journal = DurableJournal.open(store)
    journal._db.execute("UPDATE texts SET content = 'x' WHERE place = 3")
    journal.close()
    assert main(["check", str(store)]) == 1
    assert "does not fit its checksum" in capsys.readouterr().out


def test_tombstones_are_printed_without_what_was_forgotten(store, capsys):
    assert main(["tombstones", str(store)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("2 tombstones\n")
    assert "1970-01-01T00:00:00.000009+00:00" in printed
    assert "memory 0-" not in printed


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


def test_a_problem_is_one_sentence_and_2(tmp_path, capsys):
    for command in ("info", "check", "tombstones", "compact"):
        assert main([command, str(tmp_path / "nothing")]) == 2
        assert "no store" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_helps(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert "PATH" in capsys.readouterr().out


def test_the_help_imports_nothing_heavy():
    program = (
        "import sys\nfrom hebb_lab.memory.__main__ import parser\nparser().format_help()\n"
        "print(sorted({'numpy', 'polars', 'torch', 'numba'} & sys.modules.keys()))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout == "[]\n"


def test_times_are_microseconds_or_dates():
    assert time_us("17") == 17
    assert time_us("1970-01-02") == DAY_US
    assert time_us("1970-01-02T01:00+01:00") == DAY_US
    assert shown_time(DAY_US) == f"1970-01-02T00:00:00+00:00 ({DAY_US} µs)"
    assert shown_time(-1) == "never written"
    assert shown_time(2**62).endswith("µs")
    with pytest.raises(SystemExit):
        main(["forget", "x", "id", "--at", "yesterday"])
