"""Half-lives of single edges, integrated out: against sums written out and made tables."""

import numpy as np
import pytest

from hebb_lab.halflife.objectives.edgewise import EdgeTable, _loss, fit_edgewise

HALF_LIVES = np.geomspace(0.1, 300, 12)


def made(seed, edges=30, events=4):
    """A table with random weights."""
    rng = np.random.default_rng(seed)
    count = rng.integers(0, 2 * events, edges)
    edge = np.repeat(np.arange(edges), count)
    found = rng.random((len(edge), 1)) ** (1 / HALF_LIVES)
    exposure = rng.uniform(5, 20, (edges, 1)) * HALF_LIVES / (1 + HALF_LIVES)
    return EdgeTable(HALF_LIVES, edge, found, exposure, rng.uniform(20, 80, edges))


def test_a_row_is_the_sum_over_the_edges_own_events():
    table = made(0)
    found = table.likelihood(0.02, 0.3)
    for edge in range(30):
        own = table.found[table.edge == edge]
        logs = np.log(0.02 + 0.3 * own).sum(axis=0)
        expected = logs - 0.02 * table.exposed[edge] - 0.3 * table.exposure[edge]
        np.testing.assert_allclose(found[edge], expected, rtol=1e-12)


def test_some_edges_have_the_rows_that_they_have_among_all():
    table, own = made(1), np.random.default_rng(2).random(30) < 0.4
    some = table.some(own).likelihood(0.02, 0.3)
    np.testing.assert_array_equal(some, table.likelihood(0.02, 0.3)[own])


def test_the_value_is_the_log_of_the_mean_over_the_prior():
    table, theta = made(3), np.array([np.log(0.02), np.log(0.3), 1.2, np.log(0.8)])
    weights = np.exp(-0.5 * ((np.log(HALF_LIVES) - 1.2) / 0.8) ** 2)
    weights /= weights.sum()
    expected = np.log(np.exp(table.likelihood(0.02, 0.3)) @ weights).mean()
    assert -_loss(table, theta)[0] == pytest.approx(expected, rel=1e-10)


def test_the_gradient_is_that_of_the_value():
    table, theta = made(4), np.array([np.log(0.05), np.log(0.1), 0.4, np.log(1.5)])
    _, slope = _loss(table, theta)
    for place in range(4):
        step = np.zeros(4)
        step[place] = 1e-6
        ends = [_loss(table, theta + sign * step)[0] for sign in (1, -1)]
        assert slope[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)


def test_the_end_is_no_worse_than_any_point_around_it():
    table = made(5, edges=200)
    fit = fit_edgewise(table, 0.02, 0.1, 5.0)
    assert fit.converged
    best = np.array([np.log(fit.mu), np.log(fit.beta), fit.mean, np.log(fit.spread)])
    value = _loss(table, best)[0]
    rng = np.random.default_rng(6)
    for _ in range(50):
        moved = best + rng.normal(0, 0.2, 4)
        moved[3] = np.clip(moved[3], np.log(0.05), np.log(3.0))
        assert _loss(table, moved)[0] >= value - 1e-8


def test_no_edge_gives_the_start_and_says_that_it_did_not_converge():
    none = made(0).some(np.zeros(30, bool))
    assert fit_edgewise(none, 0.02, 0.1, 5.0)[:2] == (0.02, 0.1)
    assert not fit_edgewise(none, 0.02, 0.1, 5.0).converged
