"""Half-lives that follow from the past: value, gradient and errors of their partial likelihood."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from hebb_lab.halflife.facts.cases import draw_cases
from hebb_lab.halflife.facts.past import past_of
from hebb_lab.halflife.objectives.chain import REACH, Problem
from hebb_lab.halflife.objectives.partial import case_terms, half_life_curve
from hebb_lab.halflife.objectives.profile import GRID
from hebb_lab.halflife.signals.fading import by_group
from tests.halflife.made import estimate_of, history, random_windows
from tests.halflife.worlds import world


@dataclass(frozen=True)
class OneForAll:
    """ln h = θ."""

    events: int

    def lives(self, theta):
        return np.full(self.events, theta[0]), np.ones((self.events, 1))


@dataclass(frozen=True)
class ByCount:
    """ln h = θ₀ + θ₁ ln count."""

    logs: np.ndarray

    def lives(self, theta):
        return theta[0] + theta[1] * self.logs, np.stack([np.ones(len(self.logs)), self.logs], 1)


def problem(found, rule, width, spread=1e3, cases=2_000):
    return Problem(
        found, draw_cases(found, 0, found.recalls, most=cases), rule,
        np.zeros(width), np.full(width, spread),
    )  # fmt: skip


LOG = random_windows(71, 400, nodes=9, spaces=(0, 1))


def test_with_one_half_life_for_all_it_is_the_partial_likelihood():
    found = history(LOG)
    one = problem(found, OneForAll(len(found.edge_of)), 1)
    point = np.log([4.0, 2.5, 0.3])
    values, _ = one.terms(point)
    cases = one.cases
    weight = cases.totals(by_group(found, np.array([4.0])).at(cases.moments))
    constant = cases.totals(np.ones((cases.live.size, 1)))
    ratio = np.array([2.5, 0.3])[found.group[cases.edge()]]
    for number in range(2):
        own = found.group[cases.edge()] == number
        both = [np.column_stack([c, w])[own] for c, w in zip(constant, weight, strict=True)]
        expected = case_terms(np.array([1.0, ratio[own][0]]), *both)
        np.testing.assert_allclose(values[own], expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_the_gradient_is_that_of_differences(seed):
    rng = np.random.default_rng(seed)
    found = history(random_windows(80 + seed, 300, nodes=8, spaces=(0, 1)))
    rule = ByCount(np.log(past_of(found).reinforcements))
    one = problem(found, rule, 2, spread=2.0)
    point = np.append(rng.normal([1.5, 0.2], 0.4), rng.normal(0, 1, 2))
    value, slope = one.loss(point)
    assert np.isfinite(value)
    by_differences = approx_fprime(point, lambda p: one.loss(p)[0], 1e-7)
    np.testing.assert_allclose(slope, by_differences, rtol=2e-3, atol=2e-4)


def test_the_terms_add_up_to_the_loss_and_the_prior():
    found = history(LOG)
    one = problem(found, OneForAll(len(found.edge_of)), 1, spread=0.5)
    point = np.array([1.0, 0.2, -0.4])
    values, slopes = one.terms(point)
    loss, slope = one.loss(point)
    assert loss * len(values) == pytest.approx(-values.sum() + 0.5 * (1.0 / 0.5) ** 2)
    expected = -slopes.sum(axis=0)
    expected[0] += 1.0 / 0.5**2
    np.testing.assert_allclose(slope * len(values), expected, rtol=1e-9)


def test_the_maximum_and_its_error_are_those_of_the_profile():
    found = world("shared", 4, edges=800)
    one = problem(found, OneForAll(len(found.edge_of)), 1, cases=10_000)
    solution = one.fit(np.array([np.log(8.0), 1.0]))
    assert solution.converged
    cases = one.cases
    weight = cases.totals(by_group(found, GRID).at(cases.moments))
    constant = cases.totals(np.ones((cases.live.size, 1)))
    curve = half_life_curve(GRID, constant, weight, cases.recall())
    estimate = estimate_of(curve, len(cases.event))
    assert solution.value >= curve.values.max() - 0.1
    assert np.exp(solution.point[0]) == pytest.approx(estimate.value, rel=0.06)
    assert np.exp(solution.point[0]) == pytest.approx(20.0, rel=0.2)
    width = (np.log(estimate.high) - np.log(estimate.low)) / (2 * 1.96)
    assert solution.errors[0] == pytest.approx(width, rel=0.6)


def test_a_strong_prior_holds_what_the_log_says_little_of():
    found = history(LOG)
    rule = ByCount(np.log(past_of(found).reinforcements))
    tight = problem(found, rule, 2, spread=1e-3).fit(np.zeros(4))
    np.testing.assert_allclose(tight.point[:2], 0.0, atol=0.02)
    assert (np.abs(tight.point[2:]) <= REACH).all()
