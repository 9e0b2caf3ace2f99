"""From touches to windows of co-activation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.records import CoActivations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.telemetry.touches import Touches

WINDOWS = ("turn", "commit", "gap", "session")


def window_of_touch(
    touches: Touches, by: str = "turn", gap_minutes: float = 30.0
) -> NDArray[np.int64]:
    """The window of each touch, [T] int64, numbered in the order in which the windows end.

    Args:
        touches: in time order.
        by: ``turn`` (between two prompts of a session), ``commit`` or ``session`` (all touches of
            a session), ``gap`` (a session, cut where nothing was touched for gap_minutes).
        gap_minutes: only for ``gap``.

    Raises:
        ConfigError: an unknown kind of window, or a gap that is not positive.
    """
    if by not in WINDOWS:
        raise ConfigError(f"unknown window '{by}'", f"Use one of {', '.join(WINDOWS)}")
    session = touches.session.astype(np.int64)
    if by == "turn":
        part = touches.turn.astype(np.int64)
    elif by == "gap":
        part = _gap_number(touches, gap_minutes)
    else:
        part = np.zeros(len(touches), np.int64)
    _, window = np.unique(session * (part.max() + 1) + part, return_inverse=True)
    last = np.zeros(window.max() + 1, np.int64)
    np.maximum.at(last, window, np.arange(len(window)))
    rank = np.empty_like(last)
    rank[np.argsort(last)] = np.arange(len(last))
    return rank[window]


def _gap_number(touches: Touches, gap_minutes: float) -> NDArray[np.int64]:
    if not gap_minutes > 0:
        raise ConfigError("windows.gap_minutes must be positive", "Give minutes, for instance 30")
    order = np.lexsort((np.arange(len(touches)), touches.session))
    session, time = touches.session[order], touches.time_us[order]
    fresh = np.diff(session, prepend=-1) != 0
    wide = np.diff(time, prepend=time[:1]) > gap_minutes * 60e6
    number = np.empty(len(touches), np.int64)
    number[order] = np.cumsum(wide & ~fresh)
    return number


def co_activations(touches: Touches, window: NDArray[np.int64]) -> CoActivations:
    """The distinct nodes of each window, learned at the time of its last touch.

    A window's strength is the mean over its touches, its namespace that of its last touch.
    """
    first = _first_of_each(window * len(touches.nodes) + touches.node)
    keep = first[np.lexsort((first, window[first]))]
    count = int(window.max()) + 1
    last = np.zeros(count, np.int64)
    np.maximum.at(last, window, np.arange(len(window)))
    touched = np.bincount(window, minlength=count)
    strength = np.bincount(window, weights=touches.strength, minlength=count) / touched
    return CoActivations(
        nodes=touches.nodes,
        sessions=touches.sessions,
        namespaces=touches.namespaces,
        time_us=touches.time_us[last],
        session=touches.session[last],
        node_ptr=np.concatenate([[0], np.cumsum(np.bincount(window[keep], minlength=count))]),
        node_ids=touches.node[keep],
        strength=strength.astype(np.float32),
        namespace=touches.namespace[last],
    )


def _first_of_each(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions of the first appearance of each key, ascending."""
    _, first = np.unique(keys, return_index=True)
    return np.sort(first)
