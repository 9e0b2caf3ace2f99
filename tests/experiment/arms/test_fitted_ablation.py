"""Ablations with fitted half-lives, whole: on their own log, on another, and without a leak."""

import json
import logging
from functools import cache

import numpy as np
import polars as pl
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.leaderboard import markdown
from hebb_lab.experiment.ablation import run_arms
from hebb_lab.experiment.arms import arms_of
from hebb_lab.experiment.arms.answerable import REASON, answerable, on_dataset, parts
from hebb_lab.experiment.arms.entries import FITTED
from hebb_lab.experiment.load import load
from hebb_lab.experiment.methods import in_parts, method_of, walks_with
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import Settings
from hebb_lab.experiment.summary import tell
from hebb_lab.experiment.tracing import trace_lines
from hebb_lab.experiment.workshop import Workshop
from hebb_lab.kernels.choose import choose_backend
from hebb_lab.runs import read_run
from hebb_lab.runs.boards import board_of
from tests.experiment.arms.made import fitted_run, half_lives
from tests.experiment.tiny import composed, few, result_of, rows_of, run
from tests.halflife.export.made import ONE_END

pytestmark = pytest.mark.usefixtures("tables_only")
ARMS = {
    "half_life_30d": {"group": "decay", "rules": {"half_life": "fixed"}},
    "recency": {"group": "floors", "method": "recency"},
    "bm25": {"method": "bm25"},
    "unused_switch": {"rules": {"boost": 0.7}},
}
INJECTING = ("budget_neutral", "additive")


@cache
def tiny():
    """(the prepared tiny log, its hash, three times of it)."""
    settings = Settings.from_mapping(composed("+exp=ablation", "debug=tiny"))
    made = prepare(load(settings.dataset, None), settings.dataset)
    times = np.sort(made.touches.time_us)
    cuts = [int(times[round(share * (len(times) - 1))]) for share in (0.25, 0.5, 0.75)]
    return made, made.dataset.sha256(), cuts


def splits(*days):
    return [(at, half_lives(personal=each)) for at, each in zip(tiny()[2], days, strict=True)]


def fitted(folder, days=(0.01, 2.0, 40.0), final=5.0, **more):
    named = {"sha256": tiny()[1], **more}
    return fitted_run(folder, half_lives(personal=final), splits(*days), **named)


def asked(runs, folder, arms=None, **more):
    values = few(runs, ARMS if arms is None else arms, **more)
    values["rules"] = {**values["rules"], "half_life": f"@{folder}"}
    return values


def workshop_of(folder, entries):
    """(the workshop of a run, its tasks, its arms by name)."""
    settings = Settings.from_mapping(asked("runs", folder, entries))
    prepared = tiny()[0]
    arms = on_dataset(arms_of(settings), prepared.dataset)
    shop = Workshop(prepared, settings, arms, choose_backend("cpu"))
    names = ("first_touch", "prompt_to_files")
    tasks = prepared.tasks(names, settings.evaluation.protocol)
    return shop, answerable(tasks, arms), {arm.name: arm for arm in arms}


def walking(folder):
    """Every method that reads rules, under the fit."""
    reference = {"half_life": f"@{folder}"}
    entries = {
        "half_life_30d": {"rules": {"half_life": "fixed"}},
        "fitted_pagerank": {"method": "pagerank", "rules": reference},
    }
    for name in INJECTING:
        entries[f"fitted_{name}"] = {"method": name, "base": None, "rules": reference}
    return workshop_of(folder, entries)


def test_on_its_own_log_all_arms_answer_the_queries_after_the_first_fit(tmp_path):
    folder = run(asked(tmp_path / "runs", fitted(tmp_path / "fit"))).folder
    result = result_of(folder)
    assert [arm["arm"] for arm in result["arms"]] == [*ARMS, FITTED]
    assert {arm["status"] for arm in result["arms"]} == {"ok"}
    (task,) = result["tasks"]
    first = tiny()[2][0]
    whole = tiny()[0].task("first_touch", Settings.from_mapping(few(tmp_path)).evaluation.protocol)
    assert task["excluded"][REASON] == int((whole.queries.time_us <= first).sum()) > 0
    rows = pl.read_parquet(folder / "per_query.parquet").group_by("arm").agg(pl.col("query_id"))
    answered = {tuple(sorted(ids)) for ids in rows["query_id"].to_list()}
    assert len(answered) == 1
    assert task["n"] == len(whole.queries) - task["excluded"][REASON] == len(answered.pop())


def test_the_result_and_the_leaderboard_show_the_half_lives_that_were_used(
    tmp_path, caplog, capsys
):
    with caplog.at_level(logging.INFO, "hebb_lab"):
        folder = run(asked(tmp_path / "runs", fitted(tmp_path / "fit"))).folder
    added = {arm["arm"]: arm for arm in result_of(folder)["arms"]}[FITTED]
    told = added["parameters"]
    assert [part["half_life_personal_days"] for part in told["schedule"]] == [0.01, 2.0, 40.0]
    assert [part["from_us"] for part in told["schedule"]] == tiny()[2]
    assert added["about"] == "fitted: frailty of halflife/0123456789ab"
    said = "frailty of halflife/0123456789ab (personal 0.01 to 40 days in 3 fits)"
    assert added["fitted"] == said
    board = markdown(board_of(read_run(folder), 50))
    assert f"- Half-lives fitted by {said}: {FITTED}." in board
    tell(folder)
    assert f" {FITTED} " in capsys.readouterr().out
    said = (folder / "log.txt").read_text()
    assert f"arm {FITTED} was added: half_life_30d with the half-lives of frailty" in said
    assert "each query is answered by the newest of 3 fits" in said
    rows = {row["arm"]: row for row in rows_of(folder) if row["metric"] == "any@10"}
    assert rows[FITTED]["delta"] is not None
    assert not rows[FITTED]["inert"]


def test_a_half_life_that_the_fitted_log_does_not_identify_is_marked_where_arms_are_compared(
    tmp_path, caplog
):
    final = {"half_life[personal]": ONE_END}
    log = fitted_run(tmp_path / "fit", final, splits(0.01, 2.0, 40.0), sha256="e" * 64)
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        folder = run(asked(tmp_path / "runs", log)).folder
    said = f"personal, 200 days: {ONE_END['verdict']}"
    assert f"does not identify is used: {said}" in (folder / "log.txt").read_text()
    entries = {arm["arm"]: arm for arm in result_of(folder)["arms"]}
    assert entries[FITTED]["unidentified"] == [said]
    assert all("unidentified" not in entries[name] for name in ARMS)
    board = markdown(board_of(read_run(folder), 50))
    assert f"- The fitted log does not identify a half-life of {FITTED}, others fit" in board
    assert f"{said}." in board


def test_on_another_log_the_final_half_lives_answer_every_query(tmp_path, caplog):
    log = fitted(tmp_path / "fit", sha256="e" * 64)
    with caplog.at_level(logging.INFO, "hebb_lab"):
        folder = run(asked(tmp_path / "runs", log)).folder
    result = result_of(folder)
    assert REASON not in result["tasks"][0]["excluded"]
    told = {arm["arm"]: arm for arm in result["arms"]}[FITTED]["parameters"]
    assert (told["half_life_days"], "schedule" in told) == (5.0, False)
    assert "was fitted to another log (table:log)" in (folder / "log.txt").read_text()
    arms = {"half_life_30d": ARMS["half_life_30d"], "five": {
        "rules": {"half_life": "fixed", "half_life_personal_days": 5.0}}}  # fmt: skip
    plain = result_of(run(few(tmp_path / "plain", arms)).folder)
    want = {arm["arm"]: arm["rankings"] for arm in plain["arms"]}
    got = {arm["arm"]: arm["rankings"] for arm in result["arms"]}
    assert (got[FITTED], got["half_life_30d"]) == (want["five"], want["half_life_30d"])


def test_the_name_of_a_run_is_what_was_fitted_not_where_it_lies(tmp_path):
    one, moved = fitted(tmp_path / "one"), fitted(tmp_path / "my runs" / "two")
    other = fitted(tmp_path / "other", days=(0.01, 2.0, 41.0))
    names = [run(asked(tmp_path / "runs", at, {"half_life_30d": ARMS["half_life_30d"]})).folder.name
             for at in (one, moved, other)]  # fmt: skip
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize("changed", [1, 2])
def test_a_later_fit_touches_no_earlier_answer(tmp_path, changed):
    days = [0.01, 2.0, 40.0]
    later = [each * 100 if place >= changed else each for place, each in enumerate(days)]
    shops = [
        walking(fitted(tmp_path / name, given, final))
        for name, given, final in (("a", days, 5.0), ("b", later, 500.0))
    ]
    compared = 0
    for name, task in shops[0][1].items():
        before = int((task.queries.time_us <= tiny()[2][changed]).sum())
        for arm in shops[0][2]:
            one, two = (in_parts(shop, tasks[name], arms[arm]) for shop, tasks, arms in shops)
            assert one.ranking.ids[:before].tobytes() == two.ranking.ids[:before].tobytes()
            assert one.ranking.scores[:before].tobytes() == two.ranking.scores[:before].tobytes()
            assert (one.edges[:before] == two.edges[:before]).all()
            compared += before * (one.ranking.scores[before:] != two.ranking.scores[before:]).any()
    assert compared > 100  # and later answers do differ, so that there was something to leak


def test_every_query_is_answered_as_its_own_fit_alone_would_answer_it(tmp_path):
    shop, tasks, arms = walking(fitted(tmp_path / "fit"))
    for task in tasks.values():
        for arm in arms.values():
            whole, first = in_parts(shop, task, arm), 0
            for part, some in parts(arm, task):
                alone = method_of(part.method)(shop, task, part)  # all queries under one fit
                stop = first + len(some.queries)
                assert (whole.ranking.ids[first:stop] == alone.ranking.ids[first:stop]).all()
                np.testing.assert_allclose(
                    whole.ranking.scores[first:stop], alone.ranking.scores[first:stop], rtol=1e-6
                )
                first = stop
            assert first == len(task.queries) == len(whole.ranking) == len(whole.edges)


def test_parts_of_equal_length_have_their_own_lexical_hits(tmp_path):
    shop, tasks, _ = walking(fitted(tmp_path / "fit"))
    task = tasks["prompt_to_files"]
    half = len(task.queries) // 2
    one, two = task.part(0, half).queries, task.part(half, 2 * half).queries
    assert shop.lexical_hits(one, 5).sha256() != shop.lexical_hits(two, 5).sha256()


def test_an_arm_with_a_schedule_walks_alone_and_all_its_rules_are_replayed_once(tmp_path):
    shop, tasks, arms = walking(fitted(tmp_path / "fit"))
    spread = arms[FITTED]
    assert all(walks_with(shop, task, spread) is None for task in tasks.values())
    assert set(spread.all_rules()) <= set(shop.layer("synapse").rules)
    assert len(shop.layer("synapse").rules) == 4  # the base and three fits


def test_traces_of_an_injecting_arm_are_those_of_its_parts_and_no_more_than_asked_for(tmp_path):
    shop, tasks, arms = walking(fitted(tmp_path / "fit"))
    lines = [json.loads(line) for line in trace_lines(shop, tasks, list(arms.values()))]
    assert {line["arm"] for line in lines} <= {f"fitted_{name}" for name in INJECTING}
    for name in INJECTING:
        own = [line["query_id"] for line in lines if line["arm"] == f"fitted_{name}"]
        assert 0 < len(own) <= 2 * shop.settings.recall.traces


def test_a_log_that_was_fitted_only_as_a_whole_stops_the_run_with_the_cure(tmp_path):
    log = fitted_run(tmp_path / "fit", half_lives(personal=5.0), sha256=tiny()[1])
    with pytest.raises(ConfigError, match=r"Fit with more halflife\.blocks"):
        run(asked(tmp_path / "runs", log))


def test_a_fit_from_the_base_is_in_every_arm_that_starts_from_it(tmp_path, caplog):
    entries = {**ARMS, "half_life_30d": {"group": "decay"}}
    with caplog.at_level(logging.INFO, "hebb_lab"):
        folder = run(asked(tmp_path / "runs", fitted(tmp_path / "fit"), entries)).folder
    told = {arm["arm"]: arm["parameters"] for arm in result_of(folder)["arms"]}
    assert {name: "schedule" in each for name, each in told.items()} == {
        "half_life_30d": True, "recency": False, "bm25": False, "unused_switch": True,
    }  # fmt: skip
    assert "its half-lives hold in half_life_30d, unused_switch" in caplog.text


def test_arms_are_kept_one_by_one_with_a_schedule_too(tmp_path):
    shop, tasks, arms = walking(fitted(tmp_path / "fit"))

    class Writer:
        """Keeps what it is given."""

        def __init__(self):
            self.kept = {}

        def finished_arms(self):
            return {}

        def write_arm(self, entry, rows, lines):
            self.kept[entry["arm"]] = (entry, rows)

    writer = Writer()
    run_arms(shop, tasks, list(arms.values()), writer)
    assert list(writer.kept) == list(arms)
    count = sum(len(task.queries) for task in tasks.values())
    assert {rows.height for _, rows in writer.kept.values()} == {count}
