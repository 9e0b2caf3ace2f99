"""Half-lives in words, and claims that rest on what there is."""

import json
import math
import shutil

import polars as pl
import pytest

from hebb_lab.halflife.report.board import board_of
from hebb_lab.halflife.report.stored import Stored
from hebb_lab.halflife.report.tables import half_life_table
from hebb_lab.halflife.report.verdicts import legend
from hebb_lab.halflife.report.words import HalfLife, half_lives_of
from hebb_lab.runs import read_run


def half_life(value, low=math.nan, high=math.nan, verdict="", source="fitted"):
    return HalfLife("frailty", "personal", value, low, high, 13_033, verdict, source)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (half_life(0.36, 0.28, 0.42),
         "personal: 0.36 days [0.28, 0.42], from 13,033 re-activations"),
        (half_life(61, 23, math.inf, "not identifiable above 23 days on this log"),
         "personal: not identifiable above 23 days on this log, from 13,033 re-activations"),
        (half_life(math.nan, 0, math.inf, "only 4 re-activations: no estimate"),
         "personal: only 4 re-activations: no estimate, from 13,033 re-activations"),
        (half_life(math.inf), "personal: no decay, from 13,033 re-activations"),
        (half_life(30, source="given"), "personal: 30 days (given, not fitted)"),
        (half_life(1, source="given"), "personal: 1 day (given, not fitted)"),
        (half_life(21, 13.2, 50.9, source="pairs"),
         "personal: 21 days, pairs [13.2, 50.9], from 13,033 re-activations"),
        (half_life(21, 13.2, 50.9, source="pairs")._replace(events=0),
         "personal: 21 days, pairs [13.2, 50.9]"),
        (half_life(5, 4, 6, "the search did not converge"),
         "personal: 5 days [4, 6], from 13,033 re-activations (the search did not converge)"),
        (half_life(0.7, 0.6, 0.8, source="exponent"),
         "personal: exponent 0.7 [0.6, 0.8], from 13,033 re-activations"),
        (half_life(1.5, 1.2, math.inf, "on the end of the grid", "exponent"),
         "personal: exponent 1.5 [1.2, open], from 13,033 re-activations (on the end of the grid)"),
    ],
)  # fmt: skip
def test_a_half_life_is_told_with_its_interval_or_what_the_log_cannot_tell(told, sentence):
    assert told.sentence("days") == sentence


def test_published_half_lives_are_given_and_the_rate_does_not_decay(once):
    board = board_of(read_run(once))
    lives = {name: {h.group: h for h in found} for name, found in board.half_lives.items()}
    assert lives["namespace_defaults"]["shared"].words("days") == "60 days (given, not fitted)"
    assert lives["rate"]["shared"].words("days") == "no decay"
    assert lives["rate"]["shared"].counted
    assert lives["rate"]["shared"].events > 0
    assert not lives["heuristic_deployed"]["shared"].counted
    assert lives["heuristic_deployed"]["shared"].source == "pairs"
    assert lives["constant"] == {}
    assert half_lives_of(board.stored, "frailty")[0].events > 0


def changed(once, place, frames=None, ends=(1.0, 9.0), **result):
    """A copy of a run with parts of its files changed; ends of frailty's half-lives among them."""
    made = shutil.copytree(once, place)
    stored = json.loads((made / "result.json").read_text())
    (frailty,) = (entry for entry in stored["models"] if entry["arm"] == "frailty")
    for name, estimate in (frailty["final"] or {"parameters": {}})["parameters"].items():
        if name.startswith("half_life"):
            estimate.update(value=3.0, low=ends[0], high=ends[1])
    stored.update(result)
    (made / "result.json").write_text(json.dumps(stored))
    for name, change in (frames or {}).items():
        change(pl.read_parquet(made / name)).write_parquet(made / name)
    return board_of(read_run(made))


def claim_of(board):
    (claim,) = board.claims
    return claim


def test_who_beats_both_on_the_log_loss_helps(once, tmp_path):
    def sure(rows):
        p = pl.when(pl.col("again")).then(0.99).otherwise(0.01)
        return rows.with_columns(p.alias("frailty"))

    claim = claim_of(changed(once, tmp_path / "a", {"rows.parquet": sure}))
    assert claim.finding == "helps"
    assert claim.sentence.startswith("by the log loss at 7 days: learned half-lives help: ")
    assert " By the partial-likelihood loss: " in claim.sentence


def test_who_helps_where_not_even_fading_is_shown_helps_by_something_else(once, tmp_path):
    def sure(rows):
        p = pl.when(pl.col("again")).then(0.99).otherwise(0.01)
        return rows.with_columns(p.alias("frailty"))

    board = changed(once, tmp_path / "a", {"rows.parquet": sure}, ends=(1.0, None))
    assert claim_of(board).by_log_loss == "helps, not by fading"
    assert "not by half-lives, which this log cannot tell" in claim_of(board).sentence


@pytest.mark.parametrize(
    ("parameters", "fades"),
    [
        ({"half_life[a]": (3, 1, 9)}, True),
        ({"half_life[a]": (3, 1, None)}, False),
        ({"half_life[a]": (None, None, None)}, False),
        ({"half_life[a]": (3, 1, None), "half_life[b]": (3, 0, 9)}, True),
        ({"half_life[a]": (3, 1, 9), "half_life_alone[a]": (3, 1, None)}, False),
        ({"half_life_sessions[a]": (3, 1, None)}, False),
        ({"half_life_once[a]": (3, 1, None)}, True),
        ({"exponent": (0.7, 0.6, None)}, True),
        ({"exponent": (0.1, 0.0, 0.3)}, False),
        ({}, True),
    ],
)
def test_a_log_shows_fading_where_an_interval_refuses_that_there_is_none(
    once, parameters, fades
):  # fmt: skip
    stored = Stored(read_run(once))
    named = {
        name: dict(zip(("value", "low", "high"), ends, strict=True))
        for name, ends in parameters.items()
    }
    models = {"frailty": {"final": {"parameters": named}}}
    told = type("Told", (), {"models": models, "fades": Stored.fades})()
    assert told.fades("frailty") is fades
    assert stored.fades("rate")


@pytest.mark.parametrize(
    ("alone", "median", "words"),
    [
        (("", 3.0), 20.0, "20 days, pairs [20, 20]"),
        (("not identifiable above 4.4 days on this log", 90.0), 672.0,
         "not identifiable above 4.4 days on this log"),
        (("only 4 re-activations: no estimate of its own", None), 20.0,
         "only 4 re-activations: no estimate of its own"),
        (("", 3.0), 1999.0, "not identifiable: on the upper end of what is fitted"),
        (("", 3.0), 0.02, "not identifiable: on the lower end of what is fitted"),
    ],
)  # fmt: skip
def test_half_lives_of_pairs_are_told_only_where_one_for_all_of_them_could_be(
    once, tmp_path, alone, median, words
):
    made = shutil.copytree(once, tmp_path / "a")
    stored = json.loads((made / "result.json").read_text())
    (entry,) = (entry for entry in stored["models"] if entry["arm"] == "frailty")
    group = next(iter(stored["groups"]))
    entry["final"]["parameters"] = {
        f"half_life_alone[{group}]": {
            "value": alone[1], "low": 0, "high": None, "events": 20, "verdict": alone[0]
        }
    }  # fmt: skip
    entry["half_lives"] = {
        group: {"median": median, "low": median, "high": median, "pairs": 9, "constant": False,
                "no_decay": False}
    }  # fmt: skip
    (made / "result.json").write_text(json.dumps(stored))
    (told,) = half_lives_of(Stored(read_run(made)), "frailty")
    assert told.words("days") == words
    assert told.counted
    assert told.told is (words == "20 days, pairs [20, 20]")


def test_who_is_worse_harms(once, tmp_path):
    def wrong(rows):
        p = pl.when(pl.col("again")).then(0.01).otherwise(0.99)
        return rows.with_columns(p.alias("frailty"))

    assert claim_of(changed(once, tmp_path / "a", {"rows.parquet": wrong})).finding == "harms"


def test_without_a_row_at_the_headline_the_claim_rests_on_the_partial_likelihood_and_says_so(
    once, tmp_path
):
    def none(rows):
        return rows.filter(pl.col("horizon") != 7)

    def better(cases):
        return cases.with_columns(pl.col("frailty") - 5)

    board = changed(once, tmp_path / "a", {"rows.parquet": none, "cases.parquet": better})
    claim = claim_of(board)
    assert claim.finding == "helps"
    assert claim.sentence.startswith("no checkpoint has 7 days of log after it, so by the partial")
    assert math.isnan(board.scores.values["frailty"]["log loss@7d"])
    assert (
        "no interval for the log loss@7d: no row, for no checkpoint of the scored blocks has"
        in (legend(board.stored, board.notes))
    )
    no_case = changed(once, tmp_path / "b", {"cases.parquet": lambda cases: cases.clear()})
    assert "no case, for no re-activation has a live pair" in legend(no_case.stored, no_case.notes)


def test_one_class_only_leaves_out_what_needs_two(once, tmp_path):
    def never(rows):
        return rows.with_columns(again=pl.lit(False))

    board = changed(once, tmp_path / "a", {"rows.parquet": never})
    assert math.isnan(board.scores.values["rate"]["AUC within checkpoints@7d"])
    assert math.isfinite(board.scores.values["rate"]["log loss@7d"])


def test_a_log_of_few_days_has_no_interval_and_says_why(once, tmp_path):
    def soon(frame):
        return frame.with_columns(time_us=pl.lit(0, pl.Int64))

    board = changed(once, tmp_path / "a", {"rows.parquet": soon, "cases.parquet": soon})
    assert claim_of(board).finding == "no interval"
    assert "could not be compared with the heuristic (no interval)" in claim_of(board).sentence
    assert any("No interval for the log loss@7d: the log has 0 stretches" in n for n in board.notes)


def test_a_model_that_was_never_fitted_has_no_claim(once, tmp_path):
    models = json.loads((once / "result.json").read_text())["models"]
    for entry in models:
        if entry["arm"] == "frailty":
            entry["fell_back"] = [1, 2, 3]
            for split in entry["splits"]:
                split |= {"fell_back": "too little", "parameters": {}}
    board = changed(once, tmp_path / "a", models=models)
    assert claim_of(board).finding == "not fitted"
    assert "it could not be fitted before any of the 3 blocks" in claim_of(board).sentence
    assert any("frailty fell back to namespace_defaults in 3 of 3" in note for note in board.notes)


def test_by_a_loss_that_is_all_of_the_fallback_a_model_has_no_claim(once, tmp_path):
    models = json.loads((once / "result.json").read_text())["models"]
    for entry in models:
        if entry["arm"] == "frailty":
            entry["fell_back"] = [1, 2, 3]
            for split in entry["splits"]:
                fitted = {"level[shared]": {"value": 1.0}}
                split |= {"fell_back": "no", "parameters": fitted, "replaced": ["7 days"]}
    claim = claim_of(changed(once, tmp_path / "a", models=models))
    assert (claim.finding, claim.by_log_loss) == ("fell back", "fell back")
    assert claim.by_partial not in ("fell back", "not fitted")
    assert claim.sentence.startswith("by the log loss at 7 days: no claim, for it fell back in")


def test_a_rival_that_is_not_among_the_models_is_asked_for(once, tmp_path):
    models = [m for m in json.loads((once / "result.json").read_text())["models"]
              if m["arm"] != "rate"]  # fmt: skip
    board = changed(once, tmp_path / "a", models=models)
    assert any("rate is not scored, so nothing is compared with it" in n for n in board.notes)
    assert claim_of(board).finding == "rate is not scored"


def test_a_half_life_on_a_clock_of_the_models_own_is_told_in_its_unit(once, tmp_path):
    models = json.loads((once / "result.json").read_text())["models"]
    told = {"value": 12.0, "low": 9.0, "high": 15.0, "events": 40, "verdict": "in sessions"}
    for entry in models:
        if entry["arm"] == "frailty":
            entry["final"]["parameters"] = {"half_life_sessions[shared]": told}
    board = changed(once, tmp_path / "a", models=models)
    lives = {h.group: h for h in board.half_lives["frailty"]}
    said = "shared: 12 sessions [9, 15], from 40 re-activations"
    assert lives["shared"].sentence("days") == said
    row = [r for r in board.rows() if r["arm"] == "frailty" and "sessions" in r["metric"]]
    assert [r["metric"] for r in row] == ["half-life[shared], sessions"]


def test_a_power_law_has_its_exponent_among_the_half_lives(once, tmp_path):
    models = json.loads((once / "result.json").read_text())["models"]
    told = {"value": 0.7, "low": 0.6, "high": 0.8, "events": 40, "verdict": ""}
    for entry in models:
        if entry["arm"] == "frailty":
            entry["final"]["parameters"], entry["half_lives"] = {"exponent": told}, {}
    board = changed(once, tmp_path / "a", models=models)
    rows = [cells for cells in half_life_table(board).cells if cells[0] == "frailty"]
    assert [cells[1:3] for cells in rows] == [["all", "exponent 0.7 [0.6, 0.8]"]]
    assert "exponent" in [r["metric"] for r in board.rows() if r["arm"] == "frailty"]
    assert "its forecasts" in claim_of(board).sentence


def test_the_truth_of_a_world_stands_beside_what_was_found(once, tmp_path):
    groups = {
        "personal": {"median": 30.0, "low": 13.2, "high": 61.4},
        "shared": {"median": 60.0, "low": 60.0, "high": 60.0},
        "ephemeral": {"median": None, "low": None, "high": None},
    }
    board = changed(once, tmp_path / "a", truth={"groups": groups, "exponent": None})
    table = half_life_table(board)
    place = table.head.index("truth")
    told = {cells[1]: cells[place] for cells in table.cells if cells[0] == "namespace_defaults"}
    assert told["personal"] == "30 (13.2 to 61.4)"
    assert told["shared"] == "60"
    assert told.get("ephemeral", "no decay") == "no decay"
    unknown = changed(once, tmp_path / "b", truth=None)
    assert "truth" not in half_life_table(unknown).head
