"""Leaderboards come from folders alone; only runs that asked the same are averaged."""

import json
import shutil

import pytest

from hebb_lab.evaluation.leaderboard import merge
from hebb_lab.runs import boards, read_run
from tests.runs import synthetic

ARMS = ("random", "half_life_7d", "half_life_30d", "potentiation_off")


def make(tmp_path, name, seed=0, arms=ARMS, **changes):
    folder = synthetic.write_run(tmp_path / name, name, arms=arms, failed=(), seed=seed)
    result = json.loads((folder / "result.json").read_text())
    result["seed"] = seed
    result["dataset"].update(changes)
    (folder / "result.json").write_text(json.dumps(result))
    return read_run(folder)


def test_every_arm_task_and_metric_of_the_run_has_a_row(tmp_path):
    run = make(tmp_path, "simulated")
    rows = boards.board_of(run, 50).rows
    assert rows.height == len(ARMS) * len(synthetic.TASKS) * 4
    assert set(rows["dataset_sha256"]) == {run.dataset["sha256"]}
    assert set(rows["commit"]) == {run.result["commit"]}
    assert rows.filter("inert")["arm"].unique().to_list() == ["potentiation_off"]


def test_the_number_of_resamples_is_the_runs_own_unless_given(tmp_path):
    run = make(tmp_path, "simulated")
    own, given = boards.settings_of(run), boards.settings_of(run, 7)
    assert (own.resamples, own.flips) == (400, 2000)
    assert (given.resamples, given.flips) == (7, 2000)
    assert own.measures[0] == "any@10"
    assert own.headlines("first_touch") == ("any@10",)


def test_only_runs_that_asked_the_same_of_other_data_are_comparable(tmp_path):
    first, second = make(tmp_path, "git:one"), make(tmp_path, "git:two")
    other_arms = make(tmp_path, "git:three", arms=ARMS[:2])
    other_seed = make(tmp_path, "git:four", seed=1)
    other_reader = make(tmp_path, "codex:five")
    groups = boards.comparable([second, other_arms, first, other_seed, other_reader])
    assert [[run.name for run in group] for group in groups] == [[first.name, second.name]]


def test_of_two_states_of_one_log_the_later_counts(tmp_path):
    other = make(tmp_path, "git:other")
    early = make(tmp_path / "early", "git:log", window_last="2025-01-01T00:00:00Z")
    late = make(tmp_path / "late", "git:log", window_last="2025-03-01T00:00:00Z")
    for order in ([early, late, other], [late, other, early]):
        assert boards.comparable(order) == [[late, other]]


def test_neither_simulated_data_nor_a_single_cluster_enter_a_mean(tmp_path):
    simulated = [make(tmp_path / name, "simulated", sha256=name) for name in ("a", "b")]
    simulated += [make(tmp_path, "simulated:c")]
    assert boards.comparable(simulated) == []
    logs = [make(tmp_path, f"git:{name}") for name in ("one", "two", "three")]
    logs[1].tasks["all_touches"]["clusters"] = 1
    assert boards.comparable(logs) == [[logs[0], logs[2]]]


def test_the_macro_value_is_the_mean_of_the_data_sets(tmp_path):
    runs = [make(tmp_path, "one"), make(tmp_path, "two")]
    chosen = {"task": "first_touch", "arm": "half_life_30d", "metric": "R@10"}
    own = [boards.board_of(run, 20).rows.filter(**chosen)["value"].item() for run in runs]
    mean = boards.macro_of(runs, 20).rows.filter(**chosen)["value"].item()
    assert mean == pytest.approx(sum(own) / 2)
    assert own[0] != own[1]


def test_titles_are_as_short_as_they_can_be_while_they_differ(tmp_path):
    one, two = make(tmp_path, "one"), make(tmp_path, "two")
    again = make(tmp_path / "again", "two", seed=3)
    found = boards.titles([one, two, again])
    assert found[str(one.folder)] == "one"
    assert found[str(two.folder)] == "two (seed=0)"
    assert found[str(again.folder)] == "two (seed=3)"


def sweep(tmp_path, *configs):
    runs = []
    for number, config in enumerate(configs):
        run = make(tmp_path / str(number), "table:t")
        (run.folder / "config.yaml").write_text(json.dumps(config))
        runs.append(run)
    found = boards.titles(runs)
    return [found[str(run.folder)] for run in runs], runs


def test_runs_of_a_sweep_are_told_apart_by_the_settings_that_differ(tmp_path):
    found, _ = sweep(
        tmp_path,
        {"dataset": {"windows": {"by": "turn"}}, "paths": {"runs": "a"}, "runtime": {"jobs": 1}},
        {"dataset": {"windows": {"by": "session"}}, "paths": {"runs": "b"}, "runtime": {"jobs": 2}},
    )
    assert found == ["table:t (dataset.windows.by=turn)", "table:t (dataset.windows.by=session)"]


def test_at_most_three_settings_stand_in_a_title_and_copies_have_their_folder(tmp_path):
    one = {"a": None, "b": [1], "c": True, "d": 1, "same": 0}
    found, runs = sweep(tmp_path, one, {"a": 1, "b": [2], "c": False, "d": 2, "same": 0})
    assert found[0] == "table:t (a=null, b=[1], c=true)"
    same, runs = sweep(tmp_path / "same", one, one)
    assert same == [f"table:t ({run.folder})" for run in runs]  # one id: copies of one run


def test_a_lost_config_costs_no_title(tmp_path):
    first, second = make(tmp_path / "a", "git:x"), make(tmp_path / "b", "git:x", seed=1)
    (first.folder / "config.yaml").unlink()
    assert set(boards.titles([first, second]).values()) == {
        f"git:x ({first.name})",
        f"git:x ({second.name})",
    }


def test_boards_side_by_side_keep_their_numbers_under_their_titles(tmp_path):
    own = boards.board_of(make(tmp_path, "one"), 20)
    both = boards.side_by_side({"a": own, "b": own})
    assert both.rows["dataset"].unique(maintain_order=True).to_list() == ["a", "b"]
    assert both.rows.filter(dataset="a").drop("dataset").equals(own.rows.drop("dataset"))
    assert len(both.notes) == 2 * len(own.notes)
    assert boards.side_by_side({}).rows.equals(merge([]).rows)


def test_copies_of_one_run_are_told_apart_by_their_folders(tmp_path):
    folder = synthetic.write_run(tmp_path / "a", arms=("random", "half_life_7d"), failed=())
    copy = tmp_path / "b" / folder.name
    shutil.copytree(folder, copy)
    found = boards.titles([read_run(folder), read_run(copy)])
    assert len(set(found.values())) == 2
    assert str(copy) in found[str(copy)]
