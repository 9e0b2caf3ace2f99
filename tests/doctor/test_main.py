import json
import subprocess
import sys

import pytest

from hebb_lab.doctor import __main__ as command
from hebb_lab.doctor import examine
from hebb_lab.doctor.packages import Part
from tests.doctor.example import findings


@pytest.mark.parametrize(("base", "code"), [([], 0), ([Part("numpy", ">=2", None, "missing")], 1)])
def test_the_exit_code_says_whether_the_base_works(monkeypatch, capsys, base, code):
    monkeypatch.setattr(examine, "examine", lambda brief: findings(base=base))
    assert command.main(["--json"]) == code
    assert json.loads(capsys.readouterr().out)["base_works"] is (code == 0)


def test_a_base_too_broken_to_look_at_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "hebb_lab.doctor.examine", None)
    assert command.main([]) == 1
    assert capsys.readouterr().err.startswith("The base is broken: ")


def test_the_command_runs_as_a_module():
    run = subprocess.run(
        [sys.executable, "-m", "hebb_lab.doctor"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "computes what it should" in run.stdout
    assert run.stdout.splitlines()[-1].startswith("The base works")


def test_in_brief_it_says_the_verdict_alone(monkeypatch, capsys):
    monkeypatch.setattr(examine, "examine", lambda brief: findings())
    assert command.main(["--brief"]) == 0
    assert capsys.readouterr().out.strip() == "The base works, on the processor."
    broken = findings(base=[Part("numpy", ">=2", None, "missing")])
    monkeypatch.setattr(examine, "examine", lambda brief: broken)
    assert command.main(["--brief"]) == 1
    said = capsys.readouterr().out
    assert "numpy: missing" in said
    assert "The base is broken: numpy." in said
