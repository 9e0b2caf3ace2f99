"""Rates of edges that differ: recovery, and the negative binomial of scipy."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import nbinom

from hebb_lab.halflife.objectives.gamma import fit_rates
from tests.halflife.made import history, pairs, random_windows, window


def likelihood(theta, counts, exposure):
    """Of scipy's negative binomial: n = a, p = b / (b + T)."""
    a, b = np.exp(theta)
    return nbinom(a, b / (b + exposure)).logpmf(counts).sum()


def log_of(seed, shape, scale, edges=150, days=2500):
    """A log in which each edge comes back at its own rate a day."""
    rng = np.random.default_rng(seed)
    born = rng.integers(0, days // 2, edges)
    rate = rng.gamma(shape, 1 / scale, edges)
    events = []
    for edge in range(edges):
        count = rng.poisson(rate[edge] * (days - born[edge]))
        again = rng.integers(born[edge] + 1, days, count)
        events += [(int(r), edge) for r in np.unique(np.append(again, born[edge]))]
    return pairs(*sorted(events))


@pytest.mark.parametrize(("shape", "scale"), [(0.6, 40.0), (3.0, 400.0)])
def test_shape_and_scale_are_the_maximum_of_the_negative_binomial(shape, scale):
    found = history(log_of(1, shape, scale), activity="none")
    prior = fit_rates(found, found.recalls)
    assert prior.converged.all()
    exposure = found.reading[-1] - found.reading[found.birth()]
    events = found.reactivations(0, found.recalls)
    counts = np.bincount(found.edge_of[events], minlength=found.edges)
    known = exposure > 0
    ended = minimize(
        lambda t: -likelihood(t, counts[known], exposure[known]), np.log([shape, scale]),
        method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-8},
    )  # fmt: skip
    best = np.log([prior.shape[0], prior.scale[0]])
    assert likelihood(best, counts[known], exposure[known]) >= -ended.fun - 1e-4
    np.testing.assert_allclose(best, ended.x, atol=2e-3)
    # 150 edges: the standard error of ln a is about .12
    assert prior.shape[0] == pytest.approx(shape, rel=0.4)
    assert prior.shape[0] / prior.scale[0] == pytest.approx(shape / scale, rel=0.25)


def test_edges_that_are_all_alike_have_a_prior_without_spread():
    rng = np.random.default_rng(3)
    log = pairs(*[(i, int(e)) for i, e in enumerate(rng.integers(0, 20, 3000))])
    found = history(log)
    prior = fit_rates(found, found.recalls)
    assert prior.shape[0] > 50
    assert prior.shape[0] / prior.scale[0] == pytest.approx(1 / 20, rel=0.05)


def test_what_comes_later_does_not_move_the_rates():
    log = random_windows(51, 400)
    whole, short = history(log), history(log[:200])
    one, two = fit_rates(whole, 200), fit_rates(short, 200)
    assert one.shape[0] == pytest.approx(two.shape[0], rel=1e-4)
    assert one.scale[0] == pytest.approx(two.scale[0], rel=1e-4)


def test_a_group_with_few_reactivations_takes_the_rates_of_all():
    few = [window(900, [20, 21], 1), window(901, [20, 21], 1), window(902, [20, 21], 2)]
    found = history(random_windows(52, 200) + few)
    prior = fit_rates(found, found.recalls)
    shared, ephemeral = (found.groups.index(name) for name in ("shared", "ephemeral"))
    assert prior.shape[shared] == prior.shape[ephemeral]
    assert prior.scale[shared] == prior.scale[ephemeral]


@pytest.mark.parametrize("activity", ["recalls", "none"])
def test_a_log_without_a_reactivation_has_a_prior_of_half_an_event(activity):
    found = history(pairs((0, 0), (1, 1), (5, 2)), activity=activity)
    prior = fit_rates(found, found.recalls)
    assert prior.shape.tolist() == [0.5]
    assert np.isfinite(prior.scale).all()
    assert (prior.scale > 0).all()
    assert prior.converged.all()
