"""What a world was drawn from is part of what is said of it."""

from dataclasses import replace

import numpy as np

from hebb_lab.halflife.protocol.said import truth_of
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
