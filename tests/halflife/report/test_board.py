"""What stands in the table of models and what is said under it."""

import json
import math
import shutil

import numpy as np
import polars as pl
import pytest

from hebb_lab.halflife.report.board import board_of
from hebb_lab.halflife.report.scores import auc_within
from hebb_lab.halflife.report.tables import models_table
from hebb_lab.runs import read_run


def changed(once, place, result=None, rows=None):
    made = shutil.copytree(once, place)
    stored = json.loads((made / "result.json").read_text())
    (result or (lambda _: None))(stored)
    (made / "result.json").write_text(json.dumps(stored))
    if rows is not None:
        rows(pl.read_parquet(made / "rows.parquet")).write_parquet(made / "rows.parquet")
    return board_of(read_run(made))


def cell(board, model, head):
    table = models_table(board)
    place = table.head.index(head)
    row = next(i for i, cells in enumerate(table.cells) if cells[0] == model)
    return table.cells[row][place], (row, place) in table.best


def test_it_says_at_how_many_checkpoints_of_how_many_blocks_the_rows_lie(once, tmp_path):
    def one(rows):
        return rows.filter(pl.col("checkpoint") == pl.col("checkpoint").min())

    said = next(n for n in changed(once, tmp_path / "a", rows=one).notes if n.startswith("Scored"))
    assert "at 1 checkpoint of 1 block (" in said
    assert "% come back" in said


def test_a_cell_that_holds_the_predictions_of_another_model_has_a_dagger(once, tmp_path):
    def fell(result):
        for entry in result["models"]:
            if entry["arm"] == "frailty":
                entry["fell_back"] = [1]
                entry["splits"][0] |= {"fell_back": "too few.", "parameters": {}}

    def first(rows):
        return rows.filter((pl.col("horizon") != 7) | (pl.col("block") == 1))

    board = changed(once, tmp_path / "a", fell, first)
    assert cell(board, "frailty", "log loss 7 d")[0].endswith("†")
    assert not cell(board, "rate", "log loss 7 d")[0].endswith("†")
    note = next(note for note in board.notes if note.startswith("frailty fell back"))
    assert "† Scored as namespace_defaults: " in note
    assert "all rows at 7 days" in note
    assert "% of re-activations" in note


def test_an_order_is_judged_within_a_checkpoint_and_not_by_when_it_was_made():
    again = np.array([True, True, False, False, False, True])
    checkpoint = np.array([1, 1, 1, 2, 2, 2])
    by_time = np.array([0.9, 0.9, 0.9, 0.1, 0.1, 0.1])
    assert auc_within(by_time, again, checkpoint) == 0.5
    one_side = np.array([True, True, True, False, False, False])
    assert math.isnan(auc_within(by_time, one_side, checkpoint))


def test_the_best_is_not_marked_where_all_look_the_same_or_none_beats_chance(once, tmp_path):
    models = [m["arm"] for m in json.loads((once / "result.json").read_text())["models"]]

    def same(rows):
        return rows.with_columns(pl.lit(0.3).alias(m) for m in models)

    def wrong(rows):
        p = pl.when(pl.col("again")).then(0.1).otherwise(0.9)
        return rows.with_columns(p.alias(m) for m in models)

    equal = changed(once, tmp_path / "a", rows=same)
    assert not any(cell(equal, m, "log loss 7 d")[1] for m in models)
    worse = changed(once, tmp_path / "b", rows=wrong)
    assert not any(cell(worse, m, "AUC within checkpoints")[1] for m in models)


@pytest.mark.parametrize(("again", "decimals"), [(125, 4), (17, 5), (2, 6), (0, 4)])
def test_small_losses_show_three_digits(once, tmp_path, again, decimals):
    def rare(result):
        result["scored"]["rows"][0] |= {"rows": 10_000, "again": again}

    shown, _ = cell(changed(once, tmp_path / "a", rare), "rate", "Brier")
    assert len(shown.partition(".")[2]) == decimals


def fallen(*parts):
    """A change of a run: frailty is replaced in these parts of all blocks."""

    def change(result):
        for entry in result["models"]:
            if entry["arm"] == "frailty":
                entry["fell_back"] = [1, 2, 3]
                for split in entry["splits"]:
                    fitted = {"level[shared]": {"value": 1.0}}
                    split |= {
                        "fell_back": "too few.", "replaced": list(parts), "parameters": fitted,
                    }  # fmt: skip

    return change


def test_a_model_that_fell_back_in_every_block_is_compared_with_nothing(once, tmp_path):
    board = changed(once, tmp_path / "a", fallen("7 days"))
    for rival in ("heuristic_deployed", "rate"):
        assert cell(board, "frailty", f"Δ {rival}")[0] != "–"  # by the partial likelihood
        assert board.scores.delta("log loss@7d", rival, "frailty") is None
        assert board.scores.delta("log loss@3d", rival, "frailty") is not None
    assert cell(board, "frailty", "log loss 7 d")[0].endswith("†")
    assert not cell(board, "frailty", "partial-likelihood loss")[0].endswith("†")
    before = board_of(read_run(once))
    for model in ("namespace_defaults", "constant"):  # the others are as they were
        deltas = (b.scores.delta("log loss@7d", "rate", model) for b in (board, before))
        assert len(set(deltas)) == 1


def test_re_activations_without_a_control_are_not_among_the_thinned_out(once, tmp_path):
    def alone(result):
        result["scored"] |= {"cases": 0, "cases_thinned_out": 0, "cases_without_control": 1300}

    board = changed(once, tmp_path / "a", alone)
    said = next(n for n in board.notes if n.startswith("Scored"))
    assert "0 re-activations (1,300 more have no live pair beside them and tell nothing)" in said
    assert not said.partition(";")[0].endswith("thinned out")


def test_what_intervals_are_made_of_is_not_called_a_block(once):
    assert any("stretches of 7 days resampled" in note for note in board_of(read_run(once)).notes)
