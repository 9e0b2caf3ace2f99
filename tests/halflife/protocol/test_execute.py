"""A whole half-life run: its folder, going on after an interruption, and logs that say nothing."""

import json
import math

import numpy as np
import polars as pl
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.experiment.progress import Progress
from hebb_lab.halflife.model import MODELS
from hebb_lab.halflife.protocol.sample import CASE_KEYS, ROW_KEYS
from hebb_lab.runs import read_run
from tests.experiment.tiny import result_of
from tests.halflife.small import FEW, Failing, registered, small_run, table_run


def entries(folder):
    return {entry["arm"]: entry for entry in result_of(folder)["models"]}


def test_a_run_folder_holds_everything(once):
    names = {path.name for path in once.iterdir()}
    assert names >= {
        "config.yaml", "env.json", "report.json", "result.json", "cases.parquet", "rows.parquet",
        "curves.json", "half_lives.yaml", "synapse_store.json", "log.txt", "leaderboard.md",
        "leaderboard.csv", "leaderboard.json", "leaderboard.tex",
    }  # fmt: skip
    assert not (once / "arms").exists()
    assert once.parent.name == "halflife"


def test_a_run_says_what_was_asked_and_of_what(once):
    result = result_of(once)
    assert result["kind"] == "halflife"
    assert result["settings"]["clock"] == "wall"
    assert result["unit"] == "days"
    assert result["rules"]["learning_rate"] == 0.3
    assert result["horizons"] == [7.0, 3.0]
    assert [block["scored"] for block in result["blocks"]] == [False, True, True, True]
    assert sum(g["pairs"] for g in result["groups"].values()) == result["pairs"] == 60
    total = sum(g["reactivations"] for g in result["groups"].values())
    assert total == result["reactivations"] == sum(b["reactivations"] for b in result["blocks"])
    assert [rows["horizon"] for rows in result["scored"]["rows"]] == [7.0, 3.0]


def test_all_models_are_scored_on_the_same_cases_and_rows(once):
    cases, rows = pl.read_parquet(once / "cases.parquet"), pl.read_parquet(once / "rows.parquet")
    assert cases.columns == [*CASE_KEYS, *FEW]
    assert rows.columns == [*ROW_KEYS, *FEW]
    for frame in (cases, rows):
        assert frame.height > 0
        assert sum(frame.null_count().row(0)) == 0
    assert rows.select((pl.col(*FEW) >= 0).all() & (pl.col(*FEW) <= 1).all()).row(0) == (True,) * 6
    assert cases.select(pl.col(*FEW).is_finite().all()).row(0) == (True,) * 6
    scored = result_of(once)["scored"]
    assert cases.height == scored["cases"]
    assert [r["rows"] for r in scored["rows"]] == [
        rows.filter(pl.col("horizon") == days).height for days in (7.0, 3.0)
    ]


def test_the_oracle_of_a_world_is_scored_and_no_better_model_is_made_up(once):
    found = entries(once)
    assert {name: entry["status"] for name, entry in found.items()} == dict.fromkeys(FEW, "ok")
    assert found["oracle"]["fell_back"] == []


def test_no_number_of_a_result_is_what_json_cannot_say(once):
    for name in ("result.json", "curves.json", "leaderboard.json"):
        json.loads((once / name).read_text(), parse_constant=pytest.fail)


def test_the_same_run_again_is_found_and_other_settings_are_another_run(once, tables_only):
    again = small_run(once.parents[1])
    assert (again.folder, again.status) == (once, "found")
    other = small_run(once.parents[1], "halflife.controls=4", models=("constant",))
    assert other.folder.name != once.name


def test_an_interrupted_run_goes_on_where_it_stopped_and_ends_the_same(
    tmp_path, monkeypatch, tables_only
):
    models = ("constant", "rate", "fixed")
    fits, fit = [], type(MODELS["rate"]).fit

    def stopping(self, history, training):
        fits.append(training.until)
        if len(fits) == 2:
            raise KeyboardInterrupt
        return fit(self, history, training)

    monkeypatch.setattr(type(MODELS["rate"]), "fit", stopping)
    with pytest.raises(KeyboardInterrupt):
        small_run(tmp_path, models=models)
    (partial,) = (tmp_path / "halflife").glob("*.partial")
    assert [path.stem for path in (partial / "arms").glob("*.json")] == ["constant"]
    monkeypatch.setattr(type(MODELS["rate"]), "fit", fit)
    constant = type(MODELS["constant"])
    monkeypatch.setattr(constant, "fit", lambda *_: pytest.fail("it was finished before"))
    resumed = small_run(tmp_path, models=models)
    monkeypatch.undo()
    whole = small_run(tmp_path / "other", models=models)
    assert resumed.folder.name == whole.folder.name
    for name in ("cases.parquet", "rows.parquet"):
        one, two = (pl.read_parquet(run.folder / name) for run in (resumed, whole))
        assert one.equals(two)


def test_a_failed_model_is_counted_and_the_others_are_as_they_were(
    once, tmp_path, monkeypatch, tables_only
):
    registered(monkeypatch, "failing", Failing())
    outcome = small_run(tmp_path, models=("rate", "failing"))
    assert outcome.status == "ok"
    found = entries(outcome.folder)
    assert found["failing"]["fell_back"] == [1, 2, 3]
    rows, before = (pl.read_parquet(f / "rows.parquet") for f in (outcome.folder, once))
    assert rows["failing"].equals(before["namespace_defaults"], null_equal=False)
    assert rows["rate"].equals(before["rate"])


def test_a_bug_in_a_model_leaves_its_traceback(tmp_path, monkeypatch, tables_only):
    registered(monkeypatch, "failing", Failing(ZeroDivisionError("by nothing")))
    outcome = small_run(tmp_path, models=("failing",))
    assert outcome.status == "ok"
    text = (outcome.folder / "tracebacks" / "failing.txt").read_text()
    assert "ZeroDivisionError: by nothing" in text


def test_where_not_even_the_constant_can_be_fitted_the_model_has_failed(
    tmp_path, monkeypatch, tables_only
):
    for name in ("failing", "namespace_defaults", "constant"):
        registered(monkeypatch, name, Failing())
    outcome = small_run(tmp_path, models=("failing", "rate"))
    assert outcome.status == "failed_arms"
    assert entries(outcome.folder)["failing"]["status"] == "failed"
    assert read_run(outcome.folder).failed == ["failing"]
    assert "failing failed: InputError" in (outcome.folder / "leaderboard.md").read_text()


def test_a_world_on_other_clocks_and_groups(tmp_path, tables_only):
    for number, more in enumerate(
        (["halflife.clock=sessions"], ["halflife.clock=active_days", "halflife.group_by=folder"],
         ["halflife.activity=none", "halflife.burn_in_days=20"])
    ):  # fmt: skip
        outcome = small_run(tmp_path / str(number), *more, models=("rate", "frailty", "oracle"))
        assert outcome.status == "ok"
        off_wall = "clock" in more[0]
        assert entries(outcome.folder)["oracle"]["status"] == ("skipped" if off_wall else "ok")


REGULAR = [(float(day), ["a", "b"]) for day in range(60)]
HOPELESS = {
    "no re-activation: none of 30 pairs": [(d, [f"a{d}", f"b{d}"]) for d in range(30)],
    "there are 2 recalls, too few to cut into 4 blocks": [(0.0, ["a", "b"]), (1.0, ["a", "b"])],
    "no re-activation in the blocks that are scored": [
        (0.0, ["a", "b"]), (1.0, ["a", "b"]), *((float(d), [f"c{d}", "d"]) for d in range(2, 20)),
    ],
    "no two nodes are active together": [(float(d), [f"a{d}"]) for d in range(20)],
}  # fmt: skip


@pytest.mark.parametrize("says", HOPELESS)
def test_a_hopeless_log_ends_with_a_sentence_and_without_a_folder(says, tmp_path, tables_only):
    with pytest.raises(InputError, match=says):
        table_run(tmp_path, HOPELESS[says])
    assert list((tmp_path / "runs").glob("*/*")) == []


def test_sessions_as_a_clock_need_two_of_them(tmp_path, tables_only):
    recalls = [(0.01 * i, ["a", "b"]) for i in range(40)]
    with pytest.raises(ConfigError, match="fewer than two sessions"):
        table_run(tmp_path, recalls, "halflife.clock=sessions")


ODD = {
    "all gaps equal": REGULAR,
    "a namespace with one pair": [*REGULAR, (60.5, ["x", "y"], "shared")],
    "ties in time": [
        (float(d // 3), nodes) for d in range(90) for nodes in (["a", "b"], ["c", "a"])
    ],
    "shorter than the horizon": [(0.05 * i, ["a", "b", f"c{i % 4}"]) for i in range(60)],
    "a year without anything": [
        *((0.1 * i, ["a", "b", f"c{i % 5}"]) for i in range(40)),
        *((400 + 0.1 * i, ["a", "b", f"c{i % 5}"]) for i in range(40)),
    ],
    "always back": [(0.5 * i, ["a", "b", "c"]) for i in range(90)],
}  # fmt: skip


@pytest.mark.parametrize("log", ODD)
def test_an_odd_log_gives_a_table_in_which_every_number_is_one(log, tmp_path, tables_only):
    outcome = table_run(tmp_path, ODD[log], models=("constant", *MODELS_OF_ODD))
    assert outcome.status == "ok"
    found = entries(outcome.folder)
    assert {entry["status"] for name, entry in found.items() if name != "oracle"} == {"ok"}
    rows = json.loads((outcome.folder / "leaderboard.json").read_text())["rows"]
    values = [row["value"] for row in rows if row["value"] is not None]
    assert values
    assert all(math.isfinite(value) for value in values)
    losses = pl.read_parquet(outcome.folder / "cases.parquet").select(list(found)[:-1])
    assert np.isfinite(losses.to_numpy()).all()


MODELS_OF_ODD = (
    "moving_average", "recency", "rate", "namespace_defaults", "heuristic_deployed",
    "heuristic_documented", "hierarchical", "log_linear", "empirical_bayes", "basis", "frailty",
    "power_law", "logistic", "stability", "oracle",
)  # fmt: skip


def test_a_real_log_has_no_oracle_which_is_skipped_and_alone_makes_no_numbers(
    tmp_path, tables_only
):
    outcome = table_run(tmp_path, REGULAR, models=("oracle",))
    entry = entries(outcome.folder)["oracle"]
    assert outcome.status == "ok"
    assert (entry["status"], entry["fell_back"]) == ("skipped", [])
    assert (
        "oracle skipped: the truth of a real log is not known"
        in (outcome.folder / "leaderboard.md").read_text()
    )
    rows = json.loads((outcome.folder / "leaderboard.json").read_text())["rows"]
    assert {row["value"] for row in rows} == {None}


def test_progress_is_told_of_models_and_blocks(tmp_path, tables_only, monkeypatch):
    told = []
    monkeypatch.setattr(Progress, "arms", lambda self, *what: told.append(what))
    small_run(tmp_path, models=("constant", "rate"))
    assert told == [
        ("constant on block 1", 0, 8), ("constant on block 2", 1, 8),
        ("constant on block 3", 2, 8), ("constant on the whole log", 3, 8),
        ("rate on block 1", 4, 8), ("rate on block 2", 5, 8), ("rate on block 3", 6, 8),
        ("rate on the whole log", 7, 8), ("", 8, 8),
    ]  # fmt: skip
