"""The likelihood of shared gamma frailty against its integral written out."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma

from hebb_lab.halflife.objectives.frailty import PRIOR_EVENTS, Seen, _loss, fit_frailty


def drawn(seed, edges=3000, shape=1.5, mu=0.02, beta=0.3):
    """Counts of edges in steps of exposure, with a weight that is there in half of them."""
    rng = np.random.default_rng(seed)
    factor = rng.gamma(shape, 1 / shape, edges)
    exposed, weighted = rng.uniform(20, 60, edges), rng.uniform(2, 10, edges)
    found, counts = [], np.zeros(edges, int)
    for edge in range(edges):
        still = rng.poisson(factor[edge] * mu * (exposed[edge] - weighted[edge]))
        hot = rng.poisson(factor[edge] * (mu + beta) * weighted[edge])
        counts[edge] = still + hot
        found += [0.0] * still + [1.0] * hot
    return Seen(counts, exposed, weighted, np.array(found))


@pytest.mark.parametrize("seed", range(3))
def test_shape_rate_and_gain_are_recovered(seed):
    # seeds 10 to 29: shape 1.38 to 1.66, rate .0185 to .0218, gain .280 to .323
    fit = fit_frailty(drawn(seed))
    assert fit.converged
    shape, mu, beta = np.exp(fit.point)
    assert shape == pytest.approx(1.5, rel=0.15)
    assert mu == pytest.approx(0.02, rel=0.15)
    assert beta == pytest.approx(0.3, rel=0.1)


def test_the_likelihood_is_the_integral_over_the_factor():
    seen = Seen(np.array([2]), np.array([30.0]), np.array([4.0]), np.array([0.7, 0.1]))
    a, mu, beta = 1.7, 0.03, 0.2

    def inside(z):
        rates = z * (mu + beta * seen.found)
        return gamma.pdf(z, a, scale=1 / a) * rates.prod() * np.exp(-z * (mu * 30 + beta * 4))

    expected = np.log(quad(inside, 0, 60)[0])
    value = -_loss(seen, np.log([a, mu, beta]), 1)[0]
    assert value == pytest.approx(expected + PRIOR_EVENTS * np.log(mu), abs=1e-6)


def test_the_gradient_is_that_of_the_value():
    seen = drawn(0, edges=200)
    total = int(seen.counts.sum())
    point = np.log([0.8, 0.05, 0.1])
    _, slope = _loss(seen, point, total)
    for place in range(3):
        step = np.zeros(3)
        step[place] = 1e-6
        ends = [_loss(seen, point + sign * step, total)[0] for sign in (1, -1)]
        assert slope[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-7)


def test_a_known_point_never_makes_the_end_worse():
    seen = drawn(1, edges=300)
    alone = fit_frailty(seen)
    for start in ([3.0, -30.0, -30.0], [-3.0, 5.0, 5.0], list(alone.point)):
        assert fit_frailty(seen, np.array(start)).value >= alone.value - 1e-6


def test_no_event_and_no_edge_give_an_end_and_no_error():
    nothing = np.empty(0)
    silent = Seen(np.zeros(4, int), np.full(4, 10.0), np.full(4, 1.0), nothing)
    for seen in (silent, Seen(np.empty(0, int), nothing, nothing, nothing)):
        assert np.isfinite(fit_frailty(seen).point).all()
