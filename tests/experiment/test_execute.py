"""A whole run: its folder, its name, and the same numbers wherever it runs."""

import json
import subprocess
import sys
from pathlib import Path

import numba
import polars as pl
import pytest

from tests.experiment.tiny import composed, few, result_of, rows_of, run, write_tables_only

ROOT = Path(__file__).resolve().parents[2]
WHOLE = ("+exp=ablation", "debug=tiny", "recall.embedder=hashing", "runtime.device=cpu")
CLOCK = ("ms_per_query", "wall_s", "commit")


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """One whole tiny ablation, without figures (tests/test_configs.py draws them)."""
    runs = tmp_path_factory.mktemp("once")
    with pytest.MonkeyPatch.context() as patch:
        write_tables_only(patch)
        return run(composed(*WHOLE, f"paths.runs={runs}"))


def test_a_run_folder_holds_everything(once):
    assert once.status == "ok"
    names = {path.name for path in once.folder.iterdir()}
    assert names >= {
        "config.yaml", "env.json", "report.json", "result.json", "per_query.parquet", "run.trec",
        "qrels.trec", "log.txt", "leaderboard.json",
    }  # fmt: skip
    assert not (once.folder / "arms").exists()


def test_a_run_says_what_it_saw(once):
    result = result_of(once.folder)
    assert result["run_id"] == once.folder.name
    assert result["experiment"] == once.folder.parent.name == "ablation"
    dataset = result["dataset"]
    assert (dataset["events"], dataset["touches"], dataset["sessions"]) == (570, 570, 20)
    assert [task["task"] for task in result["tasks"]] == [
        "first_touch", "all_touches", "continuation", "prompt_to_files",
    ]  # fmt: skip
    assert {task["task"]: task["headline"] for task in result["tasks"]}["continuation"] == "R@10"
    environment = json.loads((once.folder / "env.json").read_text())
    assert environment["seeds"] == {"run": 0, "dataset": 0}
    ran_on = {key: environment[key] for key in ("backend", "device", "precision")}
    assert ran_on == {"backend": "cpu", "device": "cpu", "precision": "float64"}


def test_a_row_has_every_column_that_is_promised(once):
    rows = rows_of(once.folder)
    assert rows[0].keys() >= {
        "dataset", "dataset_sha256", "task", "arm", "metric", "value", "ci95", "delta",
        "delta_ci95", "p_holm", "n", "tokens_per_query", "ms_per_query", "inert", "status",
        "config_id", "commit",
    }  # fmt: skip
    arms = {row["arm"] for row in rows}
    assert arms == {arm["arm"] for arm in result_of(once.folder)["arms"]}


def test_two_runs_give_the_same_numbers_with_any_number_of_threads(once, tmp_path, tables_only):
    before = numba.get_num_threads()
    try:
        again = run(composed(*WHOLE, f"paths.runs={tmp_path}", "runtime.threads=1"))
        assert numba.get_num_threads() == 1
        more = run(composed(*WHOLE, f"paths.runs={tmp_path}/more", "runtime.threads=64"))
        assert numba.get_num_threads() == numba.config.NUMBA_NUM_THREADS
    finally:
        numba.set_num_threads(before)
    for other in (again, more):
        assert other.folder.name == once.folder.name
        assert_same(once.folder, other.folder)


@pytest.mark.slow
def test_two_processes_give_the_same_numbers(tmp_path, tables_only):
    config = (*WHOLE, "dataset.tasks=[first_touch,prompt_to_files]")
    subprocess.run(
        [sys.executable, "-m", "hebb_lab.run", *config, f"paths.runs={tmp_path}/there"],
        cwd=ROOT, check=True, capture_output=True, env={"MPLBACKEND": "Agg", "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    here = run(composed(*config, f"paths.runs={tmp_path}/here")).folder
    there = tmp_path / "there" / "ablation" / here.name
    assert_same(here, there)
    assert " INFO " in (there / "log.txt").read_text()


def assert_same(one, two):
    """The same rankings, the same judgements, the same leaderboard."""
    assert rows_of(one, *CLOCK) == rows_of(two, *CLOCK)
    frames = [pl.read_parquet(folder / "per_query.parquet") for folder in (one, two)]
    assert frames[0].equals(frames[1])
    for name in ("run.trec", "qrels.trec"):
        assert (one / name).read_bytes() == (two / name).read_bytes()
    rankings = [[arm["rankings"] for arm in result_of(folder)["arms"]] for folder in (one, two)]
    assert rankings[0] == rankings[1]


def test_the_reference_back_end_agrees_with_the_fast_one(tmp_path, tables_only):
    arms = {
        "half_life_30d": {}, "two_hops": {"rules": {"hops": 2}}, "power": {"rules": {
            "decay_shape": "power_law"}}, "learned": {"rules": {"half_life": "learned"}},
    }  # fmt: skip
    values = [{}, {}]
    for i, backend in enumerate(("cpu", "reference")):
        config = few(tmp_path / backend, arms)
        config["runtime"] |= {"backend": backend}
        values[i] = {
            (row["arm"], row["metric"]): row["value"] for row in rows_of(run(config).folder)
        }
    assert values[0] == pytest.approx(values[1], abs=0.02)  # a tie may break the other way


@pytest.mark.parametrize(
    ("key", "value", "same"),
    [
        ("runtime", {"threads": 1}, True), ("runtime", {"memory_mb": 100}, True),
        ("runtime", {"backend": "cpu", "device": "cpu"}, True),
        ("runtime", {"precision": "float32"}, False),
        ("seed", 1, False), ("evaluation", {"flips": 51}, False),
        ("recall", {"depth": 20}, False),
    ],
)  # fmt: skip
def test_the_name_of_a_run_is_what_was_asked_not_where(tmp_path, tables_only, key, value, same):
    first = run(few(tmp_path / "a", {"half_life_30d": {}}))
    values = few(tmp_path / "b", {"half_life_30d": {}})
    values[key] = values[key] | value if isinstance(value, dict) else value
    assert (run(values).folder.name == first.folder.name) == same


def test_another_log_is_another_run(tmp_path, tables_only):
    values = few(tmp_path, {"half_life_30d": {}})
    first = run(values)
    values["dataset"]["seed"] = 1
    second = run(values)
    assert first.folder != second.folder
    assert len(list((tmp_path / "ablation").iterdir())) == 2


def test_a_log_of_ones_own_runs_from_its_file(tmp_path, tables_only):
    lines = ["ts\tsession\tturn\tnode"]
    lines += [
        f"2026-01-{i // 6 + 1:02d}T10:{i % 6:02d}:00Z\ts{i // 6}\t1\tsrc/f{i % 5}.py"
        for i in range(60)
    ]
    (tmp_path / "log.tsv").write_text("\n".join(lines) + "\n")
    values = few(tmp_path / "runs")
    values["dataset"] |= {"name": "table", "reader": "auto", "path": str(tmp_path / "log.tsv")}
    outcome = run(values)
    assert outcome.status == "ok"
    assert result_of(outcome.folder)["dataset"]["name"] == "table:log"
    assert result_of(outcome.folder)["dataset"]["sessions"] == 10
