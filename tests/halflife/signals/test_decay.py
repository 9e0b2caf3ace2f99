"""Closed forms of a fading weight, against numbers added up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.halflife.facts.measure import measure_of
from hebb_lab.halflife.signals.decay import (
    Fades,
    Stored,
    area_after,
    exposure_of,
    slope_after,
    weight_after,
)
from tests.halflife.made import QUIET

DOCUMENTED = Fades(5, 0.2, False, 0.01)
LIFTING = Fades(5, 0.2, True, 0.01)
PARTS = 20_000


def stored(weight, reinforcements, half_life, holds=True):
    """One edge, one column."""
    return Stored(
        np.array([[weight]]), np.array([[reinforcements]], np.int32), np.array([[half_life]]),
        np.array([holds]),
    )  # fmt: skip


def after(state, gap, fades=DOCUMENTED):
    return float(weight_after(state, np.array([float(gap)]), fades)[0, 0])


def test_a_weight_halves_with_each_half_life():
    assert after(stored(0.8, 1, 10.0), 0) == 0.8
    assert after(stored(0.8, 1, 10.0), 20) == pytest.approx(0.2)


def test_an_edge_below_the_threshold_is_gone_and_a_proven_one_keeps_its_floor():
    assert after(stored(0.3, 4, 1.0), 5) == 0.0
    assert after(stored(0.3, 5, 1.0), 5) == 0.2
    assert after(stored(0.3, 5, 1.0, holds=False), 5) == 0.0


def test_a_floor_does_not_raise_what_was_weakened_below_it_unless_it_lifts():
    assert after(stored(0.05, 9, 1.0), 5) == 0.05
    assert after(stored(0.05, 9, 1.0), 5, LIFTING) == 0.2
    assert after(stored(0.05, 9, 1.0), 0, LIFTING) == 0.2


def test_nothing_decays_under_an_infinite_half_life():
    assert after(stored(0.3, 1, np.inf), 1e6) == 0.3


def test_an_edge_that_is_not_alive_weighs_nothing():
    assert after(stored(0.7, 0, 10.0), 1) == 0.0


fading = st.sampled_from(
    [DOCUMENTED, LIFTING, Fades(np.inf, 0.2, False, 0.0), Fades(2, 0.0, False, 0.1)]
)
states = st.builds(
    stored, st.sampled_from([0.0, 0.006, 0.15, 0.3, 0.9, 2.5]), st.sampled_from([0, 1, 4, 5, 30]),
    st.sampled_from([0.02, 0.9, 14.0, 700.0, np.inf]), st.booleans(),
)  # fmt: skip


@QUIET
@given(states, st.sampled_from([0.0, 0.3, 8.0]), st.sampled_from([0.0, 0.2, 30.0]), fading)
def test_an_area_is_the_integral_of_the_weight(state, gap, ahead, fades):
    found = area_after(state, np.array([gap]), np.array([ahead]), fades)[0, 0]
    middles = gap + ahead * (np.arange(PARTS) + 0.5) / PARTS
    values = weight_after(
        Stored(*(np.repeat(part, PARTS, axis=0) for part in state)), middles, fades
    )
    # one part holds the jump of a pruned weight
    assert found == pytest.approx(values.mean() * ahead, rel=1e-3, abs=ahead / PARTS)


steps = st.lists(st.sampled_from([0.0, 1e-4, 0.05, 0.3, 4.0, 90.0]), min_size=1, max_size=12)


@QUIET
@given(states, steps, st.data())
def test_an_exposure_is_the_sum_of_the_weight_over_its_recalls(state, gaps, data):
    reading = 3.7 + np.concatenate([[0.0], np.cumsum(gaps)])
    start = data.draw(st.integers(0, len(gaps)))
    stop = data.draw(st.integers(start, len(gaps)))
    fades = data.draw(fading)
    found = exposure_of(
        state, reading[:1], np.array([float(start)]), np.array([float(stop)]),
        measure_of("recalls", reading), fades,
    )[0, 0]  # fmt: skip
    recalls = reading[start + 1 : stop + 1] - reading[0]
    expected = sum(after(state, gap, fades) for gap in recalls)
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-12)


@QUIET
@given(states, st.floats(0, 3), st.floats(0, 300), fading)
def test_an_exposure_in_time_is_the_area(state, start, length, fades):
    reading = np.array([2.0, 400.0])
    found = exposure_of(
        state, reading[:1], 2.0 + np.array([start]), 2.0 + np.array([start + length]),
        measure_of("none", reading), fades,
    )  # fmt: skip
    area = area_after(state, np.array([start]), np.array([length]), fades)
    assert found[0, 0] == pytest.approx(area[0, 0], rel=1e-9, abs=1e-9)


def test_edges_with_half_lives_of_their_own_are_each_summed_with_theirs():
    reading = np.arange(40.0)
    measure = measure_of("recalls", reading)
    lives = np.array([[2.0, 5.0], [9.0, 5.0], [2.0, np.inf]])
    many = Stored(np.full((3, 2), 0.9), np.ones((3, 2), np.int32), lives, np.ones(3, bool))
    start, stop = np.array([0.0, 3.0, 5.0]), np.array([30.0, 9.0, 5.0])
    found = exposure_of(many, reading[[0, 3, 5]], start, stop, measure, DOCUMENTED)
    for row, column in np.ndindex(3, 2):
        one = stored(0.9, 1, lives[row, column])
        alone = exposure_of(
            one, reading[[0, 3, 5]][[row]], start[[row]], stop[[row]], measure, DOCUMENTED
        )
        assert found[row, column] == pytest.approx(alone[0, 0], rel=1e-12)
    assert found[2].tolist() == [0, 0]  # exposed to nothing


@pytest.mark.parametrize("fades", [DOCUMENTED, LIFTING, Fades(np.inf, 0.2, False, 0.0)])
@pytest.mark.parametrize("reinforcements", [1, 7])
@pytest.mark.parametrize(("weight", "half_life"), [(0.9, 3.0), (0.3, 0.8), (0.15, 40.0)])
def test_the_slope_of_a_weight_after_a_gap_is_that_of_differences(
    weight, half_life, reinforcements, fades
):
    features, slope, step = np.array([[1.0, -0.4]]), np.array([[0.2, 0.05]]), 1e-6
    for gap in (0.0, 0.7, 2.9, 31.0):
        state = stored(weight, reinforcements, half_life)
        found = slope_after(state, slope, features, np.array([gap]), fades)
        for place in range(2):
            ends = [
                after(
                    stored(weight + sign * step * slope[0, place], reinforcements,
                           half_life * np.exp(sign * step * features[0, place])), gap, fades,
                )
                for sign in (1, -1)
            ]  # fmt: skip
            assert found[0, place] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-6)
