"""The published numbers come out again, and the README files show them."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from omegaconf import OmegaConf

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"
NAMES = sorted(path.parent.name for path in EXPERIMENTS.glob("*/expected.yaml"))


def script(name, *arguments):
    command = [sys.executable, str(EXPERIMENTS / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_tables_in_the_readme_files_are_those_of_the_leaderboards():
    found = script("tables.py", "--check")
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize(("edges", "last"), [((), "ms"), ((1234.4, None), "edges")])
def test_a_table_has_a_column_of_edges_where_the_leaderboard_counts_them(tmp_path, edges, last):
    tables = runpy.run_path(str(EXPERIMENTS / "tables.py"))
    rows = [
        {"dataset": "d", "task": "t", "arm": arm, "metric": "R@10", "value": 0.5, "base": None,
         "ci95": [0.4, 0.6], "tokens_per_query": 20.0, "ms_per_query": 0.25}
        for arm in ("a", "b")
    ]  # fmt: skip
    for row, count in zip(rows, edges, strict=False):
        row["edges_per_query"] = count
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "leaderboard.json").write_text(json.dumps({"rows": rows}))
    tables["table"].__globals__["HERE"] = tmp_path
    lines = tables["table"]("made t R@10 a b").splitlines()
    assert lines[0].endswith(f" {last} |")
    assert {line.count("|") for line in lines} == {7 + bool(edges)}
    assert [line.split(" | ")[-1] for line in lines[2:]] == (
        ["1,234 |", "– |"] if edges else ["0.250 |"] * 2
    )


def test_a_table_of_silence_has_each_day_and_differences_at_its_ends(tmp_path):
    tables = runpy.run_path(str(EXPERIMENTS / "tables.py"))
    days = {"after_1_day": 1, "after_10_days": 10, "after_100_days": 100}
    place = tmp_path / "made" / "diary"
    place.mkdir(parents=True)
    rows = [
        {"task": task, "arm": arm, "metric": "R@10", "value": value / day, "base": base}
        for task, day in days.items()
        for arm, value, base in (("base", 0.5, None), ("off", 0.75, "base"))
    ]
    told = [
        {"task": "q", "sitting": task, "days": day, "arm": "off", "value": 0.25 / day,
         "interval": [0.1, 0.3], "verdict": "better" if day == 1 else "not shown"}
        for task, day in days.items()
    ]  # fmt: skip
    (place / "leaderboard.json").write_text(json.dumps({"rows": rows}))
    (place / "memory.json").write_text(json.dumps({"arms": told}))
    tables["silence"].__globals__["HERE"] = tmp_path
    head, _, base, off, *_ = tables["silence"]("made q R@10 diary:base diary:off").splitlines()
    assert head == "| run | arm | R@10, 1 d | R@10, 10 d | R@10, 100 d | Δ 1 d | Δ 100 d | base |"
    assert base == "| diary | `base` | 0.500 | 0.050 | 0.005 |  |  |  |"
    assert off.startswith("| diary | `off` | 0.750 | 0.075 | 0.007 | **+0.250 [+0.100, +0.300]** |")
    assert off.endswith("| +0.003 [+0.100, +0.300] | base |")


def test_an_arm_with_another_base_names_it_in_the_table(tmp_path):
    tables = runpy.run_path(str(EXPERIMENTS / "tables.py"))
    row = {"dataset": "d", "task": "t", "metric": "R@10", "value": 0.5, "ci95": [0.4, 0.6],
           "delta": 0.1, "delta_ci95": None, "p_holm": None, "inert": False,
           "tokens_per_query": 20.0, "ms_per_query": 0.25}  # fmt: skip
    rows = [
        {**row, "arm": a, "base": b} for a, b in zip("abcd", [None, "a", "a", "c"], strict=True)
    ]
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "leaderboard.json").write_text(json.dumps({"rows": rows}))
    tables["table"].__globals__["HERE"] = tmp_path
    text = tables["table"]("made t R@10 a b c d")
    deltas = [line.split(" | ")[2] for line in text.splitlines()[2:6]]
    assert deltas == ["base", "+0.100", "+0.100", "+0.100 to `c`"]
    assert "difference to `a` where no other arm is named" in text


def test_the_built_in_agent_needs_no_data_and_a_log_does(tmp_path):
    reproduce = runpy.run_path(str(EXPERIMENTS / "reproduce.py"))
    assert [name for name in NAMES if not reproduce["needs_data"](name)] == [
        "halflife_worlds",
        "simulated",
    ]
    found = script("reproduce.py", "cochange", "--data", str(tmp_path / "absent"))
    assert (found.returncode, "name the data with --data DIR" in found.stderr) == (2, True)


def plan_of(name):
    return OmegaConf.to_container(OmegaConf.load(EXPERIMENTS / name / "expected.yaml"))


# Those that take many minutes are run again by hand: python experiments/reproduce.py NAME
QUICK = [name for name in NAMES if not plan_of(name).get("takes_minutes", False)]


def test_most_published_experiments_are_run_again_here():
    assert {"simulated", "entire_cli", "cochange"} <= set(QUICK)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", QUICK)
def test_a_published_experiment_gives_its_expected_numbers(name, shared_data, tmp_path):
    reproduce = runpy.run_path(str(EXPERIMENTS / "reproduce.py"))
    if reproduce["lacks_extra"](name):
        pytest.skip("needs the extra embed")
    found = script("reproduce.py", name, "--data", str(shared_data), "--runs", str(tmp_path))
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("name", NAMES)
def test_expected_numbers_are_those_of_the_kept_leaderboard(name):
    value_of = runpy.run_path(str(EXPERIMENTS / "reproduce.py"))["value_of"]
    plan = plan_of(name)
    assert len(plan["expect"]) >= 5
    for entry in plan["expect"]:
        value = value_of(EXPERIMENTS / name / entry.get("case", ""), entry)
        assert value == pytest.approx(entry["value"], abs=entry["tolerance"]), entry


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_has_question_command_answer_and_its_figures(name):
    text = (EXPERIMENTS / name / "README.md").read_text()
    assert all(f"**{part}.**" in text for part in ("Question", "Command", "Answer"))
    plan = plan_of(name)
    others = (plan.get(kind) or {} for kind in ("figures_of_runs", "figures_of_cases"))
    for figure in [*(plan.get("figures") or []), *(figure for kind in others for figure in kind)]:
        assert (EXPERIMENTS / name / f"{figure}.png").is_file()
        assert f"({figure}.png)" in text


def test_an_unknown_experiment_names_the_known_ones(tmp_path):
    found = script("reproduce.py", "entire_clj", "--data", str(tmp_path))
    assert found.returncode == 2
    assert "entire_cli" in found.stderr


def test_the_kept_leaderboard_leaves_out_arms_that_no_table_lists(tmp_path):
    run, place = tmp_path / "run", tmp_path / "place"
    run.mkdir()
    rows = [{"arm": "full", "group": "stack"}, {"arm": "with chain", "group": "sets"}]
    lines = ",\n".join(map(json.dumps, rows))
    (run / "leaderboard.json").write_text(f'{{"rows": [\n{lines}\n]}}\n')
    runpy.run_path(str(EXPERIMENTS / "reproduce.py"))["keep"](run, place, [])
    assert json.loads((place / "leaderboard.json").read_text()) == {"rows": rows[:1]}
