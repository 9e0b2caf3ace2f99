"""Pairs of nodes from windows, with their counts so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import CoActivations
    from hebb_lab.telemetry.touches import Touches


@dataclass(frozen=True)
class WindowPairs:
    """[P] pairs (a < b) of all windows, in learning order."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    window: NDArray[np.int64]


@dataclass(frozen=True)
class TransitionPairs:
    """[P] ordered pairs (a then b), in learning order."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    time_us: NDArray[np.int64]
    strength: NDArray[np.float32]
    namespace: NDArray[np.int16]


def pointers(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """[n] counts → [n+1] offsets."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def pairs_of(windows: CoActivations, window_max: int | None = None) -> WindowPairs:
    """All unordered pairs of each window; windows with more than window_max nodes give none."""
    sizes = windows.sizes()
    teaching = np.nonzero((sizes >= 2) & (sizes <= (window_max or sizes.max(initial=0))))[0]
    parts_a, parts_b, parts_w = [], [], []
    for size in np.unique(sizes[teaching]):
        of_size = teaching[sizes[teaching] == size]
        grid = windows.node_ids[windows.node_ptr[of_size][:, None] + np.arange(size)]
        grid = np.sort(grid, axis=1)  # [windows of this size, size]
        i, j = np.triu_indices(int(size), 1)
        parts_a.append(grid[:, i].ravel())
        parts_b.append(grid[:, j].ravel())
        parts_w.append(np.repeat(of_size, len(i)))
    if not parts_a:
        none = np.zeros(0, np.int32)
        return WindowPairs(none, none, np.zeros(0, np.int64))
    window = np.concatenate(parts_w)
    order = np.argsort(window, kind="stable")
    return WindowPairs(
        np.concatenate(parts_a)[order], np.concatenate(parts_b)[order], window[order]
    )


def pointwise_information(pairs: WindowPairs, windows: CoActivations) -> NDArray[np.float64]:
    """Normalised pointwise mutual information of each pair at its own window, [P].

    NPMI = ln(p(a,b) / (p(a) p(b))) / −ln p(a,b), with p = windows that hold it / windows so far,
    the own window counted; 1 where every window so far held the pair. (Bouma 2009.)
    """
    seen = np.arange(1, len(windows) + 1, dtype=np.float64)[pairs.window]
    both = _ordinal(pairs.a.astype(np.int64) * len(windows.nodes) + pairs.b)
    count_a, count_b = (_windows_so_far(windows, side, pairs.window) for side in (pairs.a, pairs.b))
    joint = np.log(both / seen)
    independent = np.log(count_a / seen) + np.log(count_b / seen)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (joint - independent) / -joint
    return np.where(both == seen, 1.0, value)


def _ordinal(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each key has appeared up to and with each position, [P], from 1."""
    order = np.argsort(keys, kind="stable")
    ranked = keys[order]
    start = np.nonzero(np.diff(ranked, prepend=ranked[:1] - 1))[0]
    lengths = np.diff(np.append(start, len(keys)))
    ordinal = np.empty(len(keys), np.int64)
    ordinal[order] = np.arange(len(keys)) - np.repeat(start, lengths) + 1
    return ordinal


def _windows_so_far(
    windows: CoActivations, node: NDArray[np.int32], window: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Number of windows up to and with ``window`` that hold ``node``, [P]."""
    of_entry = np.repeat(np.arange(len(windows)), windows.sizes())
    span = len(windows) + 1
    entries = np.sort(windows.node_ids.astype(np.int64) * span + of_entry)
    upto = np.searchsorted(entries, node.astype(np.int64) * span + window, side="right")
    return upto - np.searchsorted(entries, node.astype(np.int64) * span, side="left")


def transition_pairs(touches: Touches, window: NDArray[np.int64]) -> TransitionPairs:
    """Consecutive touches of different nodes in a session, learned at the end of the window."""
    order = np.lexsort((np.arange(len(touches)), touches.session))
    node, session = touches.node[order], touches.session[order]
    step = (session[1:] == session[:-1]) & (node[1:] != node[:-1])
    second = order[1:][step]
    ends = np.zeros(int(window.max()) + 1, np.int64)
    np.maximum.at(ends, window, touches.time_us)
    learned = ends[window[second]]
    by_time = np.lexsort((second, learned))
    return TransitionPairs(
        node[:-1][step][by_time],
        node[1:][step][by_time],
        learned[by_time],
        touches.strength[second][by_time],
        touches.namespace[second][by_time],
    )
