"""What an edge is worth when a memory has more neighbours than it may keep.

Each signal is in [0, 1] and has a weight (spector.md §1.1):

    weight      σ(w − 3)                          .15
    recency     e^(−(cycle − last cycle)/72)      .10
    bridge      bridge score/255                  .20
    redundancy  1/(1 + 0.3 · shared neighbours)   .10
    importance  min(1, mean of both/10)           .15
    arousal     max of both/255                   .10
    valence     1 − |v₁ − v₂|/255                 .05
    storage     (mean of both − 1)/4 in [0, 1]    .05
    Zeigarnik   0.2 if one is unresolved/pinned   .10

``six`` are weight, recency, bridge, redundancy, arousal and Zeigarnik, ``structural`` the first
four with no shared neighbours counted, as the code has it; both with their weights divided by their
sum. Storage strength is 1 for all memories, since nothing in the data gives another, so that its
signal is 0.
"""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.associations.shared import shared_neighbors
from hebb_lab.kernels.cpu.compile import ZERO, kernel, step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.associations.modulator import MemoryState
    from hebb_lab.graph.cognitive.associations.table import EdgeTable
    from hebb_lab.graph.cognitive.rules import CognitiveRules

SIGNALS = {
    "weight": 0.15, "recency": 0.10, "bridge": 0.20, "redundancy": 0.10, "importance": 0.15,
    "arousal": 0.10, "valence": 0.05, "storage": 0.05, "zeigarnik": 0.10,
}  # fmt: skip
CHOSEN = {
    "structural": ("weight", "recency", "bridge", "redundancy"),
    "six": ("weight", "recency", "bridge", "redundancy", "arousal", "zeigarnik"),
    "nine": tuple(SIGNALS),
}


class Worth(NamedTuple):
    """What edge importance is computed with, for C rule sets and N memories."""

    signals: NDArray[np.float64]  # [C, 9] weights, in the order of SIGNALS
    counts_shared: NDArray[np.bool_]  # [C] whether redundancy looks at shared neighbours
    importance: NDArray[np.float64]  # [N]
    arousal: NDArray[np.float64]  # [N]
    valence: NDArray[np.float64]  # [N]
    is_open: NDArray[np.bool_]  # [N]


def signal_weights(chosen: str) -> NDArray[np.float64]:
    """[9] weights of the signals; those not chosen have 0, the others sum to 1.

    >>> signal_weights("structural").round(4)[:4].tolist()
    [0.2727, 0.1818, 0.3636, 0.1818]
    """
    some = CHOSEN[chosen]
    total = sum(SIGNALS[name] for name in some)
    return np.array([SIGNALS[name] / total if name in some else 0.0 for name in SIGNALS])


def worth_of(rules: Sequence[CognitiveRules], state: MemoryState) -> Worth:
    """The weights and facts that edges are scored with."""
    return Worth(
        np.stack([signal_weights(each.eviction_signals) for each in rules]),
        np.array([each.eviction_signals != "structural" for each in rules]),
        *state,
    )


@step
def score(
    worth: Worth, c: int, weight: float, age: int, bridge: int, shared: int, a: int, b: int
) -> float:
    """The importance of an edge between memories a and b under rule set c, in [0, 1]."""
    signals = worth.signals[c]
    total = signals[0] / (1.0 + math.exp(3.0 - weight))
    total += signals[1] * math.exp(-age / 72.0)
    total += signals[2] * bridge / 255.0
    total += signals[3] / (1.0 + 0.3 * shared)
    mean = 0.5 * (worth.importance[a] + worth.importance[b])
    total += signals[4] * min(1.0, mean / 10.0)
    total += signals[5] * max(worth.arousal[a], worth.arousal[b]) / 255.0
    total += signals[6] * (1.0 - abs(worth.valence[a] - worth.valence[b]) / 255.0)
    if worth.is_open[a] or worth.is_open[b]:
        total += signals[8] * 0.2
    return total


@step
def score_at(table: EdgeTable, worth: Worth, c: int, row: int, i: int, cycle: int) -> float:
    """The importance of the edge at place i of a row, in a cycle."""
    count = len(worth.importance)
    memory, neighbor = row - c * count, table.neighbor[i]
    shared = ZERO
    if worth.counts_shared[c]:
        shared = shared_neighbors(table, row, c * count + neighbor)
    age = max(ZERO, cycle - np.int64(table.last_cycle[i]))
    return score(worth, c, table.weight[i], age, table.bridge[i], shared, memory, neighbor)


@kernel
def rows_importance(
    rows: Any, start: Any, table: EdgeTable, worth: Worth, cycle: Any, found: Any
) -> None:
    """Importance of all edges of some rows into ``found``, row r from start[r] on."""
    count = len(worth.importance)
    for r in range(len(rows)):
        row = rows[r]
        c = row // count
        for k in range(table.length[row]):
            found[start[r] + k] = score_at(table, worth, c, row, table.ptr[row] + k, cycle[c])
