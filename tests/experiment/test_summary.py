"""What the command line says when a run is done."""

import json

import pytest

from hebb_lab.experiment.summary import headline, tell

TASK = {"task": "first_touch", "headline": "any@10", "n": 1234, "clusters": 5}


def row(arm, value, **more):
    return {
        "task": "first_touch", "metric": "any@10", "arm": arm, "value": value, "base": None,
        "delta": None, "delta_ci95": None, **more,
    }  # fmt: skip


def stored(folder, rows, arms=(), base="steady"):
    result = {"dataset": {"name": "made"}, "tasks": [TASK], "base": base, "arms": list(arms)}
    (folder / "result.json").write_text(json.dumps(result))
    (folder / "leaderboard.json").write_text(json.dumps({"rows": rows}))
    return folder


@pytest.fixture
def folder(tmp_path):
    rows = [row(f"arm{i}", i / 10) for i in range(6)]
    rows += [
        row("steady", 0.05), row("failed", None), row("steady", 0.9, metric="R@10"),
        row("best", 0.75, base="steady", delta=0.7, delta_ci95=[0.6, 0.8]),
    ]  # fmt: skip
    arms = [{"arm": "failed", "status": "failed", "error": "ValueError: no"}]
    return stored(tmp_path, rows, arms)


def test_the_five_best_arms_and_the_base_are_named(folder, capsys):
    tell(folder)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "made · first_touch · any@10 · n = 1,234 queries in 5 clusters"
    assert [line.split()[1] for line in lines[2:8]] == [
        "best",
        "arm5",
        "arm4",
        "arm3",
        "arm2",
        "steady",
    ]
    assert lines[2].split() == [
        "0.750",
        "best",
        "+0.700",
        "[+0.600,",
        "+0.800]",
        "against",
        "steady",
    ]


def test_arms_that_did_not_run_are_named_with_their_error_and_the_files_with_their_place(
    folder, capsys
):
    tell(folder)
    out = capsys.readouterr().out
    assert "arm failed: failed: ValueError: no" in out
    assert str(folder / "leaderboard.md") in out


def test_the_headline_is_the_value_of_the_base(folder):
    assert headline(folder) == 0.05


def test_without_a_base_there_is_no_headline(tmp_path):
    assert headline(stored(tmp_path, [row("a", 0.5)], base=None)) is None
