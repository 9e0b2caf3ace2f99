"""The command: exit codes, sentences, where runs go, sweeps."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MINE = """\
# @package _global_
experiment: mine
base: half_life_30d
dataset: {preset: tiny, tasks: [first_touch]}
evaluation: {resamples: 50, flips: 50, measures: [any@10], headline: [any@10]}
rules: {half_life: fixed, hops: 1}
arms:
  half_life_30d: {group: decay}
  recency: {group: floors, method: recency}
"""
FAILING = """\
import sys
from hebb_lab.experiment.methods import METHODS
from hebb_lab.run import main

@METHODS.register("trouble")
def trouble(shop, task, arm):
    raise ValueError("the hub is on fire")

main()
"""


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """A folder of configs of one's own."""
    folder = tmp_path_factory.mktemp("configs")
    (folder / "exp").mkdir()
    (folder / "exp" / "mine.yaml").write_text(MINE)
    return f"--config-dir={folder}"


def hebb(*arguments, code=("-m", "hebb_lab.run")):
    return subprocess.run(
        [sys.executable, *code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


WRONG = {
    "+foo=1": "unknown setting foo",
    "+dataset.foo=1": "unknown setting dataset.foo",
    "+arms.x.foo=1": "unknown key arms.x.foo",
    "+rules.foo=1": "unknown switch rules.foo",
    "+evaluation.protocol.foo=1": "unknown setting evaluation.protocol.foo",
    "foo=1": "Could not override 'foo'",
    "seed=x": "seed='x' is not of type int",
    "rules.hops=two": "rules.hops='two' is not of type int",
    "dataset=gti": "Could not find 'dataset/gti'",
    "dataset.windows=5": "the config cannot be resolved",
    "dataset=git": "dataset=git needs a log",
    "evaluation.measures=[ndgc@10]": "unknown measure 'ndgc'",
}


@pytest.mark.parametrize("override", WRONG)
def test_what_the_user_must_mend_is_a_sentence_and_exit_code_2(override, tmp_path):
    done = hebb("+exp=ablation", override, f"paths.runs={tmp_path}")
    assert done.returncode == 2
    assert WRONG[override] in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_no_experiment_is_exit_code_2_and_lists_them():
    done = hebb()
    assert done.returncode == 2
    assert "Add +exp=NAME; known: ablation" in done.stderr


def test_help_shows_every_group_and_loads_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "hebb_lab.run", "--help"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rsplit("|", 1)[1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "hydra" in loaded
    heavy = {"torch", "torch_geometric", "numba", "matplotlib", "scipy", "bm25s", "faiss"}
    assert loaded & heavy == set()
    assert "+exp=ablation" in done.stdout
    assert "Exit codes: 0 done" in done.stdout


def test_a_run_goes_where_it_is_told_and_is_found_the_second_time(mine, tmp_path):
    first = hebb(mine, "+exp=mine", f"paths.runs={tmp_path}/here")
    assert first.returncode == 0, first.stderr
    (folder,) = (tmp_path / "here" / "mine").iterdir()
    assert str(folder / "leaderboard.md") in first.stdout
    assert "first_touch · any@10" in first.stdout
    rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    assert {row["arm"] for row in rows} == {"half_life_30d", "recency"}
    second = hebb(mine, "+exp=mine", f"paths.runs={tmp_path}/here")
    assert second.returncode == 0
    assert "is finished: nothing to do" in second.stderr
    assert second.stdout == first.stdout
    assert not (ROOT / "outputs").exists()
    assert not (ROOT / "multirun").exists()


def test_a_sweep_over_two_values_makes_two_runs(mine, tmp_path):
    done = hebb("-m", mine, "+exp=mine", "rules.hops=1,2", f"paths.runs={tmp_path}")
    assert done.returncode == 0, done.stderr
    runs = sorted(path for path in (tmp_path / "mine").iterdir())
    hops = {
        json.loads((run / "result.json").read_text())["arms"][0]["parameters"]["hops"]
        for run in runs
    }
    assert hops == {1, 2}


def test_a_job_of_a_sweep_that_cannot_work_does_not_stop_the_others(mine, tmp_path):
    done = hebb("-m", mine, "+exp=mine", "recall.depth=0,15", f"paths.runs={tmp_path}")
    assert done.returncode == 2
    assert "recall.depth=0 is too small" in done.stderr
    assert len(list((tmp_path / "mine").iterdir())) == 1


def test_a_failing_arm_is_exit_code_1_and_the_others_stand(mine, tmp_path):
    (tmp_path / "failing.py").write_text(FAILING)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "failing.py"), mine, "+exp=mine",
         "+arms.x={method: trouble}", f"paths.runs={tmp_path}/runs"],
        cwd=ROOT, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "arm x failed: ValueError: the hub is on fire" in done.stderr
    assert "arm x: failed: ValueError: the hub is on fire" in done.stdout
    (folder,) = (tmp_path / "runs" / "mine").iterdir()
    assert "hub is on fire" in (folder / "arms" / "x.traceback.txt").read_text()
    rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    assert {row["arm"]: row["status"] for row in rows} == {
        "half_life_30d": "ok", "recency": "ok", "x": "failed",
    }  # fmt: skip


def test_a_half_life_run_tells_its_table_and_the_same_command_finds_it(tmp_path):
    asked = (
        "+exp=halflife", "debug=tiny", "dataset.edges=40", "halflife.models=[constant,rate]",
        f"paths.runs={tmp_path}",
    )  # fmt: skip
    first = hebb(*asked)
    assert first.returncode == 0, first.stderr
    (folder,) = (tmp_path / "halflife").iterdir()
    assert "world:tiny · half-life · " in first.stdout
    assert f"half-lives     {folder / 'half_lives.yaml'}" in first.stdout
    second = hebb(*asked)
    assert (second.returncode, second.stdout) == (0, first.stdout)
    assert "is finished: nothing to do" in second.stderr


def test_a_log_that_no_half_life_can_be_fitted_to_is_exit_code_2(tmp_path):
    log = tmp_path / "log.tsv"
    log.write_text("time\tsession\tturn\tnode\n1\ts\t1\ta\n1\ts\t1\tb\n9\ts\t2\tc\n")
    done = hebb(
        "+exp=halflife", "dataset=table", f"dataset.path={log}", f"paths.runs={tmp_path}/runs"
    )
    assert done.returncode == 2
    assert "there is one recall, too few to cut into 6 blocks" in done.stderr
    assert "Traceback" not in done.stderr
