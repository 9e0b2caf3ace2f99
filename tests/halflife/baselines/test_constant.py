"""The constant: events over exposure, counted in plain loops."""

import numpy as np
import pytest

from hebb_lab.halflife.model import Training
from tests.halflife.fits import MODELS, counted, fitted, late
from tests.halflife.made import DAY_US, START_US, history, pairs, random_windows, window


def test_its_rate_is_the_groups_reactivations_over_the_recalls_that_its_edges_were_exposed_in():
    found = history(random_windows(11, 140, nodes=7, spaces=(0, 1)))
    fit = MODELS["constant"].fit(found, Training(until=110))
    asked = late(found)
    for group in range(2):
        own = found.group[asked.edge] == group
        events, spans = counted(found, group, 110)
        assert events >= 10
        np.testing.assert_allclose(fit.intensity(asked)[own], (events + 0.5) / spans, rtol=1e-6)


def test_a_group_with_few_events_has_the_rate_of_all():
    few = [window(900, [20, 21], 1), window(901, [20, 21], 1)]
    found = history(random_windows(11, 140, nodes=7) + few)
    fit = MODELS["constant"].fit(found, Training(until=found.recalls))
    every = [counted(found, group, found.recalls) for group in range(2)]
    events, spans = np.sum(every, axis=0)
    asked = late(found)
    small = found.group[asked.edge] == found.groups.index("shared")
    assert small.any()
    np.testing.assert_allclose(fit.intensity(asked)[small], (events + 0.5) / spans, rtol=1e-6)


def test_a_prediction_multiplies_the_rate_by_the_recalls_that_the_last_weeks_forecast():
    # a recall every second day: 14 in the last four weeks, and two days of the mean so far
    found = history(pairs(*[(2 * day, day % 2) for day in range(40)]))
    fit = MODELS["constant"].fit(found, Training(until=40))
    asked = found.asked(np.array([0]), np.array([START_US + 79 * DAY_US]))
    rate = (38 + 0.5) / (39 + 38)
    assert fit.intensity(asked) == pytest.approx([rate], rel=1e-6)
    more = 7.0 * (14 + 2 * 40 / 79) / 30
    assert fit.predict(asked, 7.0) == pytest.approx([1 - np.exp(-rate * more)], rel=1e-6)


def test_it_has_neither_parameters_nor_a_half_life():
    fit, found = fitted("constant")
    assert not fit.parameters
    assert np.isnan(fit.half_life(late(found))).all()
