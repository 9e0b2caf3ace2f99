"""What the next days are expected to bring: how far the clock goes, how much exposure there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.facts.clock import DAY_US

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History

USUAL_DAYS = 2.0  # at the mean speed of the whole log so far, beside the last days


def forecast(
    history: History, asked: Asked, days: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """([Q] clock units, [Q] exposure) of the next days, seen from moments.

    Both go on at their mean speed over the last ``history.forecast_days``, with two days at their
    mean speed since the log began beside it: after a long silence work is still possible.
    """
    start = history.recall_us[:1]
    begin = np.maximum(asked.time_us - round(history.forecast_days * DAY_US), start)
    now = history.measure.moment(asked.seen, asked.reading)
    shown, passed = _until(history, begin)
    first, none = _until(history, start)
    recent, whole = (np.maximum((asked.time_us - t) / DAY_US, 1.0) for t in (begin, start))
    clock = asked.reading - shown + USUAL_DAYS * (asked.reading - first) / whole
    exposure = now - passed + USUAL_DAYS * (now - none) / whole
    share = days / (recent + USUAL_DAYS)
    return clock * share, exposure * share


def _until(
    history: History, time_us: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the clock shows at times, and where exposure stands."""
    shown = history.clock.read(time_us)
    before = np.searchsorted(history.recall_us, time_us, side="left")
    return shown, history.measure.moment(before, shown)
