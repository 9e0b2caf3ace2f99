"""The edge's own rate: a Gamma–Poisson posterior, against scipy's negative binomial."""

import numpy as np
import pytest
from scipy.stats import nbinom

from hebb_lab.halflife.model import Training
from tests.halflife.fits import MODELS, fitted, late, world
from tests.halflife.made import exposed, history, random_windows

WINDOWS = random_windows(12, 160, nodes=7, spaces=(0, 1))


def counts_of(found, edge, until):
    """(re-activations, recalls that it was exposed in) of an edge before a recall, by counting."""
    own = slice(int(found.pointer[edge]), int(found.pointer[edge + 1]))
    recalls = found.event_recall[own][1:]
    return int((recalls < until).sum()), len(exposed(found, edge, until))


@pytest.mark.parametrize("activity", ["recalls", "none"])
def test_its_intensity_is_a_plus_n_over_b_plus_age(activity):
    found = history(WINDOWS, activity=activity)
    fit = MODELS["rate"].fit(found, Training(until=130))
    asked = late(found)
    for row in range(0, len(asked.edge), 5):
        edge, group = asked.edge[row], found.group[asked.edge[row]]
        n, age = counts_of(found, edge, int(asked.seen[row]))
        if activity == "none":
            age = asked.reading[row] - found.reading[found.birth()[edge]]
        expected = (fit.prior.shape[group] + n) / (fit.prior.scale[group] + age)
        assert fit.intensity(asked)[row] == pytest.approx(expected, rel=1e-9)


def test_its_prediction_is_that_of_the_negative_binomial():
    fit, found = fitted("rate", "frailty", gain=0.0)
    asked = late(found)
    group = found.group[asked.edge]
    a = fit.prior.shape[group] + found.again(asked)
    b = fit.prior.scale[group] + found.age(asked)
    _, more = found.ahead(asked, 7.0)
    none = nbinom.pmf(0, a, b / (b + more))
    np.testing.assert_allclose(fit.predict(asked, 7.0), 1 - none, rtol=1e-9)


def test_no_other_prior_makes_the_counts_more_likely():
    found = history(WINDOWS)
    until = 130
    fit = MODELS["rate"].fit(found, Training(until=until))
    for group in range(2):
        edges = np.flatnonzero(found.group == group)
        n, span = np.array([counts_of(found, e, until) for e in edges]).T
        n, span = n[span > 0], span[span > 0]

        def fits(a, b, n=n, span=span):
            return nbinom.logpmf(n, a, b / (b + span)).sum()

        a, b = fit.prior.shape[group], fit.prior.scale[group]
        best = fits(a, b)
        for more in (0.8, 0.95, 1.05, 1.25):
            assert fits(a * more, b) < best + 1e-6
            assert fits(a, b * more) < best + 1e-6


def test_an_edge_that_came_often_is_expected_sooner_than_one_that_did_not():
    fit, found = fitted("rate", "frailty", gain=0.0)
    asked = late(found, 1)
    rate = found.again(asked) / np.maximum(found.age(asked), 1)
    chance = fit.predict(asked, 7.0)
    assert chance[np.argsort(rate)[-10:]].min() > chance[rate == 0].max()


def test_nothing_fades_and_the_parameters_say_how_many_events_they_rest_on():
    fit, found = fitted("rate")
    _, train = world()
    assert np.isinf(fit.half_life(late(found))).all()
    events = sum(fit.parameters[f"rate_shape[{group}]"].events for group in found.groups)
    assert events == len(found.reactivations(0, train.until))
