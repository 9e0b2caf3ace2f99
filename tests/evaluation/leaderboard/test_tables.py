"""Markdown, CSV, JSON and LaTeX of one leaderboard."""

import io
import json
import re

import polars as pl
import pytest

from hebb_lab.evaluation.leaderboard import (
    Leaderboard,
    Settings,
    as_json,
    csv,
    latex,
    leaderboard,
    markdown,
    merge,
    write_leaderboard,
)

from .example import describe, example_source

QUICK = Settings(("R@10", "any@10"), ("any@10",), resamples=100, flips=99)


@pytest.fixture(scope="module")
def board():
    more = [describe("broken_arm", status="failed", error="100 % | wrong_thing")]
    source = example_source(describe_more=more, excluded={"next_touch": {"first block": 7}})
    return leaderboard(source, QUICK)


def test_json_holds_the_rows_and_null_for_what_is_not_known(board):
    text = as_json(board)
    assert "NaN" not in text
    assert json.loads(text) == {"rows": board.rows.to_dicts()}
    assert json.loads(text)["rows"][-1]["value"] is None
    assert json.loads(as_json(merge([]))) == {"rows": []}


def test_csv_gives_the_same_numbers_with_intervals_in_two_columns(board):
    table = pl.read_csv(io.StringIO(csv(board)))
    assert len(table) == len(board.rows)
    assert table["value"].equals(board.rows["value"])
    for name in ("ci95", "delta_ci95", "tie_band"):
        for place, end in enumerate(("low", "high")):
            column = f"{name}_{end}"
            assert table[column].equals(board.rows[name].list.get(place).rename(column)), column
    assert table["edges_per_query"].equals(board.rows["edges_per_query"])


def test_markdown_sorts_by_the_headline_and_keeps_failed_arms_last(board):
    lines = [line for line in markdown(board).splitlines() if line.startswith("| ")]
    arms = [line.split("|")[1].strip() for line in lines[2:]]
    values = dict(board.rows.filter(metric="any@10").select("arm", "value").iter_rows())
    ok = [arm for arm in arms if values[arm] is not None]
    assert ok == sorted(ok, key=lambda arm: -values[arm])
    assert arms[-1] == "broken_arm"
    assert lines[-1].rstrip(" |").endswith("failed")


def test_every_line_of_a_table_has_the_same_number_of_cells(board):
    lines = [line for line in markdown(board).splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {11}
    rows = [line for line in latex(board).splitlines() if line.endswith(r"\\")]
    assert {line.count(" & ") for line in rows} == {9}


def test_markdown_says_what_belongs_under_the_table(board):
    text = markdown(board)
    assert text.startswith("## git · next_touch\n")
    assert "- Left out: first block: 7." in text
    assert "- broken_arm failed: 100 % | wrong_thing." in text
    assert "Δ: difference to arm0" in text


def test_the_best_value_of_every_metric_is_bold(board):
    best = max(v for v in board.rows.filter(metric="any@10")["value"] if v is not None)
    assert f"**{best:.3f} [" in markdown(board)
    assert rf"\textbf{{{best:.3f} [" in latex(board)


def test_costs_stand_behind_the_metrics_in_few_digits(board):
    lines = [line for line in markdown(board).splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines if "broken" not in line]
    assert cells[0][-5:-1] == ["tokens", "ms", "edges", "bytes"]
    costs = {row[0].lstrip("| "): row[-5:-1] for row in cells[2:]}
    assert costs["arm0"] == ["100", "1.50", "0", "1.2k"]
    assert costs["arm2"] == ["300", "1.50", "59", "1.2k"]
    assert " & tokens & ms & edges & bytes & " in latex(board)


def test_several_bases_are_named_row_by_row():
    source = example_source()
    source.arms[2]["base"] = "arm1"
    text = markdown(leaderboard(source, QUICK))
    assert "| arm | base |" in text
    assert "| arm2 | arm1 |" in text


def test_latex_escapes_what_latex_would_read(board):
    text = latex(board)
    assert r"broken\_arm" in text
    assert r"100 \%" in text
    assert not re.search(r"(?<!\\)[_%#]", text)
    assert r"\toprule" in text
    assert text.isascii()


def test_all_four_files_are_written_and_are_the_same_when_written_again(board, tmp_path):
    paths = write_leaderboard(board, tmp_path / "out")
    assert [path.name for path in paths] == [
        f"leaderboard.{e}" for e in ("md", "csv", "json", "tex")
    ]
    before = [path.read_bytes() for path in paths]
    write_leaderboard(board, tmp_path / "out")
    assert [path.read_bytes() for path in paths] == before


def test_an_empty_leaderboard_is_written_without_a_table(tmp_path):
    empty: Leaderboard = merge([])
    assert markdown(empty) == latex(empty) == ""
    assert len(write_leaderboard(empty, tmp_path)) == 4
