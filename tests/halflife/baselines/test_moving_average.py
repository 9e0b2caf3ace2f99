"""The moving average, against counting what lay in the week before each moment."""

import numpy as np
import pytest

from hebb_lab.halflife.model import Training
from tests.halflife.fits import MODELS, late
from tests.halflife.made import DAY_US, START_US, exposed, history, pairs, random_windows

WINDOWS = random_windows(14, 120, nodes=7, spaces=(0, 1), silences=0.03)


def counted(found, group, begin_us, time_us):
    """(re-activations, exposure) of a group within [begin, time), by counting."""
    recalls = found.event_recall[found.reactivations(0, found.recalls)]
    edges = found.edge_of[found.reactivations(0, found.recalls)]
    when = found.recall_us[recalls]
    events = ((found.group[edges] == group) & (when >= begin_us) & (when < time_us)).sum()
    spans = 0.0
    for edge in np.flatnonzero(found.group == group):
        if found.measure.__class__.__name__ == "RecallMeasure":
            when = found.recall_us[exposed(found, edge, found.recalls)]
            spans += ((when >= begin_us) & (when < time_us)).sum()
        else:
            born = max(found.recall_us[found.birth()[edge]], found.recall_us[found.entry])
            spans += max(0, time_us - max(born, begin_us)) / DAY_US
    return events, spans


@pytest.mark.parametrize("activity", ["recalls", "none"])
@pytest.mark.parametrize("burn_in_days", [0.0, 12.0])
def test_its_rate_is_that_of_the_last_week_with_a_hundredth_of_all_before(activity, burn_in_days):
    found = history(WINDOWS, activity=activity, burn_in_days=burn_in_days)
    fit = MODELS["moving_average"].fit(found, Training(until=100))
    asked = late(found, 6)
    intensity = fit.intensity(asked)
    for row in range(0, len(asked.edge), 7):
        group, now = found.group[asked.edge[row]], int(asked.time_us[row])
        recent, span = counted(found, group, now - 7 * DAY_US, now)
        events, whole = counted(found, group, 0, now)
        few = max(whole, 1.0) / 100
        usual = (events + 0.5) / max(whole, 1.0)
        expected = (recent + usual * few) / (span + few)
        assert intensity[row] == pytest.approx(expected, rel=1e-6), row


def test_it_does_not_know_the_recall_at_the_moment_itself():
    found = history(pairs(*[(day, day % 2) for day in range(30)]))
    fit = MODELS["moving_average"].fit(found, Training(until=30))
    day = 20
    for edge, (before, after) in {0: (0, 1), 1: (0, 1)}.items():
        at = START_US + day * DAY_US
        one, two = (found.asked(np.array([edge]), np.array([moment])) for moment in (at, at + 1))
        assert fit.events[one.seen, 0] - before + after == fit.events[two.seen, 0]


def test_a_rate_follows_a_burst_and_forgets_it_after_a_week():
    quiet, burst = [(day, day % 20) for day in range(40)], [(40 + e / 20, e) for e in range(20)]
    later = [(42 + day, day % 3) for day in range(20)]
    found = history(pairs(*quiet, *burst, *later), activity="none")
    fit = MODELS["moving_average"].fit(found, Training(until=found.recalls))

    def at(day):
        asked = found.asked(np.array([19]), np.array([START_US + round(day * DAY_US)]))
        return fit.predict(asked, 1.0)[0]

    assert at(41) > 2 * at(33)
    assert at(55) < at(43)
    assert fit.parameters == {}
