"""How long pairs stay away: Kaplan–Meier over the scored blocks, for the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.evaluation.calibration import kaplan_meier
from hebb_lab.halflife.facts.clock import DAY_US

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History
    from hebb_lab.halflife.protocol.splits import Split

TIMES, POINTS = 12, 400
SHORTEST = 1.0 / 24  # days; within an hour most of it is one and the same piece of work


def spells(
    history: History, splits: Sequence[Split]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(days from each activation in the scored blocks to the pair's next, whether it came).

    Where none came before the log ended, the days until then.
    """
    good = np.flatnonzero(history.graph.event_strength.numpy() >= 0)
    recall, edge = history.event_recall[good], history.edge_of[good]
    when = history.recall_us[recall]
    followed = np.append(edge[1:] == edge[:-1], False)
    end = np.where(followed, np.append(when[1:], 0), history.recall_us[-1])
    inside = (recall >= splits[0].first) & (recall < splits[-1].until)
    return (end - when)[inside] / DAY_US, followed[inside]


def times_of(history: History, splits: Sequence[Split]) -> list[float]:
    """Days at which survival is predicted: even on a log axis, to what nine in ten are watched."""
    days, _ = spells(history, splits)
    last = float(np.quantile(days, 0.9)) if len(days) else 0.0
    return [float(t) for t in np.geomspace(SHORTEST, max(last, 4 * SHORTEST), TIMES)]


def observed(history: History, splits: Sequence[Split]) -> dict[str, Any]:
    """The Kaplan–Meier curve as plain lists, at most 400 of its steps."""
    days, came = spells(history, splits)
    curve = kaplan_meier(days, came)
    last = len(curve.time) - 1
    some = np.unique(np.linspace(0, last, POINTS).round().astype(int)) if last >= 0 else slice(0)
    parts = {
        "days": curve.time, "survival": curve.survival, "low": curve.low, "high": curve.high,
        "at_risk": curve.at_risk,
    }  # fmt: skip
    steps = {name: part[some].tolist() for name, part in parts.items()}
    return {"spells": len(days), "watched_days": curve.watched, **steps}
