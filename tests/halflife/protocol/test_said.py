"""What a world was drawn from is said of it, and what could not be fitted, once."""

from dataclasses import replace

import numpy as np

from hebb_lab.halflife.protocol.said import failures, truth_of
from tests.halflife.small import history, world


def test_the_truth_of_each_group_is_the_median_over_its_edges():
    graph, truth = world()
    made = history(graph, truth)
    told = truth_of(made)
    assert told["exponent"] is None
    assert told["groups"].keys() <= set(made.groups)
    for name, group in told["groups"].items():
        own = truth.half_life_days[made.group == made.groups.index(name)]
        assert group["low"] <= group["median"] <= group["high"]
        assert (own <= group["median"]).mean() >= 0.5


def test_without_decay_the_truth_is_null_and_a_power_law_has_its_exponent():
    graph, truth = world()
    endless = replace(truth, law="none", half_life_days=np.full(len(truth.pairs), np.inf))
    told = truth_of(history(graph, endless))
    assert {group["median"] for group in told["groups"].values()} == {None}
    nothing = np.full(len(truth.pairs), np.nan)
    power = replace(truth, law="power_law", half_life_days=nothing, power_exponent=0.7)
    assert truth_of(history(graph, power)) == {"groups": {}, "exponent": 0.7}


def test_there_is_none_on_a_real_log_or_on_another_clock_or_where_it_follows_from_the_count():
    graph, truth = world()
    assert truth_of(history(graph)) is None
    assert truth_of(history(graph, truth, clock="active_days")) is None
    assert truth_of(history(graph, replace(truth, law="learned_observed"))) is None


def entry(name, *reasons, last=None):
    splits = [{"split": n, "fell_back": reason} for n, reason in enumerate(reasons, start=1)]
    return {"arm": name, "splits": splits, "final": {"fell_back": last}}


def test_the_same_failure_of_many_models_and_blocks_is_said_once_with_their_number():
    few = [f"{number} of 1,{number}00 are too few. Give 10." for number in (3, 5, 9)]
    entries = [entry(name, few[0], few[1], last=few[2]) for name in "abcd"]
    assert failures([*entries, entry("well", None, None)]) == [
        "4 models (a, b, c, …) fell back on 2 blocks and could not be fitted to the whole log:"
        " 9 of 1,900 are too few. Give 10. (all the numbers are in result.json)"
    ]


def test_other_failures_are_said_by_themselves_and_a_single_one_with_its_block():
    found = failures([entry("a", None, "ZeroDivisionError: by nothing"), entry("b", last="no")])
    assert found == [
        "a fell back on block 2: ZeroDivisionError: by nothing",
        "b could not be fitted to the whole log: no",
    ]


def test_what_was_skipped_or_has_failed_altogether_falls_back_nowhere():
    assert failures([{"arm": "oracle", "splits": [], "final": None}]) == []
