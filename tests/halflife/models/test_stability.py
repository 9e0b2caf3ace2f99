"""A half-life that grows with each re-activation: the recursion by a plain loop, and its slopes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.halflife.facts.past import past_of
from hebb_lab.halflife.models.stability import StabilityRule
from hebb_lab.halflife.objectives.chain import Problem
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST
from tests.halflife.fits import fitted, late, plain_weight, training, world
from tests.halflife.made import QUIET, history, random_windows

BUSY = random_windows(25, 200, nodes=6, spaces=(0, 1), ties=0.05)
THETA = np.array([np.log(3.0), np.log(0.6), 0.3])


def rule_of(found):
    return StabilityRule(found.pointer, past_of(found).gap)


def plain(found, theta):
    """[M] half-lives, edge by edge: h ← h (1 + a (1 − 2^(−gap/h)) h^−b), within the range."""
    lives = []
    for edge in range(found.edges):
        own = slice(int(found.pointer[edge]), int(found.pointer[edge + 1]))
        reading = found.reading[found.event_recall[own]]
        h = min(max(math.exp(theta[0]), LOWEST), HIGHEST)
        for place in range(len(reading)):
            if place:
                left = 2 ** (-(reading[place] - reading[place - 1]) / h)
                h = h * (1 + math.exp(theta[1]) * (1 - left) * h ** -theta[2])
                h = min(max(h, LOWEST), HIGHEST)
            lives.append(h)
    return np.array(lives)


@pytest.mark.parametrize("theta", [THETA, [0.0, 2.0, -0.3], [9.0, 0.0, 0.5], [-9.0, 1.0, 1.0]])
def test_the_recursion_is_that_of_a_plain_loop(theta):
    found = history(BUSY)
    logs, _ = rule_of(found).lives(np.array(theta))
    np.testing.assert_allclose(np.exp(logs), plain(found, theta), rtol=1e-9)


@pytest.mark.parametrize("theta", [THETA, np.array([1.5, -1.0, -0.2]), np.array([0.0, 1.0, 0.8])])
def test_its_derivatives_are_those_of_differences(theta):
    rule, step = rule_of(history(BUSY)), 1e-6
    _, slopes = rule.lives(theta)
    for place in range(3):
        move = step * np.eye(3)[place]
        ends = [rule.lives(theta + sign * move)[0] for sign in (1, -1)]
        np.testing.assert_allclose(
            slopes[:, place], (ends[0] - ends[1]) / (2 * step), rtol=1e-5, atol=1e-7
        )


theta_values = st.tuples(st.floats(-9, 9), st.floats(-40, 900), st.floats(-200, 200))


@QUIET
@given(theta_values)
def test_a_reactivation_never_shortens_a_half_life_and_nothing_leaves_the_range(theta):
    found = history(BUSY)
    logs, slopes = rule_of(found).lives(np.array(theta))
    later = np.ones(len(logs), bool)
    later[found.pointer[:-1]] = False
    grows = np.diff(logs, prepend=logs[:1])
    assert (grows[later] >= -1e-12).all()
    assert np.isfinite(slopes).all()
    assert ((logs >= np.log(LOWEST) - 1e-12) & (logs <= np.log(HIGHEST) + 1e-12)).all()


def test_much_forgotten_is_much_gained_and_nothing_is_gained_at_once():
    pointer = np.array([0, 2, 4, 6])
    rule = StabilityRule(pointer, np.array([0.0, 0.0, 0.0, 1.0, 0.0, 30.0]))
    logs, _ = rule.lives(THETA)
    assert logs[1] == logs[0]
    assert logs[1] < logs[3] < logs[5]


def test_what_is_stable_gains_less():
    rule = StabilityRule(np.array([0, 2]), np.array([0.0, 1e4]))
    gains = [np.diff(rule.lives(np.array([np.log(h), 0.0, 0.5]))[0])[0] for h in (1.0, 30.0)]
    assert gains[0] > gains[1] > 0


def test_the_gradient_of_the_loss_is_that_of_differences():
    found = history(BUSY)
    cases = training(found, 1.0, cases=250, controls=6).drawn(found)
    given_ = Problem(found, cases, rule_of(found), THETA, np.array([2.0, 2.0, 0.5]))
    point, step = np.concatenate([THETA + 0.1, np.log([5.0, 9.0])]), 1e-6
    _, slope = given_.loss(point)
    for place in range(len(point)):
        move = step * np.eye(len(point))[place]
        ends = [given_.loss(point + sign * move)[0] for sign in (1, -1)]
        expected = (ends[0] - ends[1]) / (2 * step)
        assert slope[place] == pytest.approx(expected, rel=1e-4, abs=1e-8)


def test_a_fitted_half_life_follows_from_the_parameters_that_are_told():
    fit, found = fitted("stability")
    _, train = world()
    told = fit.parameters
    theta = [
        math.log(told["half_life_first"].value), math.log(told["growth"].value),
        told["saturation"].value,
    ]  # fmt: skip
    lives, asked = plain(found, theta), late(found)
    np.testing.assert_allclose(fit.half_life(asked), lives[asked.event], rtol=0.006)
    for name in ("half_life_first", "growth", "saturation"):
        assert told[name].low <= told[name].value <= told[name].high
        assert told[name].events == len(found.reactivations(0, train.until))


def test_an_intensity_weighs_edges_as_replayed_with_half_lives_of_their_own():
    fit, found = fitted("stability")
    asked = late(found, 1)
    lives = fit.design.terms[-1].fading.half_life[:, 0]
    mu, beta = fit.link.coefficients[found.group[asked.edge]].T
    weight = [
        plain_weight(found, e, t, lambda event: float(lives[event]))[0]
        for e, t in zip(asked.edge.tolist(), asked.time_us.tolist(), strict=True)
    ]
    np.testing.assert_allclose(fit.intensity(asked), mu + beta * np.array(weight), rtol=1e-9)
