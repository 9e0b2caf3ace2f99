"""Tables and figures come from the stored files alone, and come out the same again."""

import csv
import json
import shutil

import polars as pl
import pytest

from hebb_lab import report
from hebb_lab.errors import InputError
from hebb_lab.halflife.report.board import board_of
from hebb_lab.halflife.report.figures import of_board
from hebb_lab.halflife.report.macro import comparable, macros_of
from hebb_lab.halflife.report.write import write_overall, write_run
from hebb_lab.runs import read_run
from hebb_lab.runs.rebuild import TABLES, Options
from tests.halflife.small import FEW
from tests.plots.looking import words
from tests.runs import synthetic

TEXT = Options(TABLES)


@pytest.fixture
def copied(once, tmp_path):
    """A copy of the run, to be changed."""
    return shutil.copytree(once, tmp_path / "runs" / "halflife" / once.name)


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_report_gives_the_same_bytes_again_figures_too(once, tmp_path):
    for place in ("one", "two"):
        write_run(read_run(once), tmp_path / place)
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert one == two
    names = {path.stem for path in one if path.suffix == ".png"}
    assert names >= {
        "forest_log_loss", "forest_partial_likelihood", "calibration_7d", "calibration_3d",
        "survival", "loss_half_life_frailty", "half_life_count",
    }  # fmt: skip
    shown = (tmp_path / "one" / "leaderboard.md").read_text()
    assert all(f"(figures/{name}.png)" in shown for name in names)


def test_a_report_rebuilds_the_tables_of_the_run(once, tmp_path):
    write_run(read_run(once), tmp_path, TEXT)
    for ending in TABLES:
        name = f"leaderboard.{ending}"
        assert (tmp_path / name).read_bytes() == (once / name).read_bytes()


def test_json_and_csv_hold_the_same_rows(once):
    rows = json.loads((once / "leaderboard.json").read_text())["rows"]
    with (once / "leaderboard.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        assert (row["arm"], row["metric"]) == (line["arm"], line["metric"])
        assert line["value"] == ("" if row["value"] is None else str(row["value"]))
    assert {row["arm"] for row in rows} == set(FEW)
    assert {row["dataset"] for row in rows} == {"world:tiny"}


def test_the_values_are_those_of_the_stored_cases_and_rows(once):
    board = board_of(read_run(once))
    cases = pl.read_parquet(once / "cases.parquet")
    values = board.scores.values
    assert values["rate"]["partial-likelihood loss"] == pytest.approx(cases["rate"].mean())
    rows = pl.read_parquet(once / "rows.parquet").filter(pl.col("horizon") == 7)
    brier = ((rows["rate"] - rows["again"].cast(pl.Float64)) ** 2).mean()
    assert values["rate"]["Brier@7d"] == pytest.approx(brier)
    loss = board.scores.delta("partial-likelihood loss", "rate", "frailty")
    assert loss.value == pytest.approx((cases["frailty"] - cases["rate"]).mean())
    assert board.scores.delta("partial-likelihood loss", "rate", "rate") is None


def test_the_markdown_says_how_much_is_scored_and_what_may_be_claimed(once):
    text = (once / "leaderboard.md").read_text()
    assert "## world:tiny · half-life" in text
    assert "The first block is never scored." in text
    assert "### Does a learned half-life help?" in text
    assert "| model | by partial-likelihood loss | by log loss at 7 days |" in text
    assert '"helps": the 99 % interval of Δ lies below 0 against both ' in text
    told = json.loads((once / "leaderboard.json").read_text())["claims"]
    assert told[0]["sentence"].startswith("by the log loss at 7 days: ")
    assert "| namespace_defaults | published |" in text


@pytest.mark.parametrize("name", ["rows.parquet", "cases.parquet", "curves.json"])
def test_a_damaged_file_is_named(copied, name):
    (copied / name).write_bytes(b"broken")
    with pytest.raises(InputError, match=rf"{name}: cannot be read"):
        write_run(read_run(copied), copied)


def test_a_file_that_lacks_a_model_is_named(copied):
    frame = pl.read_parquet(copied / "rows.parquet").drop("rate")
    frame.write_parquet(copied / "rows.parquet")
    with pytest.raises(InputError, match="lacks the columns rate"):
        write_run(read_run(copied), copied, TEXT)


def test_a_report_over_runs_of_both_kinds_has_a_table_for_each(copied, capsys):
    runs = copied.parents[1]
    synthetic.write_run(runs, arms=("random", "half_life_7d"), failed=())
    assert report.main([str(runs), "--resamples", "20", "--format", "md", "json", "csv"]) == 0
    assert "first_touch" in (runs / "leaderboard.md").read_text()
    assert "## world:tiny · half-life" in (runs / "leaderboard_halflife.md").read_text()
    said = capsys.readouterr().out
    assert str(runs / "leaderboard_halflife.md") in said


def test_half_life_runs_alone_have_the_leaderboard(copied):
    runs = copied.parents[1]
    assert report.main([str(runs), "--resamples", "20", "--format", "md", "json", "tex"]) == 0
    rows = json.loads((runs / "leaderboard.json").read_text())["rows"]
    assert {row["dataset"] for row in rows} == {"world:tiny"}
    assert not (runs / "leaderboard_halflife.md").exists()


def named(folder, place, name, shift):
    """A copy of a run as one of another project, its losses shifted."""
    made = shutil.copytree(folder, place)
    result = json.loads((made / "result.json").read_text())
    result["dataset"]["name"] = name
    (made / "result.json").write_text(json.dumps(result))
    cases = pl.read_parquet(made / "cases.parquet")
    cases.with_columns(pl.col("frailty") - shift).write_parquet(made / "cases.parquet")
    return made


def test_several_projects_get_a_mean_with_its_caution(once, tmp_path):
    boards = []
    for number, shift in enumerate((0.1, 0.2, 0.3)):
        made = named(once, tmp_path / str(number), f"git:p{number}", shift)
        boards.append((read_run(made), board_of(read_run(made))))
    out = tmp_path / "out"
    write_overall(boards, out, Options(("md", "json", "csv", "tex", "png")))
    rows = json.loads((out / "leaderboard.json").read_text())["rows"]
    mean = {r["metric"]: r for r in rows if r["dataset"] == "macro(3)" and r["arm"] == "frailty"}
    own = [b.scores.delta("partial-likelihood loss", "rate", "frailty").value for _, b in boards]
    first = mean["partial-likelihood loss"]
    assert first["delta_rate"] == pytest.approx(sum(own) / 3)
    assert first["n"] == 3
    assert [r for r in rows if r["dataset"] == "macro(3)" and r["delta_rate_interval"]] == []
    assert {"partial-likelihood loss (event-weighted)", "log loss@7d (log-weighted)"} <= set(mean)
    text = (out / "leaderboard.md").read_text()
    assert "no interval: 3 projects, and an interval needs 8" in text
    assert "BCa" not in text.partition("## world")[0]
    assert "git:p0, git:p1, git:p2" in text
    assert (out / "figures" / "macro_half_life_1.png").exists()


def test_eight_projects_have_an_interval_for_each_weighting(once, tmp_path):
    boards = []
    for number in range(8):
        made = named(once, tmp_path / str(number), f"git:p{number}", number / 10)
        boards.append(board_of(read_run(made), 20))
    (group,) = comparable(boards)
    macro = macros_of(group, 200)[0]
    assert not macro.silent
    assert macro.delta("rate", "frailty").low < macro.delta("rate", "frailty").high
    assert "BCa intervals" in macro.notes[0]


def test_worlds_are_a_sample_of_nothing_and_have_no_mean(once, tmp_path):
    boards = []
    for number in range(2):
        made = named(once, tmp_path / str(number), f"world:p{number}", 0.0)
        boards.append((read_run(made), board_of(read_run(made))))
    write_overall(boards, tmp_path / "out", Options(("json",)))
    rows = json.loads((tmp_path / "out" / "leaderboard.json").read_text())["rows"]
    assert {row["dataset"] for row in rows} == {"world:p0", "world:p1"}


def test_lines_of_pooled_groups_say_that_each_stands_by_itself(copied):
    curves = json.loads((copied / "curves.json").read_text())
    shown = curves["models"]["frailty"]
    for posterior in shown["posteriors"].values():
        posterior["prior"] = [1.0] * len(posterior["half_lives"])
    (copied / "curves.json").write_text(json.dumps(curves))
    figures = dict(of_board(board_of(read_run(copied), 20)))
    said = "each namespace by itself"
    assert any(said in text for text in words(figures["loss_half_life_frailty"]))
    assert not any(said in text for text in words(figures["posteriors_frailty"]))


def test_a_figure_names_the_models_whose_half_lives_the_log_cannot_tell(once):
    board = board_of(read_run(once))
    for lives in board.half_lives.values():
        lives[:] = [h._replace(verdict="not identifiable above 4 days") for h in lives]
    board.stored.curves["models"]["frailty"]["counts"] = {"count": [1, 2], "half_life": [3.0, 4.0]}
    shown = " ".join(words(dict(of_board(board))["half_life_count"]))
    assert "not identifiable: heuristic_deployed, frailty" in shown
