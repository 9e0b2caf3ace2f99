"""A factor for each edge, integrated out: posterior means and predictions by integration."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import gamma

from tests.halflife.fits import (
    counted,
    fitted,
    late,
    plain_areas,
    plain_weight,
    plain_weights,
    share_of,
    world,
)
from tests.halflife.made import exposed


@cache
def judged():
    """(fit, history, moments, their a, n and Λ so far, μ + β w, Λ ahead in 7 days), plainly."""
    fit, found = fitted("frailty")
    asked = share_of(late(found), 40)
    lives = fit.lives
    a, mu, beta = fit.points[found.group[asked.edge]].T
    n, before = [], []
    for row, edge in enumerate(asked.edge.tolist()):
        recalls = exposed(found, edge, int(asked.seen[row]))
        days = float(lives[found.group[edge]])
        weights = [plain_weight(found, edge, t, days)[0] for t in found.recall_us[recalls].tolist()]
        own = slice(int(found.pointer[edge]) + 1, int(found.pointer[edge + 1]))
        n.append((found.event_recall[own] < asked.seen[row]).sum())
        before.append(mu[row] * len(recalls) + beta[row] * sum(weights))
    rate = mu + beta * plain_weights(found, asked, lives)
    _, more = found.ahead(asked, 7.0)
    ahead = mu * more + beta * plain_areas(found, asked, lives, 7.0)
    return fit, found, asked, a, np.array(n), np.array(before), rate, ahead


def test_an_intensity_is_the_factors_posterior_mean_times_the_rate_that_fades():
    fit, _, asked, a, n, before, rate, _ = judged()
    expected = rate * gamma.mean(a + n, scale=1 / (a + before))
    np.testing.assert_allclose(fit.intensity(asked), expected, rtol=1e-6)


def test_a_prediction_is_the_mean_over_the_posterior_of_the_factor():
    fit, _, asked, a, n, before, _, ahead = judged()
    chance = fit.predict(asked, 7.0)
    levels = (np.arange(20_000) + 0.5) / 20_000
    for row in range(len(asked.edge)):
        factor = gamma.ppf(levels, a[row] + n[row], scale=1 / (a[row] + before[row]))
        expected = (1 - np.exp(-factor * ahead[row])).mean()
        assert chance[row] == pytest.approx(expected, rel=2e-3)


def test_an_edge_that_came_more_often_than_its_weight_explains_has_a_larger_factor():
    fit, _, asked, _, n, before, rate, _ = judged()
    more = n > before * 1.5
    less = n < before * 0.5
    assert more.any()
    assert less.any()
    factor = fit.intensity(asked) / rate
    assert factor[more].min() > 1 > factor[less].max()


def test_half_lives_are_the_groups_and_events_stand_behind_every_parameter():
    fit, found = fitted("frailty")
    _, train = world()
    asked = late(found)
    for number, group in enumerate(found.groups):
        told = fit.parameters[f"half_life[{group}]"]
        assert set(fit.half_life(asked)[found.group[asked.edge] == number]) == {told.value}
        events, _ = counted(found, number, train.until)
        for name in ("half_life", "half_life_alone", "frailty_variance", "share_weight"):
            assert fit.parameters[f"{name}[{group}]"].events == events
        assert 0 <= fit.parameters[f"share_weight[{group}]"].value <= 1


def test_where_all_edges_are_alike_the_factors_hardly_differ():
    even, _ = fitted("frailty", "shared", edges=240, days=120.0, gain=0.1)
    mixed, _ = fitted("frailty", "frailty", edges=240, days=120.0, gain=0.0)
    alike = even.parameters["frailty_variance[personal]"].value
    differ = [e.value for k, e in mixed.parameters.items() if k.startswith("frailty_variance")]
    assert alike < 0.35
    assert min(differ) > 0.7  # true: 1 / 0.6


def test_where_nothing_fades_no_half_life_is_told_as_if_it_were_known():
    fit, found = fitted("frailty", "frailty", edges=240, days=120.0, gain=0.0)
    for group in found.groups:
        alone = fit.parameters[f"half_life_alone[{group}]"]
        assert alone.verdict or alone.high / alone.low > 5


def test_profiles_and_posteriors_are_shown():
    fit, found = fitted("frailty")
    assert fit.details()["curves"].keys() == set(found.groups)
    assert fit.details()["posteriors"].keys() == set(found.groups)
