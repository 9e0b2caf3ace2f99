"""What parts are worth is computed from the stored scores of the arms that hold them."""

import polars as pl
import pytest

from hebb_lab.runs import boards, read_run
from hebb_lab.runs.effects import EFFECT_SCHEMA, effects_of, markdown
from tests.runs import synthetic

ARMS = ("half_life_7d", *synthetic.SETS)


def run_of(tmp_path, kind, failed=()):
    return read_run(
        synthetic.write_run(
            tmp_path, arms=ARMS, failed=failed, attribution=synthetic.attribution(kind)
        )
    )


def found(run):
    return effects_of(run, boards.settings_of(run, 100))


def test_shapley_values_add_up_to_all_minus_nothing(tmp_path):
    run = run_of(tmp_path, "shapley")
    effects = found(run)
    assert effects.schema == pl.Schema(EFFECT_SCHEMA)
    values = boards.board_of(run, 10).rows.filter(metric="any@10")
    for task in synthetic.TASKS:
        value = dict(values.filter(task=task).select("arm", "value").iter_rows())
        mine = effects.filter(task=task)
        gain = value["with decay+hops"] - value["with no part"]
        assert mine["effect"].sum() == pytest.approx(gain)
        assert mine["start"].to_list() == pytest.approx([value["with no part"]] * 2)
        assert mine["part"].to_list() == ["decay", "hops"]


def test_the_part_that_helps_is_seen_to_help(tmp_path):
    decay = found(run_of(tmp_path, "ladder")).filter(task="first_touch", part="decay")
    assert decay["low"].item() > 0


def test_a_set_of_parts_that_failed_leaves_no_effects(tmp_path):
    assert found(run_of(tmp_path, "shapley", failed=("with hops",))).is_empty()


def test_a_run_that_attributes_nothing_has_no_effects(tmp_path):
    run = read_run(synthetic.write_run(tmp_path, arms=("half_life_7d",), failed=()))
    assert found(run).is_empty()
    assert markdown(found(run)) == ""


def test_the_table_names_method_metric_and_interval(tmp_path):
    text = markdown(found(run_of(tmp_path, "leave_one_out")))
    assert "## first_touch · leave one out of any@10" in text
    assert "| decay | +" in text
    assert " … " in text
