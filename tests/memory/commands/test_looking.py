"""Commands that only look."""

from hebb_lab.memory.__main__ import main
from hebb_lab.memory.commands.looking import shown_time
from hebb_lab.memory.durable import DurableJournal
from tests.memory.made import DAY_US


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


def test_a_folder_without_a_store_is_no_damaged_one(tmp_path, capsys):
    for command in ("check", "info", "tombstones"):
        assert main([command, str(tmp_path)]) == 2
        assert "there is no store" in capsys.readouterr().err


def test_tombstones_are_printed_without_what_was_forgotten(store, capsys):
    assert main(["tombstones", str(store)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("2 tombstones\n")
    assert "1970-01-01T00:00:00.000009+00:00" in printed
    assert "memory 0-" not in printed


def test_times_are_shown_as_dates_where_there_is_one():
    assert shown_time(DAY_US) == f"1970-01-02T00:00:00+00:00 ({DAY_US} µs)"
    assert shown_time(-1) == "never written"
    assert shown_time(2**62).endswith("µs")
