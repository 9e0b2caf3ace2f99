"""The oracle, against a plain loop that knows the truth of each world."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.halflife.model import NotApplicableError, Training
from tests.halflife.fits import MODELS, fitted, late, share_of, world
from tests.halflife.made import DAY_US, history, pairs
from tests.worlds.plain import mass, signal_of

LAWS = {
    "exponential": ("half_lives", {}),
    "none": ("frailty", {"gain": 0.05}),
    "power_law": ("power_law", {"gain": 0.025}),
    "power law of 1": ("power_law", {"gain": 0.025, "power_exponent": 1.0}),
    "learned_observed": ("heuristic", {}),
}


def replayed(found, edge, now):
    """(the signal's state right after the last event before now, that event's time)."""
    namespace = found.graph.namespaces[found.graph.edge_namespace[edge]]
    signal, last = signal_of(found.truth, edge, namespace), None
    own = slice(int(found.pointer[edge]), int(found.pointer[edge + 1]))
    for time in found.graph.event_time.numpy()[own].tolist():
        if time >= now:
            break
        signal.event(time, 0.0 if last is None else (time - last) / DAY_US)
        last = time
    return signal, last


def value(signal, days):
    """The signal so many days after its last event."""
    if not hasattr(signal, "ages"):
        return signal.value(days)
    return sum((age + days + signal.offset) ** -signal.exponent for age in signal.ages)


@pytest.mark.parametrize("law", LAWS)
def test_its_intensity_is_the_worlds(law):
    preset, changes = LAWS[law]
    fit, found = fitted("oracle", preset, **changes)
    asked = share_of(late(found), 90)
    intensity = fit.intensity(asked)
    for row, (edge, now) in enumerate(
        zip(asked.edge.tolist(), asked.time_us.tolist(), strict=True)
    ):
        signal, last = replayed(found, edge, now)
        truth = found.truth
        expected = truth.base_rate[edge] + truth.gain[edge] * value(signal, (now - last) / DAY_US)
        # by_event keeps half-lives to one per cent
        assert intensity[row] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("law", ["exponential", "none", "power_law", "learned_observed"])
def test_its_prediction_is_the_chance_of_an_event_where_activity_is_even(law):
    preset, changes = LAWS[law]
    fit, found = fitted("oracle", preset, **changes)
    truth, days = found.truth, 4.0
    end = int(truth.activity.start_us[-1])
    now = end - round(9 * DAY_US)
    edges = np.flatnonzero(found.recall_us[found.birth()] < now)[::3]
    chance = fit.predict(found.asked(edges, np.full(len(edges), now)), days)
    for edge, found_chance in zip(edges.tolist(), chance, strict=True):
        signal, last = replayed(found, edge, now)
        begun = [
            mass(signal, truth.base_rate[edge], truth.gain[edge], truth.activity, last, until)
            for until in (now, now + round(days * DAY_US))
        ]
        assert found_chance == pytest.approx(1 - math.exp(begun[0] - begun[1]), rel=0.01)


def test_it_knows_how_active_the_agent_will_be():
    fit, found = fitted("oracle", "half_lives", activity="vacations", days=120.0)
    start, level = found.truth.activity
    now = int(start[len(start) // 2])
    edges = np.flatnonzero(found.recall_us[found.birth()] < now)[:5]
    asked = found.asked(edges, np.full(len(edges), now))
    for days in (0.5, 2.0, 30.0):
        # hour by hour
        hours = now + (np.arange(round(days * 2400)) + 0.5) * DAY_US / 2400
        place = np.searchsorted(start, hours, side="right") - 1
        assert fit._activity(asked.time_us, days) == pytest.approx(
            np.full(len(edges), level[place].mean()), abs=0.02
        )
    assert (fit.predict(asked, 0.0) == 0).all()


def test_its_half_life_is_the_true_one_and_it_has_no_parameters():
    fit, found = fitted("oracle")
    asked = late(found)
    assert (fit.half_life(asked) == found.truth.half_life_days[asked.edge]).all()
    assert fit.parameters == {}


def test_a_real_log_has_no_oracle():
    with pytest.raises(NotApplicableError, match="real log"):
        MODELS["oracle"].fit(history(pairs((0, 0), (1, 0))), Training(until=2))


def test_a_world_on_another_clock_has_no_oracle():
    found, train = world(clock="active_days")
    with pytest.raises(NotApplicableError, match="wall time"):
        MODELS["oracle"].fit(found, train)


def test_a_graph_with_other_edges_than_its_world_is_refused():
    found, train = world()
    other, _ = world("heuristic", edges=90)
    with pytest.raises(InputError, match="other edges"):
        MODELS["oracle"].fit(replace(found, truth=other.truth), train)
