"""The recency table, against counting every exposed recall of every edge."""

from collections import Counter

import numpy as np
import pytest

from hebb_lab.halflife.baselines.recency import ENDS, PRIOR_EVENTS
from hebb_lab.halflife.model import Training
from tests.halflife.fits import MODELS, gap_events, late, share_of
from tests.halflife.made import history, random_windows

WINDOWS = random_windows(13, 150, nodes=7, spaces=(0, 1))


def bin_of(gap):
    """The first bin whose end is not before the gap."""
    return next((i for i, end in enumerate(ENDS) if gap <= end), len(ENDS))


def table(found, until):
    """[S, B] hazards by counting."""
    came, there = Counter(), Counter()
    for group, gap, again in gap_events(found, until):
        there[group, bin_of(gap)] += 1
        came[group, bin_of(gap)] += again
    hazard = np.empty((len(found.groups), len(ENDS) + 1))
    for group in range(len(found.groups)):
        bins = range(len(ENDS) + 1)
        usual = (sum(came[group, b] for b in bins) + 0.5) / sum(there[group, b] for b in bins)
        for b in bins:
            hazard[group, b] = came[group, b] + PRIOR_EVENTS
            hazard[group, b] /= there[group, b] + PRIOR_EVENTS / usual
    return hazard


@pytest.mark.parametrize("settings", [{}, {"burn_in_days": 15.0}, {"clock": "active_days"}])
def test_each_bin_is_events_over_exposed_recalls_leaning_on_the_mean(settings):
    found = history(WINDOWS, **settings)
    fit = MODELS["recency"].fit(found, Training(until=120))
    np.testing.assert_allclose(fit.hazard, table(found, 120), rtol=1e-9)


def test_an_intensity_is_that_of_the_bin_of_the_gap():
    found = history(WINDOWS)
    fit = MODELS["recency"].fit(found, Training(until=120))
    hazard, asked = table(found, 120), late(found)
    expected = [
        hazard[found.group[edge], bin_of(gap)]
        for edge, gap in zip(asked.edge, asked.gap, strict=True)
    ]
    np.testing.assert_allclose(fit.intensity(asked), expected, rtol=1e-9)


def test_a_prediction_adds_the_hazard_up_over_the_horizon():
    found = history(WINDOWS)
    fit = MODELS["recency"].fit(found, Training(until=120))
    asked = share_of(late(found), 12)
    clock, more = found.ahead(asked, 7.0)
    for row in range(len(asked.edge)):
        gaps = asked.gap[row] + clock[row] * (np.arange(20_000) + 0.5) / 20_000
        mean = fit.hazard[found.group[asked.edge[row]], np.searchsorted(ENDS, gaps)].mean()
        expected = 1 - np.exp(-mean * more[row])
        assert fit.predict(asked, 7.0)[row] == pytest.approx(expected, rel=1e-3)


def test_a_clock_that_stands_still_asks_for_the_hazard_of_now():
    found = history(WINDOWS, clock="sessions", session_us=history(WINDOWS).recall_us[:2])
    fit = MODELS["recency"].fit(found, Training(until=120))
    asked = found.asked(np.array([0]), found.recall_us[found.birth()[[0]]] + 1)
    clock, more = found.ahead(asked, 0.0)
    assert clock == 0
    assert fit.predict(asked, 0.0) == 1 - np.exp(-fit.intensity(asked) * more)
