"""Checkpoint rows: at regular moments, every edge that is known, and whether it comes back.

The evaluation of fitting.md §4: as of the checkpoint nothing of the horizon is known; the outcome
is whether the edge is active again within it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.facts.draws import uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History

KEEPS = 1 << 21
MOST_CHECKPOINTS = 20_000


class Rows(NamedTuple):
    """R rows of one horizon, by checkpoint.

    moments: the edges at their checkpoints. again: [R] bool, active in [checkpoint, + horizon).
    checkpoint: [R] int64, number of the checkpoint. left_out: rows that were thinned out.
    """

    moments: Asked
    again: NDArray[np.bool_]
    checkpoint: NDArray[np.int64]
    left_out: int


def checkpoints(history: History, stride_days: float) -> NDArray[np.int64]:
    """Moments in µs, ``stride_days`` apart, from one stride after the log begins to its end.

    Raises:
        ConfigError: more of them than can be looked at.
    """
    first, last = int(history.recall_us[0]), int(history.recall_us[-1])
    days = (last - first) / DAY_US
    if not stride_days > days / MOST_CHECKPOINTS:
        raise ConfigError(
            f"halflife.stride_days={stride_days:g} is too small for a log of {days:.4g} days",
            f"Give {days / MOST_CHECKPOINTS:.2g} or more, or null",
        )
    step = max(round(stride_days * DAY_US), 1)
    return np.arange(first + step, last + 1, step)


def draw_rows(
    history: History, first: int, until: int, horizon_days: float, *, stride_days: float = 1.0,
    most: int = 200_000, seed: int = 0, whole: bool = False,
) -> Rows:  # fmt: skip
    """Rows of the checkpoints that lie in the recalls [first, until).

    A checkpoint whose horizon reaches beyond the log is no row: its outcome is not known. More rows
    than ``most`` are thinned evenly. Edges are those seen strictly before the checkpoint.

    Args:
        history: the facts.
        first: number of a recall; checkpoints after it count.
        until: number of a recall; checkpoints up to it count.
        horizon_days: of wall time.
        stride_days: between checkpoints.
        most: about how many rows to keep.
        seed: of the thinning.
        whole: also leave out checkpoints whose horizon reaches beyond recall ``until``: rows that
            a model may be fitted to.
    """
    horizon = round(horizon_days * DAY_US)
    times = checkpoints(history, stride_days)
    numbers = _numbers(history, first, until, times, horizon, whole=whole)
    order, known = _known(history, times[numbers])
    share = min(1.0, most / max(int(known.sum()), 1))
    edges, marks = [], []
    for number, count in zip(numbers.tolist(), known.tolist(), strict=True):
        place = np.arange(count)
        some = place if share == 1.0 else place[uniform(seed, number, place, KEEPS) < share]
        edges.append(order[some])
        marks.append(np.full(len(some), number))
    edge = np.concatenate([np.empty(0, np.int64), *edges])
    mark = np.concatenate([np.empty(0, np.int64), *marks])
    moments = history.asked(edge, times[mark] if len(mark) else np.empty(0, np.int64))
    return Rows(moments, _again(history, moments, horizon), mark, int(known.sum()) - len(edge))


def count_rows(
    history: History, first: int, until: int, horizon_days: float, stride_days: float = 1.0
) -> int:
    """How many rows ``draw_rows`` has to choose from."""
    times = checkpoints(history, stride_days)
    numbers = _numbers(history, first, until, times, round(horizon_days * DAY_US), whole=False)
    return int(_known(history, times[numbers])[1].sum())


def _numbers(
    history: History, first: int, until: int, times: NDArray[np.int64], horizon: int, *,
    whole: bool,
) -> NDArray[np.int64]:  # fmt: skip
    """The checkpoints in the recalls [first, until) whose horizon is known."""
    begin = int(history.recall_us[min(max(first, history.entry), history.recalls - 1)])
    end = int(history.recall_us[min(until, history.recalls - 1)])
    known_until = end if whole else int(history.recall_us[-1])
    return np.flatnonzero((times > begin) & (times <= end) & (times + horizon <= known_until))


def _known(
    history: History, times: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(edges by birth, how many of them are known at each of the times)."""
    born_us = history.recall_us[history.birth()]
    order = np.argsort(born_us, kind="stable")
    return order, np.searchsorted(born_us[order], times, side="left")


def _again(history: History, moments: Asked, horizon_us: int) -> NDArray[np.bool_]:
    """Whether the edge's next reinforcement lies within the horizon."""
    good = np.flatnonzero(history.graph.event_strength.numpy() >= 0)
    following = np.searchsorted(good, moments.event, side="right")
    there = following < len(good)
    event = good[np.minimum(following, len(good) - 1)]
    same = there & (history.edge_of[event] == moments.edge)
    when = history.recall_us[history.event_recall[event]]
    return np.asarray(same & (when < moments.time_us + horizon_us))
