"""Tables and figures of stored runs come from their folders alone."""

import json

from hebb_lab.runs import read_run
from hebb_lab.runs.rebuild import Options, write_overall, write_run
from tests.runs import synthetic

ARMS = ("random", "half_life_7d", "half_life_30d")
TABLES_ONLY = Options(("md", "csv", "json", "tex"), resamples=20)


def made(folder, name="simulated"):
    return read_run(synthetic.write_run(folder, name, arms=ARMS, queries=40, sessions=8))


def test_only_the_formats_asked_for_are_written(tmp_path):
    run = made(tmp_path / "runs")
    write_run(run, tmp_path / "out", Options(("csv",), resamples=20))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["leaderboard.csv"]


def test_a_figure_that_is_no_longer_made_is_removed(tmp_path):
    run, out = made(tmp_path / "runs"), tmp_path / "out"
    (out / "figures").mkdir(parents=True)
    (out / "figures" / "old.png").write_bytes(b"old")
    write_run(run, out, Options(("json", "png"), resamples=20))
    names = {path.name for path in (out / "figures").iterdir()}
    assert "old.png" not in names
    assert any(name.startswith("forest_") for name in names)


def test_the_overall_table_holds_each_run_and_the_mean_over_data_sets(tmp_path):
    runs = [made(tmp_path / "runs", name) for name in ("git:one", "git:two")]
    boards = [(run, write_run(run, run.folder, TABLES_ONLY)) for run in runs]
    write_overall(boards, tmp_path / "out", TABLES_ONLY)
    rows = json.loads((tmp_path / "out" / "leaderboard.json").read_text())["rows"]
    assert {row["dataset"] for row in rows} == {"macro(2)", "git:one", "git:two"}
