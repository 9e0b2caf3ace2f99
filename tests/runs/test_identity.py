"""The name of a run depends on what was asked and on nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.runs import code_version, identity, run_id

CONFIG = {
    "exp": "ablation",
    "seed": 0,
    "rules": {"half_life_days": 7, "hops": [1, 2]},
    "dataset": {"name": "git", "path": "/a", "repo": "/b", "cap": 30},
    "paths": {"runs": "runs"},
    "runtime": {"device": "cpu"},
    "tracker": {"name": "none"},
    "hydra": {"job": 1},
}


@pytest.mark.parametrize(
    "change",
    [
        {"paths": {"runs": "/elsewhere"}},
        {"runtime": {"device": "cuda"}},
        {"tracker": {"name": "wandb"}},
        {"hydra": None},
        {"dataset": {"name": "git", "path": "/moved", "repo": "/too", "cap": 30}},
        {"rules": {"hops": (1, 2), "half_life_days": 7.0}},
    ],
)
def test_where_and_on_what_a_run_happens_does_not_change_its_name(change):
    assert run_id({**CONFIG, **change}, "d", "1") == run_id(CONFIG, "d", "1")


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"seed": True},
        {"seed": "0"},
        {"seed": None},
        {"rules": {"half_life_days": 7.5, "hops": [1, 2]}},
        {"rules": {"half_life_days": 7, "hops": [2, 1]}},
        {"dataset": {"name": "git", "cap": 31}},
        {"new": 1},
    ],
)
def test_whatever_was_asked_changes_its_name(change):
    assert run_id({**CONFIG, **change}, "d", "1") != run_id(CONFIG, "d", "1")


def test_the_data_and_the_rules_are_part_of_the_name():
    names = {run_id(CONFIG, d, r) for d in ("a", "b") for r in ("1", "2")}
    assert len(names) == 4


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.floats() | st.text(max_size=3)))
def test_the_order_of_the_keys_is_not_part_of_the_name(config):
    turned = dict(reversed(config.items()))
    assert run_id(turned, "d", "1") == run_id(config, "d", "1")


def test_another_process_gives_the_same_name():
    code = (
        "import json,sys; from hebb_lab.runs import run_id; "
        "print(run_id(json.loads(sys.argv[1]), 'd', '1'))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, json.dumps(CONFIG)], capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == run_id(CONFIG, "d", "1")


def test_other_code_gives_other_runs_but_not_other_drawings(tmp_path, monkeypatch):
    package = tmp_path / "hebb_lab"
    for room in ("graph", "plots", "runs"):
        (package / room).mkdir(parents=True)
        (package / room / "part.py").write_text("x = 1\n")

    def version():
        return code_version.__wrapped__()

    monkeypatch.setattr(identity, "__file__", str(package / "runs" / "identity.py"))
    first = version()
    (package / "plots" / "part.py").write_text("x = 2\n")
    assert version() == first
    (package / "graph" / "part.py").write_text("x = 2\n")
    assert version() != first


def test_every_room_that_makes_numbers_is_there():
    package = Path(identity.__file__).parents[1]
    assert all((package / room).is_dir() for room in identity.MAKE_NUMBERS)
