"""What is true of each edge before anything happens."""

import numpy as np
import pytest

from hebb_lab.worlds import parameters_from
from hebb_lab.worlds.nature import draw_nature


def nature(preset, seed=0, **changes):
    return draw_nature(parameters_from(preset, **changes), np.random.default_rng(seed))


def test_edges_are_dealt_out_to_the_namespaces_in_turn():
    made = nature("half_lives", edges=7)
    assert made.namespace.tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert len(made) == 7


def test_half_lives_are_log_normal_around_those_of_the_namespace():
    made = nature("half_lives")
    for space, days in enumerate((20.0, 60.0, 4.0)):
        logs = np.log(made.half_life_days[made.namespace == space])
        assert logs.mean() == pytest.approx(np.log(days), abs=0.02)
        assert logs.std() == pytest.approx(0.5, abs=0.02)


def test_frailty_has_mean_one_and_multiplies_both_rates():
    made = nature("half_lives_frailty")
    z = made.base_rate / 0.012
    assert z.mean() == pytest.approx(1.0, abs=0.02)
    assert z.var() == pytest.approx(1 / 2.5, abs=0.02)
    assert made.gain == pytest.approx(0.07 * z)


def test_without_frailty_all_rates_are_the_same():
    made = nature("half_lives", edges=10)
    assert set(made.base_rate.tolist()) == {0.006}
    assert set(made.gain.tolist()) == {0.08}


def test_a_half_life_that_follows_from_the_count_has_the_namespaces_default():
    made = nature("heuristic", edges=3, half_life_sigma=0.5)
    assert made.half_life_days.tolist() == [30.0, 60.0, 1.0]


def test_half_lives_do_not_depend_on_whether_rates_differ():
    plain, frail = nature("half_lives", edges=9), nature("half_lives_frailty", edges=9)
    assert plain.half_life_days.tolist() == frail.half_life_days.tolist()
