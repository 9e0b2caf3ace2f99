"""The loop over arms: none is lost, finished ones are not repeated, inert ones are marked."""

import json
import logging

import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.evaluation.trec import read_run
from hebb_lab.experiment import ablation
from hebb_lab.experiment.methods import METHODS
from hebb_lab.runs import PER_QUERY_SCHEMA
from hebb_lab.runs import read_run as stored_run
from tests.experiment.tiny import FEW_ARMS, few, result_of, rows_of, run

pytestmark = pytest.mark.usefixtures("tables_only")
WITH_TROUBLE = {**FEW_ARMS, "trouble": {"method": "trouble"}, "last": {"method": "popularity"}}


@pytest.fixture
def trouble(monkeypatch):
    """A method whose behaviour a test chooses, and how often each arm was asked."""

    class Trouble:
        def __init__(self):
            self.error = ValueError("the hub is on fire")
            self.asked = []

        def __call__(self, shop, task, arm):
            if self.error is not None:
                raise self.error
            return recency(shop, task, arm)

    recency = METHODS["recency"]
    made = Trouble()
    for name, method in list(METHODS._entries.items()):

        def counted(shop, task, arm, method=method):
            made.asked.append(arm.name)
            return method(shop, task, arm)

        monkeypatch.setitem(METHODS._entries, name, counted)
    monkeypatch.setitem(METHODS._entries, "trouble", made)
    return made


def statuses(folder):
    return {arm["arm"]: arm["status"] for arm in result_of(folder)["arms"]}


def test_a_failing_arm_keeps_its_traceback_and_the_others_go_on(tmp_path, trouble):
    outcome = run(few(tmp_path, WITH_TROUBLE))
    assert outcome.status == "failed_arms"
    assert statuses(outcome.folder) == dict.fromkeys(WITH_TROUBLE, "ok") | {"trouble": "failed"}
    text = (outcome.folder / "arms" / "trouble.traceback.txt").read_text()
    assert "ValueError: the hub is on fire" in text
    assert "test_ablation.py" in text
    rows = {row["arm"]: row for row in rows_of(outcome.folder) if row["metric"] == "any@10"}
    assert (rows["trouble"]["status"], rows["trouble"]["value"]) == ("failed", None)
    assert rows["last"]["value"] > 0


def test_a_failed_arm_is_tried_again_and_the_finished_ones_are_not(tmp_path, trouble):
    first = run(few(tmp_path, WITH_TROUBLE))
    trouble.error, trouble.asked = None, []
    second = run(few(tmp_path, WITH_TROUBLE))
    assert second.folder == first.folder
    assert second.status == "ok"
    assert trouble.asked == []
    assert set(statuses(second.folder).values()) == {"ok"}
    assert not (second.folder / "arms").exists()


def test_an_arm_that_fails_again_keeps_the_run_marked(tmp_path, trouble):
    run(few(tmp_path, WITH_TROUBLE))
    trouble.asked = []
    assert run(few(tmp_path, WITH_TROUBLE)).status == "failed_arms"
    assert trouble.asked == []


def test_a_finished_run_is_found_not_repeated(tmp_path, trouble, caplog):
    first = run(few(tmp_path))
    before = {path: path.stat().st_mtime_ns for path in first.folder.rglob("*")}
    trouble.asked = []
    with caplog.at_level(logging.INFO, "hebb_lab"):
        second = run(few(tmp_path))
    assert (second.status, second.folder) == ("found", first.folder)
    assert trouble.asked == []
    assert "is finished: nothing to do" in caplog.text
    assert {path: path.stat().st_mtime_ns for path in first.folder.rglob("*")} == before


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, trouble):
    trouble.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        run(few(tmp_path, WITH_TROUBLE))
    (partial,) = (tmp_path / "ablation").iterdir()
    assert partial.name.endswith(".partial")
    assert "last" not in trouble.asked
    trouble.error, trouble.asked = None, []
    outcome = run(few(tmp_path, WITH_TROUBLE))
    assert outcome.status == "ok"
    assert set(trouble.asked) == {"last"}
    assert list(statuses(outcome.folder)) == list(WITH_TROUBLE)
    assert [path.name for path in (tmp_path / "ablation").iterdir()] == [outcome.folder.name]


def test_an_interrupted_run_ends_with_the_numbers_of_one_that_was_not(tmp_path, trouble):
    trouble.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        run(few(tmp_path / "a", WITH_TROUBLE))
    trouble.error = None
    resumed, whole = (run(few(tmp_path / name, WITH_TROUBLE)).folder for name in "ab")
    clock = ("ms_per_query", "wall_s")
    assert rows_of(resumed, *clock) == rows_of(whole, *clock)


def test_an_arm_that_cannot_run_here_is_skipped_and_no_failure(tmp_path, trouble):
    trouble.error = MissingExtraError("no such model", "Install it")
    outcome = run(few(tmp_path, WITH_TROUBLE))
    assert outcome.status == "ok"
    assert statuses(outcome.folder)["trouble"] == "skipped"
    rows = [row for row in rows_of(outcome.folder) if row["arm"] == "trouble"]
    assert {row["status"] for row in rows} == {"skipped"}
    assert {row["value"] for row in rows} == {None}


def test_a_ranking_out_of_order_fails_its_arm(tmp_path, monkeypatch):
    def upside_down(shop, task, arm):
        answer = METHODS["recency"](shop, task, arm)
        answer.ranking.scores[:, 0], answer.ranking.scores[:, 1] = 0.5, 0.7
        return answer

    monkeypatch.setitem(METHODS._entries, "upside_down", upside_down)
    outcome = run(few(tmp_path, {**FEW_ARMS, "wrong": {"method": "upside_down"}}))
    assert statuses(outcome.folder)["wrong"] == "failed"


def test_an_arm_that_changes_no_ranking_is_inert_and_one_that_changes_one_is_not(tmp_path):
    outcome = run(few(tmp_path))
    inert = {row["arm"]: row["inert"] for row in rows_of(outcome.folder)}
    assert inert["unused_switch"] is True  # the boost of a layer that boosts nothing
    assert inert["half_life_1d"] is False
    assert inert["recency"] is False
    arms = {arm["arm"]: arm for arm in result_of(outcome.folder)["arms"]}
    assert arms["unused_switch"]["rankings"] == arms["half_life_30d"]["rankings"]
    assert arms["half_life_1d"]["rankings"] != arms["half_life_30d"]["rankings"]


def test_one_changed_ranking_is_enough_to_be_no_longer_inert(tmp_path, monkeypatch):
    def nearly(shop, task, arm):
        answer = METHODS["spread"](shop, task, shop.arms[0])
        ranking = answer.ranking
        if len(ranking) > 1:
            ranking.ids[-1, -1], ranking.scores[-1, -1] = -1, float("-inf")
            last = int((ranking.ids[-1] >= 0).sum()) - 1
            ranking.ids[-1, last], ranking.scores[-1, last] = -1, float("-inf")
        return answer

    monkeypatch.setitem(METHODS._entries, "nearly", nearly)
    arms = {**FEW_ARMS, "nearly": {"method": "nearly"}}
    outcome = run(few(tmp_path, arms))
    inert = {row["arm"]: row["inert"] for row in rows_of(outcome.folder)}
    assert (inert["nearly"], inert["unused_switch"]) == (False, True)


def test_rows_have_what_any_metric_needs_one_for_each_query_and_arm(tmp_path):
    outcome = run(few(tmp_path))
    stored = stored_run(outcome.folder)
    count = result_of(outcome.folder)["tasks"][0]["n"]
    assert stored.per_query.schema == PER_QUERY_SCHEMA
    assert stored.per_query.height == count * len(FEW_ARMS)
    assert stored.per_query["query_id"].n_unique() == count
    assert {len(ranks) for ranks in stored.per_query["ranks"]} == {1}


GRID = {
    **FEW_ARMS,
    "half_life_3d": {"rules": {"half_life_personal_days": 3}},
    "two_hops": {"rules": {"hops": 2}},
    "two_hops_source_row": {"rules": {"hops": 2, "normalisation": "source_row"}},
    "power_law": {"rules": {"decay_shape": "power_law"}},
    "transitions": {"layers": ["transitions"]},
    "both": {"layers": ["synapse", "transitions"]},
    "nothing": {"layers": []},
    "pagerank": {"method": "pagerank"},
}


def entries_of(folder):
    return {arm["arm"]: arm for arm in result_of(folder)["arms"]}


@pytest.mark.parametrize("task", ["first_touch", "prompt_to_files"])
def test_arms_that_walk_together_have_the_numbers_of_each_alone(tmp_path, monkeypatch, task):
    folders = []
    for name in ("together", "alone"):
        values = few(tmp_path / name, GRID)
        values["dataset"] |= {"tasks": [task]}
        if name == "alone":
            monkeypatch.setattr(ablation, "walks_with", lambda shop, task, arm: None)
        folders.append(run(values).folder)
    clock = ("ms_per_query", "wall_s")
    assert rows_of(folders[0], *clock) == rows_of(folders[1], *clock)
    together, alone = map(entries_of, folders)
    assert list(together) == list(GRID)
    assert {arm: entry["rankings"] for arm, entry in together.items()} == {
        arm: entry["rankings"] for arm, entry in alone.items()
    }
    assert {entry["arms_in_walk"] for entry in alone.values()} == {1}
    shared = {arm: entry["arms_in_walk"] for arm, entry in together.items()}
    assert shared == dict.fromkeys(GRID, 1) | {
        "half_life_30d": 4, "half_life_1d": 4, "half_life_3d": 4, "unused_switch": 4,
        "two_hops": 2, "two_hops_source_row": 2,
    }  # fmt: skip


def test_the_time_of_an_arm_is_its_share_of_the_walk(tmp_path):
    entries = entries_of(run(few(tmp_path, GRID)).folder)
    times = {arm: entry["ms_per_query"]["first_touch"] for arm, entry in entries.items()}
    assert times["half_life_30d"] == times["half_life_1d"] == times["unused_switch"] > 0
    assert times["two_hops"] == times["two_hops_source_row"] > 0


def test_an_arm_that_fails_in_a_walk_of_several_fails_alone(tmp_path, monkeypatch, caplog):
    spread = METHODS["spread"]

    def alone(shop, task, arm):
        if arm.name == "half_life_1d":
            raise ValueError("the hub is on fire")
        return spread(shop, task, arm)

    def together(shop, task, arms):
        raise ValueError("the hub is on fire")

    monkeypatch.setitem(METHODS._entries, "spread", alone)
    monkeypatch.setattr(ablation, "spread_together", together)
    outcome = run(few(tmp_path))
    assert statuses(outcome.folder) == dict.fromkeys(FEW_ARMS, "ok") | {"half_life_1d": "failed"}
    assert "3 arms that walk together failed (ValueError: the hub is on fire)" in caplog.text


def test_finished_arms_are_left_out_of_the_walk(tmp_path, monkeypatch):
    def never(shop, task, arm):
        raise ValueError("not yet")

    arms = {**FEW_ARMS, "late": {"method": "late"}}
    monkeypatch.setitem(METHODS._entries, "late", never)
    first = run(few(tmp_path, arms))
    (first.folder / "arms" / "half_life_1d.json").unlink()
    monkeypatch.setitem(METHODS._entries, "late", METHODS["recency"])
    entries = entries_of(run(few(tmp_path, arms)).folder)
    assert (entries["half_life_1d"]["arms_in_walk"], entries["half_life_30d"]["arms_in_walk"]) == (
        1, 3,
    )  # fmt: skip


def test_so_many_arms_walk_together_as_memory_takes(tmp_path, monkeypatch):
    monkeypatch.setattr(ablation, "RANKING_BYTES", 1)
    entries = entries_of(run(few(tmp_path)).folder)
    assert {entry["arms_in_walk"] for entry in entries.values()} == {1}


@pytest.mark.parametrize(
    ("wanted", "tags"), [("none", set()), ("base", {"half_life_30d"}), ("all", set(FEW_ARMS))]
)
def test_the_rankings_of_the_arms_that_are_wanted_go_to_run_trec(tmp_path, wanted, tags):
    values = few(tmp_path)
    values["evaluation"] |= {"trec": wanted, "trec_depth": 4}
    outcome = run(values)
    lines = (outcome.folder / "run.trec").read_text().splitlines()
    assert {line.split()[-1] for line in lines} == tags
    if wanted == "base":
        ranked = read_run(outcome.folder / "run.trec")
        assert max(len(nodes) for nodes in ranked.values()) == 4


def test_an_entry_of_an_arm_says_what_it_did(tmp_path):
    outcome = run(few(tmp_path))
    entry = next(a for a in result_of(outcome.folder)["arms"] if a["arm"] == "half_life_1d")
    assert entry["changed"] == {"half_life_personal_days": 1}
    assert entry["parameters"]["half_life_days"] == 1
    assert entry["base"] == "half_life_30d"
    assert entry["ms_per_query"]["first_touch"] > 0
    assert len(entry["rankings"]["first_touch"]) == 64
    json.dumps(entry, allow_nan=False)
