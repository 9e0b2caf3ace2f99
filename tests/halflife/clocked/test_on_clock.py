"""Models on other clocks: the same moments, other weights."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.halflife.facts.history import history_of, on_clock
from hebb_lab.halflife.facts.shelf import Shelf
from hebb_lab.halflife.model import NotApplicableError
from tests.halflife.fits import MODELS, late, training, world
from tests.halflife.made import CPU, DAY_US


def with_sessions(**changes):
    """A world that knows its sessions: one a day."""
    found, _ = world("shared", **changes)
    first, last = int(found.recall_us[0]), int(found.recall_us[-1])
    starts = np.arange(first, last, DAY_US)
    made = history_of(found.graph, found.rules, CPU, session_us=starts, truth=found.truth)
    return made, training(made)


@pytest.mark.parametrize("clock", ["active_days", "sessions"])
@pytest.mark.parametrize("name", ["hierarchical", "frailty"])
def test_it_is_the_model_fitted_to_the_history_on_that_clock(name, clock):
    here, train = with_sessions()
    fit = MODELS[f"{name}_{clock}"].fit(here, train)
    there = on_clock(here, clock)
    alone = MODELS[name].fit(there, train)
    asked = late(here)
    moments = there.asked(asked.edge, asked.time_us)
    np.testing.assert_array_equal(fit.intensity(asked), alone.intensity(moments))
    np.testing.assert_array_equal(fit.predict(asked, 7.0), alone.predict(moments, 7.0))


def test_where_every_day_is_active_the_clocks_all_but_agree():
    here, train = with_sessions()
    asked = late(here)
    wall = MODELS["hierarchical"].fit(here, train)
    days = MODELS["hierarchical_active_days"].fit(here, train)
    assert np.corrcoef(days.intensity(asked), wall.intensity(asked))[0, 1] > 0.99
    np.testing.assert_allclose(days.half_life(asked), wall.half_life(asked), rtol=0.25)


def test_half_lives_are_named_for_their_clock_and_unit():
    here, train = with_sessions()
    found = MODELS["hierarchical_sessions"].fit(here, train).parameters
    assert "half_life[personal]" not in found
    assert found["half_life_sessions[personal]"].verdict.startswith("in sessions")


def test_a_clock_that_the_log_lacks_or_that_is_the_run_s_own_is_not_applicable():
    here, train = with_sessions()
    here = replace(here, session_us=None, shelf=Shelf())
    with pytest.raises(NotApplicableError, match="fewer than two sessions"):
        MODELS["frailty_sessions"].fit(here, train)
    with pytest.raises(NotApplicableError, match="own clock"):
        MODELS["frailty_active_days"].fit(on_clock(here, "active_days"), train)
