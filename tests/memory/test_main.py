"""``python -m hebb_lab.memory``: its commands, their help, their exits."""

import os
import subprocess
import sys

import pytest

from hebb_lab.memory import Draft, MemoryStore
from hebb_lab.memory.__main__ import COMMANDS, main, time_us
from tests.memory.made import DAY_US


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


def test_the_help_of_forget_says_what_stays_and_by_which_rules(capsys):
    with pytest.raises(SystemExit):
        main(["forget", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "newer revisions stay" in said
    assert "insights drawn from them" in said
    assert "does not keep its rules: this command uses the documented ones" in said


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
    with pytest.raises(SystemExit):
        main(["forget", "x", "id", "--at", "yesterday"])


def test_a_terminal_without_greek_letters_is_written_to(tmp_path):
    with MemoryStore.open(tmp_path / "s", dimensions=2) as store:
        store.remember(Draft("one", entity_id="☂"), 1)
    done = subprocess.run(
        [sys.executable, "-m", "hebb_lab.memory", "info", tmp_path / "s"], check=False,
        capture_output=True, timeout=120, env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"(1 \xb5s)" in done.stdout
