"""The sampled partial likelihood: against brute force over the ratio, and as laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize

from hebb_lab.halflife.objectives.partial import case_terms, fit_partial, half_life_curve
from tests.halflife.made import QUIET


def sets(seed, count=500, controls=20, width=2, ratio=4.0):
    """Cases drawn from their sets with the true ratios: values of cases, and sums."""
    rng = np.random.default_rng(seed)
    values = rng.gamma(0.4, 1.0, (count, 1 + controls, width))
    values[:, :, 0] = 1.0
    rates = values @ np.array([1.0, *[ratio] * (width - 1)])
    rates /= rates.sum(axis=1, keepdims=True)
    case = (rates.cumsum(axis=1) > rng.random((count, 1))).argmax(axis=1)
    return values[np.arange(count), case], values.sum(axis=1)


def likelihood(ratio, cases, sums):
    return case_terms(np.array([1.0, *np.atleast_1d(ratio)]), cases, sums).sum()


@pytest.mark.parametrize("seed", range(5))
def test_the_maximum_is_that_of_a_search_over_all_ratios(seed):
    cases, sums = sets(seed)
    fit = fit_partial(cases, sums)
    ratios = np.geomspace(1e-6, 1e6, 4001)
    values = [likelihood(r, cases, sums) for r in ratios]
    assert fit.converged
    assert fit.value >= max(values) - 1e-6
    assert fit.ratios[1] == pytest.approx(ratios[int(np.argmax(values))], rel=0.01)
    assert fit.ratios[1] == pytest.approx(4.0, rel=0.5)


def test_with_several_terms_another_solver_finds_no_higher_likelihood():
    cases, sums = sets(3, width=4)
    fit = fit_partial(cases, sums)
    other = minimize(
        lambda t: -likelihood(np.exp(t), cases, sums), np.zeros(3), method="Nelder-Mead",
        options={"fatol": 1e-9, "xatol": 1e-6, "maxiter": 4000},
    )  # fmt: skip
    assert fit.value == pytest.approx(-other.fun, abs=1e-4)


def test_the_likelihood_is_flat_at_its_maximum():
    cases, sums = sets(1, width=3)
    fit = fit_partial(cases, sums)
    slope = approx_fprime(
        np.log(fit.ratios[1:]), lambda t: likelihood(np.exp(t), cases, sums), 1e-6
    )
    assert np.abs(slope).max() < 0.05  # of 500 cases


@QUIET
@given(st.floats(1e-3, 1e3), st.integers(0, 50))
def test_what_moves_all_edges_of_a_recall_alike_cancels(factor, seed):
    cases, sums = sets(seed, count=40)
    scales = np.random.default_rng(seed).uniform(0.1, factor + 0.1, (40, 1))
    one = case_terms(np.array([1.0, 3.0]), cases, sums)
    np.testing.assert_allclose(
        case_terms(np.array([1.0, 3.0]), cases * scales, sums * scales), one, atol=1e-12
    )
    np.testing.assert_allclose(
        case_terms(factor * np.array([1.0, 3.0]), cases, sums), one, atol=1e-12
    )


def test_a_signal_that_says_nothing_gets_no_weight_and_one_that_says_all_gets_all():
    cases, sums = sets(2, ratio=0.0)
    never = cases * [1, 0]  # the signal is never there at a case
    assert fit_partial(never, sums).ratios[1] < 1e-3
    always = np.column_stack([np.ones(50), np.ones(50)])
    alone = np.column_stack([np.full(50, 21.0), np.ones(50)])  # only the case has it
    fit = fit_partial(always, alone)
    assert fit.value == pytest.approx(0.0, abs=1e-3)
    assert fit.ratios[1] > 1e5


def test_a_signal_that_is_nowhere_changes_nothing():
    cases, sums = sets(4, count=60)
    nowhere = np.zeros((60, 1))
    fit = fit_partial(np.column_stack([cases, nowhere]), np.column_stack([sums, nowhere]))
    assert fit.value == pytest.approx(fit_partial(cases, sums).value, abs=1e-6)
    assert np.isfinite(fit.ratios).all()


def test_the_constant_alone_is_a_guess_among_the_set():
    fit = fit_partial(np.ones((10, 1)), np.full((10, 1), 21.0))
    assert fit.value == pytest.approx(-10 * np.log(21))
    assert fit.ratios.tolist() == [1.0]


def test_no_cases_have_a_likelihood_of_one():
    fit = fit_partial(np.empty((0, 2)), np.empty((0, 2)))
    assert fit.value == 0
    assert fit.converged


def curve_of(signals, seed=0, count=600):
    """A curve whose case i follows the signal of half-life ``signals`` index 2."""
    rng = np.random.default_rng(seed)
    values = rng.gamma(0.4, 1.0, (count, 21, signals))
    rates = 0.05 + values[:, :, 2]
    rates /= rates.sum(axis=1, keepdims=True)
    case = (rates.cumsum(axis=1) > rng.random((count, 1))).argmax(axis=1)
    weights = values[np.arange(count), case], values.sum(axis=1)
    others = np.ones((count, 1)), np.full((count, 1), 21.0)
    return others, weights


def test_every_point_of_a_curve_is_the_best_for_its_half_life():
    others, weights = curve_of(6)
    lives = np.geomspace(1, 32, 6)
    curve = half_life_curve(lives, others, weights, np.arange(600))
    for column, fit in enumerate(curve.fits):
        alone = fit_partial(
            *(np.column_stack([o, w[:, column]]) for o, w in zip(others, weights, strict=True))
        )
        assert fit.value == pytest.approx(alone.value, abs=1e-3)
    assert int(np.argmax(curve.values)) == 2


def test_a_half_life_of_no_use_does_not_spoil_the_next():
    others, weights = curve_of(6)
    # at the first two half-lives the weight speaks against every case
    for column in (0, 1):
        weights[0][:, column] = 0.0
    curve = half_life_curve(np.geomspace(1, 32, 6), others, weights, np.arange(600))
    alone = fit_partial(
        *(np.column_stack([o, w[:, 2]]) for o, w in zip(others, weights, strict=True))
    )
    assert curve.fits[1].ratios[1] < 1e-3
    assert curve.fits[2].value == pytest.approx(alone.value, abs=1e-3)
    assert curve.fits[2].value > curve.fits[1].value + 50


def test_a_half_life_that_says_all_does_not_spoil_the_next():
    others, weights = curve_of(6)
    weights[0][:, 0], weights[1][:, 0] = 1.0, 1.0  # only ever the case
    curve = half_life_curve(np.geomspace(1, 32, 6), others, weights, np.arange(600))
    alone = fit_partial(
        *(np.column_stack([o, w[:, 1]]) for o, w in zip(others, weights, strict=True))
    )
    assert curve.fits[0].value == pytest.approx(0.0, abs=1.0)
    assert curve.fits[1].value == pytest.approx(alone.value, abs=1e-3)
