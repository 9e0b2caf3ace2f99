"""Pairs of nodes: how strongly windows join them, and which follow each other in a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.cpu.pairs import Edges
    from hebb_lab.records import CoActivations
    from hebb_lab.telemetry.touches import Touches

PART = 1 << 18  # events at a time, where NumPy needs room to compute


class Transitions(NamedTuple):
    """[P] steps from one touch to the next, in learning order.

    first, second: [P] int32 positions of the touches. time_us: [T] int64, when a step to each
    touch is learned.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    time_us: NDArray[np.int64]


def pointers(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """[n] counts → [n+1] offsets."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def pointwise_information(
    edges: Edges, window: NDArray[np.int32], windows: CoActivations
) -> NDArray[np.float32]:
    """Normalised pointwise mutual information of each event's pair at its own window, [M].

    NPMI = ln(p(a,b) / (p(a) p(b))) / −ln p(a,b), with p = windows that hold it / windows so far,
    the own window counted; 1 where every window so far held the pair. (Bouma 2009.) Computed in
    float64, a part of the events at a time.

    Args:
        edges: of all pairs.
        window: [M] of each event, ascending in an edge.
        windows: all, also those that teach nothing.
    """
    from hebb_lab.kernels.cpu.pairs import counts_so_far, windows_of_nodes

    npmi = np.empty(len(window), np.float32)
    held_ptr, held = windows_of_nodes(windows.node_ptr, windows.node_ids, len(windows.nodes))
    for first in range(0, len(window), PART):
        own = window[first : first + PART]
        both, count_a, count_b = np.empty((3, len(own)))
        counts_so_far(first, edges, window, held_ptr, held, both, count_a, count_b)
        seen = own + 1.0
        joint = np.log(both / seen)
        independent = np.log(count_a / seen) + np.log(count_b / seen)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (joint - independent) / -joint
        npmi[first : first + PART] = np.where(both == seen, 1.0, value)
    return npmi


def transitions_of(touches: Touches, window: NDArray[np.int64]) -> Transitions:
    """Consecutive touches of different nodes in a session, learned at the end of the window.

    Args:
        touches: in the order in which they happened.
        window: [T] of each touch.
    """
    from hebb_lab.kernels.cpu.transitions import steps

    first, second = steps(touches.session, touches.node, len(touches.sessions))
    ends = np.zeros(int(window.max(initial=-1)) + 1, np.int64)
    np.maximum.at(ends, window, touches.time_us)
    learned = ends[window]
    if (learned[1:] < learned[:-1]).any():  # windows of several sessions overlap
        order = np.argsort(learned[second], kind="stable")
        first, second = first[order], second[order]
    return Transitions(first, second, learned)
