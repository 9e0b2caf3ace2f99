"""Everything that a run found, from its folder alone."""

import json
from copy import deepcopy
from dataclasses import replace

import polars as pl
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.layers.report.categories import category_cells, main_arms
from hebb_lab.layers.report.effects import KINDS, note_of, work_of
from hebb_lab.layers.report.findings import TABLES, findings_of
from hebb_lab.layers.report.stored import Stored
from hebb_lab.runs import read_run
from hebb_lab.runs.boards import board_of, settings_of

TASK = "question_to_evidence"


@pytest.fixture(scope="module")
def stored(stored_run):
    return Stored(stored_run, board_of(stored_run))


@pytest.fixture(scope="module")
def found(stored):
    return findings_of(stored, settings_of(stored.run))


def test_each_layer_has_three_effects_under_each_metric(found):
    assert [row.layer for row in found.rows] == list(PARTS)
    for row in found.rows:
        assert set(row.effects) == {"nDCG@10", "R@10", "any@10", "all@10"}
        assert all(set(kinds) == set(KINDS) for kinds in row.effects.values())


def test_what_helps_is_positive_when_added_and_when_kept(found):
    chain = next(row for row in found.rows if row.layer == "chain")
    assert {kind: chain.effects["R@10"][kind].value for kind in KINDS} == {
        "added": 0.5, "kept": 0.5, "shapley": 0.5,
    }  # fmt: skip


def test_the_work_of_a_layer_is_that_of_the_arm_that_adds_it(stored):
    work = work_of(stored, TASK, "chain")
    assert (work["found"], work["listed"], work["gold"], work["queries"]) == (23, 23, 23, 23)
    assert (work["edges"], work["bytes"], work["n"]) == (7, 100, 23)
    assert work["ms_per_query"] == pytest.approx(10 / 23)
    assert work["learning_seconds"] == 0.25
    assert work["tokens"] > 0
    assert work_of(stored, TASK, "nobody") == {}


def test_a_run_that_did_not_keep_the_time_of_learning_has_a_dash_for_it(stored):
    arms = deepcopy(dict(stored.run.arms))
    for use in arms["add_chain"]["layers"]:
        del use["learning_seconds"]
    older = Stored(
        replace(stored.run, result=stored.run.result | {"arms": list(arms.values())}), stored.board
    )
    assert work_of(older, TASK, "chain")["learning_seconds"] is None


def test_a_layer_that_was_a_no_op_stays_in_the_table_and_says_why(stored, found):
    assert note_of(stored, "stdp") == "empty in 1 of 1 scopes"
    assert note_of(stored, "chain") == ""
    assert {row.layer: row.note for row in found.rows}["stdp"] == "empty in 1 of 1 scopes"


def test_every_listed_arm_stands_in_one_table(found, stored):
    listed = [arm for table in found.compared for arm in table.arms]
    unlisted = {"add", "remove", "sets"}
    wanted = [arm for arm, e in stored.run.arms.items() if e["group"] not in unlisted]
    assert sorted(listed) == sorted(wanted)
    assert {table.title for table in found.compared} == set(TABLES)
    assert found.standing(TASK, "full").value > 0
    assert found.standing(TASK, "nobody").verdict == "not measured"


def test_the_values_are_plain_and_can_be_stored(found):
    values = json.loads(json.dumps(found.values(), allow_nan=False))
    assert set(values) == {"layers", "arms", "categories"}
    assert values["layers"][2]["effects"]["R@10"]["added"]["value"] == 0.5


def test_quality_by_category_counts_its_questions(stored):
    cells = category_cells(stored)
    counts = {cell.category.lower(): cell.n for cell in cells}
    assert counts == {"even": 12, "odd": 11}
    base = [cell.value for cell in cells if cell.arm == "base" and cell.metric == "R@10"]
    assert base == [0.5, 0.5]


def test_the_main_arms_are_those_that_gave_a_result(stored):
    arms = main_arms(stored)
    assert {"base", "full", "add_chain", "observed", "tuned", "mine"} <= set(arms)


def test_a_run_without_its_questions_is_named(stored_run, tmp_path):
    (tmp_path / "result.json").write_bytes((stored_run.folder / "result.json").read_bytes())
    other = Stored(read_run(tmp_path), board_of(stored_run))
    with pytest.raises(InputError, match=r"questions\.parquet: cannot be read"):
        category_cells(other)
    pl.DataFrame({"query_id": ["a"]}).write_parquet(tmp_path / "questions.parquet")
    with pytest.raises(InputError, match="lacks category"):
        category_cells(Stored(read_run(tmp_path), board_of(stored_run)))


def test_questions_of_one_kind_have_no_table(stored, monkeypatch):
    one = stored.questions.with_columns(category=pl.lit(""))
    other = Stored(stored.run, stored.board)
    object.__setattr__(other, "questions", one)
    assert category_cells(other) == []
