"""Half-lives that share a prior: recovery, shrinkage, and units that say nothing."""

import numpy as np
import pytest
from scipy.optimize import minimize

from hebb_lab.halflife.objectives.prior import log_prior, normalised, pool, posterior_interval
from hebb_lab.halflife.objectives.profile import GRID, refined

PLACE = np.log(GRID)


def said(seed, count=400, mean=3.0, spread=0.7, errors=(0.1, 2.0)):
    """(true ln h, what each unit says of it, with an error of its own)."""
    rng = np.random.default_rng(seed)
    true, error = rng.normal(mean, spread, count), rng.uniform(*errors, count)
    return true, rng.normal(true, error), error


def units(*arguments, **settings):
    """(true ln h, log likelihoods)."""
    true, heard, error = said(*arguments, **settings)
    return true, -0.5 * ((PLACE - heard[:, None]) / error[:, None]) ** 2


@pytest.mark.parametrize("seed", range(5))
def test_the_prior_is_the_maximum_of_the_marginal_likelihood(seed):
    _, heard, error = said(seed)

    def loss(theta):  # normal with normal errors: a closed form, without a grid
        variance = np.exp(2 * theta[1]) + error**2
        return 0.5 * (np.log(variance) + (heard - theta[0]) ** 2 / variance).sum()

    mean, log_spread = minimize(loss, [2.0, 0.0]).x
    found = pool(GRID, units(seed)[1])
    assert found.converged
    assert found.mean == pytest.approx(mean, abs=0.005)
    assert found.spread == pytest.approx(np.exp(log_spread), abs=0.005)


def test_the_mean_and_the_spread_of_the_prior_are_recovered():
    found = [pool(GRID, units(seed)[1]) for seed in range(5)]
    assert np.mean([one.mean for one in found]) == pytest.approx(3.0, abs=0.08)
    assert np.mean([one.spread for one in found]) == pytest.approx(0.7, abs=0.1)


@pytest.mark.parametrize("errors", [(0.1, 2.0), (0.02, 0.1)])
def test_posterior_intervals_hold_the_truth_as_often_as_they_say(errors):
    held = []
    for seed in range(3):
        true, table = units(seed, errors=errors)
        fine, table = refined(GRID, table)
        ends = [posterior_interval(fine, row, 0.9)[1:] for row in pool(fine, table).posterior]
        held += [low <= np.exp(t) <= high for t, (low, high) in zip(true, ends, strict=True)]
    assert 0.86 <= np.mean(held) <= 0.94


def test_pooling_comes_closer_to_the_truth_than_each_unit_by_itself():
    true, table = units(1)
    found = pool(GRID, table)
    shrunk = np.log([posterior_interval(GRID, row)[0] for row in found.posterior])
    alone = PLACE[table.argmax(axis=1)]
    assert np.abs(shrunk - true).mean() < 0.7 * np.abs(alone - true).mean()


def test_a_unit_that_says_nothing_takes_the_prior():
    _, table = units(2)
    table[7] = -123.0
    found = pool(GRID, table)
    np.testing.assert_allclose(found.posterior[7], found.prior(GRID), atol=1e-12)
    median, low, high = posterior_interval(GRID, found.posterior[7])
    assert np.log(median) == pytest.approx(found.mean, abs=0.02)
    assert np.log([low, high]) == pytest.approx(
        [found.mean - 1.96 * found.spread, found.mean + 1.96 * found.spread], abs=0.03
    )


def test_many_units_that_say_nothing_do_not_move_the_others():
    _, table = units(3, count=200)
    silent = np.zeros((300, len(GRID)))
    one, two = pool(GRID, table), pool(GRID, np.concatenate([table, silent]))
    assert two.mean == pytest.approx(one.mean, abs=0.01)
    assert two.spread == pytest.approx(one.spread, abs=0.01)


def test_posteriors_are_the_product_of_prior_and_likelihood():
    _, table = units(4, count=20)
    found = pool(GRID, table)
    for row, posterior in zip(table, found.posterior, strict=True):
        product = np.exp(row - row.max()) * found.prior(GRID)
        np.testing.assert_allclose(posterior, product / product.sum(), atol=1e-12)


def test_a_unit_that_is_sure_stands_for_itself_however_far_it_lies_from_the_others():
    table = np.concatenate([np.tile(-0.5 * ((PLACE - 1.0) / 0.02) ** 2, (500, 1)),
                            [-0.5 * ((PLACE - 7.0) / 0.02) ** 2]])  # fmt: skip
    found = pool(GRID, table)
    median, _, _ = posterior_interval(GRID, found.posterior[-1])
    assert np.log(median) == pytest.approx(7.0, abs=0.2)
    far, _ = normalised(table[-1:] + log_prior(PLACE, 1.0, 0.05))
    between = (1.0 / 0.05**2 + 7.0 / 0.02**2) / (1 / 0.05**2 + 1 / 0.02**2)
    assert PLACE[far[0].argmax()] == pytest.approx(between, abs=0.1)


def test_adding_a_constant_to_a_likelihood_changes_nothing():
    _, table = units(6, count=50)
    moved = table + np.random.default_rng(0).normal(0, 1e3, (50, 1))
    np.testing.assert_allclose(pool(GRID, moved).posterior, pool(GRID, table).posterior, atol=1e-8)


def test_units_that_agree_have_the_least_spread_there_is():
    table = np.tile(-0.5 * ((PLACE - 2.0) / 0.4) ** 2, (40, 1))
    assert pool(GRID, table).spread <= 0.1


def test_an_end_on_the_end_of_the_grid_is_open():
    rising = np.exp(-0.5 * ((PLACE - PLACE[-1]) / 0.3) ** 2)
    _, low, high = posterior_interval(GRID, rising / rising.sum())
    assert high == np.inf
    assert 0 < low < GRID[-1]
    falling = rising[::-1] / rising.sum()
    _, low, high = posterior_interval(GRID, falling)
    assert low == 0
    assert GRID[0] < high < np.inf
