"""How long the half-life models take on a large log, and the whole experiment on a real one."""

import json
import sys

import pytest

from tests.benchmarks.child import measure
from tests.benchmarks.test_runs import values_of
from tests.benchmarks.values import Value, note

pytestmark = pytest.mark.bench

GOALS = {"hierarchical": 60, "empirical_bayes": 60, "basis": 60, "frailty": 60,
         "log_linear": None, "logistic": None}  # fmt: skip


@pytest.mark.parametrize("model", GOALS)
def test_a_model_on_a_million_reinforcements(benchmark, model):
    runs = []

    def once():
        done = measure(sys.executable, "-m", "tests.benchmarks.fit_child", model)
        assert done.code == 0, done.output
        runs.append((json.loads(done.output.splitlines()[-1]), done))

    benchmark.pedantic(once, rounds=1)
    made = runs[0][0]
    note(
        benchmark,
        f"model {model}: {made['events']:,} reinforcements of {made['edges']:,} edges",
        "fitted before each of five blocks and scored on it "
        f"({made['cases']:,} cases with 20 controls, {made['rows']:,} checkpoint rows of 7, 1 and"
        " 30 days), world half_lives, back end cpu, as a process of its own that has run a"
        " small world before; peak memory by getrusage, world and graph included",
        Value("wall time", "s", tuple(m["seconds"] for m, _ in runs), at_most=GOALS[model]),
        Value("processor time", "s", tuple(m["processor"] for m, _ in runs)),
        Value("peak memory", "MB", tuple(done.peak_mb for _, done in runs), at_most=3000),
    )


@pytest.mark.usefixtures("compiled")
def test_the_half_life_experiment_on_agent_sessions(benchmark, tmp_path, shared_data):
    logs, runs = shared_data / "telemetry", []

    def once():
        command = (
            "-m", "hebb_lab.run", "+exp=halflife", "dataset=claude_code",
            f"dataset.path={logs / 'claude_code' / 'entire_cli'}",
            f"dataset.tracked_paths={logs / 'tracked_paths' / 'entire_cli.txt.gz'}",
            f"paths.runs={tmp_path / str(len(runs))}",
        )  # fmt: skip
        done = measure(sys.executable, *command)
        assert done.code == 0, done.output
        runs.append(done)

    benchmark.pedantic(once, rounds=3)
    note(
        benchmark,
        "half-life experiment on 274 Claude Code sessions (entire_cli)",
        "python -m hebb_lab.run +exp=halflife as a process of its own: imports, reading, all models"
        " before all blocks, intervals, tables and figures; peak memory by getrusage",
        *values_of(runs, seconds=120, megabytes=3000),
    )
