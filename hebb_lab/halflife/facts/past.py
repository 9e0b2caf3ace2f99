"""What an edge has done up to each of its events: count, mean gap, how regular its gaps are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.halflife.facts.sums import within_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History


class Past(NamedTuple):
    """After each of M events, with the event.

    gap: since the event before, 0 for the first. reinforcements: events so far, 1 for the first.
    mean_gap: of the gaps so far, 0 for the first. variation: their standard deviation over their
    mean; 0 with fewer than two, or where all are 0. Gaps are in the clock's units.
    """

    gap: NDArray[np.float64]
    reinforcements: NDArray[np.float64]
    mean_gap: NDArray[np.float64]
    variation: NDArray[np.float64]


def past_of(history: History) -> Past:
    """The past of each event of each edge.

    Gaps are on the clock.
    """
    reading = history.reading[history.event_recall]
    first = history.pointer[:-1][history.edge_of]
    gap: NDArray[np.float64] = np.diff(reading, prepend=reading[:1])
    gap[history.pointer[:-1]] = 0.0
    count = np.asarray(np.arange(len(gap)) - first + 1.0, np.float64)
    number = np.maximum(count - 1, 1.0)
    mean = np.asarray(within_edges(gap, history.pointer) / number)
    square = within_edges(gap**2, history.pointer) / number
    variance = np.where(count > 2, np.maximum(square - mean**2, 0.0), 0.0)
    variation: NDArray[np.float64] = np.where(
        mean > 0, np.sqrt(variance) / np.where(mean > 0, mean, 1.0), 0.0
    )
    return Past(gap, count, mean, np.asarray(variation, np.float64))
