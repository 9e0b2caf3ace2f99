import subprocess
import sys

import pytest

from hebb_lab.graph.files import __main__ as command
from hebb_lab.graph.files import describe
from tests.graph.files.made_files import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_is_said_in_figures(tmp_path, capsys, kind):
    name, make, _, write = KINDS[kind]
    write(tmp_path / name, make())
    assert command.main([str(tmp_path / name)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{tmp_path / name}: ")
    assert len(out.splitlines()) == 1 + len(describe.described(make()))


def test_names_whose_hash_is_another_one_are_counted(tmp_path):
    said = describe.described(KINDS["co-activation"][1]())
    assert (said["tags"], said["other hash"]) == ("3", "0")


def test_a_broken_file_is_a_sentence_and_the_others_are_still_said(tmp_path, capsys):
    name, make, _, write = KINDS["chain"]
    write(tmp_path / name, make())
    (tmp_path / "broken").write_bytes(b"HCSR")
    assert command.main([str(tmp_path / "broken"), str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert "TPCH" in captured.out
    assert "at byte 0: the header would take 24 bytes and the file ends at 4" in captured.err


def test_the_command_runs_as_a_module_and_explains_itself():
    run = subprocess.run(
        [sys.executable, "-m", "hebb_lab.graph.files", "--help"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0
    assert "2 one is none of these, or is broken" in run.stdout
