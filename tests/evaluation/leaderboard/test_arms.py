"""Descriptions of arms, on one data set and over several."""

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.leaderboard import Source, Stamp
from hebb_lab.evaluation.leaderboard.arms import arms_of, over_data_sets

from .example import describe, example_rows


def described(*entries):
    return Source(example_rows(), entries, Stamp("git"))


def arms(*entries):
    return arms_of(described(*entries), "next_touch")


def test_an_arm_is_inert_when_its_ranking_is_that_of_its_base():
    found = arms(
        describe("arm0", None),
        describe("arm1", ranking_sha256="h-arm0"),
        describe("arm2"),
        describe("arm3", ranking_sha256="h-arm0", status="failed"),
        describe("arm4", ranking_sha256=None),
    )
    assert [arm.inert(found) for arm in found.values()] == [False, True, False, False, False]


def test_two_unknown_rankings_are_not_called_equal():
    found = arms(describe("arm0", None, ranking_sha256=None), describe("x", ranking_sha256=None))
    assert not found["x"].inert(found)


def test_what_differs_from_task_to_task_may_be_given_by_task():
    entry = describe("arm1", ranking_sha256=None, rankings={"next_touch": "h1", "other": "h2"},
                     ms_per_query={"next_touch": 3.0})  # fmt: skip
    found = arms(describe("arm0", None), entry)["arm1"]
    assert (found.rankings, found.ms_per_query) == (("h1",), 3.0)


def test_an_arm_of_other_tasks_is_left_out_and_one_that_names_itself_has_no_base():
    found = arms(describe("arm0", "arm0"), describe("arm1", tasks=["continuation"]))
    assert list(found) == ["arm0"]
    assert found["arm0"].base is None


def test_a_base_that_is_no_arm_and_a_name_given_twice_are_errors():
    with pytest.raises(ConfigError, match="compared with 'nothing', which is no arm"):
        arms(describe("arm0", "nothing"))
    with pytest.raises(ConfigError, match="same name"):
        arms(describe("arm0", None), describe("arm0", None))


def over(*parts):
    return over_data_sets([(f"d{i}", arms(*entries)) for i, entries in enumerate(parts)])


def test_over_data_sets_an_arm_is_ok_only_where_it_is_ok_in_all():
    base = describe("arm0", None)
    found = over(
        [base, describe("arm1"), describe("arm2")],
        [base, describe("arm1", status="failed"), describe("arm3")],
    )
    assert [arm.status for arm in found.values()] == ["ok", "failed", "skipped", "skipped"]
    assert found["arm1"].error == "no result on d1"
    assert found["arm2"].error == "no result on d1"
    assert found["arm3"].error == "no result on d0"


def test_over_data_sets_times_are_averaged_and_differing_configs_have_no_id():
    base = describe("arm0", None)
    found = over(
        [base, describe("arm1", ms_per_query=1.0)],
        [base, describe("arm1", ms_per_query=2.0, config_id="other")],
    )
    assert (found["arm1"].ms_per_query, found["arm1"].config_id) == (1.5, None)


def test_over_data_sets_an_arm_is_inert_only_when_it_is_everywhere():
    base, same = describe("arm0", None), describe("arm1", ranking_sha256="h-arm0")
    everywhere, once = (
        over([base, same], [base, same]),
        over([base, same], [base, describe("arm1")]),
    )
    assert everywhere["arm1"].inert(everywhere)
    assert not once["arm1"].inert(once)


def test_an_arm_with_two_bases_is_refused():
    base, other = describe("arm0", None), describe("arm2", None)
    with pytest.raises(ConfigError, match="different bases"):
        over([base, other, describe("arm1")], [base, other, describe("arm1", "arm2")])
