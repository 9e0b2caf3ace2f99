"""How long whole runs take, from the command to the figures, and in how much memory."""

import sys
from itertools import count

import pytest

from tests.benchmarks.child import measure
from tests.benchmarks.values import Value, note

pytestmark = pytest.mark.bench

METHOD = (
    "python -m hebb_lab.run as a process of its own: imports, reading, every arm, both tasks, "
    "statistics, leaderboard and figures; peak memory by getrusage"
)


def run(benchmark, tmp_path, *settings, rounds=3, **environment):
    """Run the default ablation as often as asked, each into a new folder."""
    number, runs = count(), []

    def once():
        folder = tmp_path / f"runs{next(number)}"
        command = ("-m", "hebb_lab.run", "+exp=ablation", f"paths.runs={folder}", *settings)
        done = measure(sys.executable, *command, **environment)
        assert done.code == 0, done.output
        assert list(folder.glob("*/*/figures/*")), done.output
        runs.append(done)

    benchmark.pedantic(once, rounds=rounds)
    return runs


def values_of(runs, seconds, megabytes=2000):
    """Wall time and peak memory with their goals, and the work that was done."""
    return (
        Value("wall time", "s", tuple(done.seconds for done in runs), at_most=seconds),
        Value("processor time", "s", tuple(done.processor_seconds for done in runs)),
        Value("peak memory", "MB", tuple(done.peak_mb for done in runs), at_most=megabytes),
    )


@pytest.mark.usefixtures("compiled")
def test_the_default_ablation_on_agent_sessions(benchmark, tmp_path, shared_data):
    logs = shared_data / "telemetry"
    runs = run(
        benchmark, tmp_path, "dataset=claude_code",
        f"dataset.path={logs / 'claude_code' / 'entire_cli'}",
        f"dataset.tracked_paths={logs / 'tracked_paths' / 'entire_cli.txt.gz'}",
    )  # fmt: skip
    what = "default ablation on 274 Claude Code sessions (entire_cli)"
    note(benchmark, what, METHOD, *values_of(runs, seconds=90))


@pytest.mark.usefixtures("compiled")
def test_the_default_ablation_on_a_git_history(benchmark, tmp_path, shared_data):
    path = shared_data / "telemetry" / "git" / "pyg.tsv"
    runs = run(benchmark, tmp_path, "dataset=git", f"dataset.path={path}")
    what = "default ablation on 7,552 commits (pyg)"
    note(benchmark, what, METHOD, *values_of(runs, seconds=120))


@pytest.mark.usefixtures("compiled")
def test_a_tiny_debug_run(benchmark, tmp_path):
    runs = run(benchmark, tmp_path, "debug=tiny", rounds=5)
    note(benchmark, "default ablation with debug=tiny", METHOD, *values_of(runs, seconds=15))


def test_a_tiny_debug_run_that_compiles_everything(benchmark, tmp_path):
    cache = str(tmp_path / "numba")
    runs = run(benchmark, tmp_path, "debug=tiny", rounds=1, NUMBA_CACHE_DIR=cache)
    what = "the same, the first time on a machine: kernels are compiled"
    note(benchmark, what, METHOD, *values_of(runs, seconds=15))
