"""Bridge scores of edges, 0 to 255: how much of the graph would come apart without them.

``exact``: 255 × effective resistance of the edge in the graph with unit conductances, which is
the chance that a uniform spanning tree of its component holds it. ``trees``: 255 × share of
sampled uniform spanning trees that hold it (Wilson; seeded; each component has its own trees, and
not a share of the walks as in the code). ``heuristic``: 255 where both degrees are at most 1, else
255 × (1 − shared neighbours / max(1, smaller degree)). All round half up, and see an edge whichever
of its directions is there. Source: spector.md §1.1.

An effective resistance depends on its component alone, so only components that have changed since
the last cycle are computed again.
"""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.associations.resistance import effective_resistance
from hebb_lab.graph.cognitive.associations.shared import place_in, shared_neighbors
from hebb_lab.graph.cognitive.associations.trees import Undirected, tree_shares
from hebb_lab.kernels.cpu.compile import ZERO, kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.associations.table import EdgeTable
    from hebb_lab.graph.cognitive.rules import CognitiveRules

METHODS = ("exact", "trees", "heuristic")


class Bridging(NamedTuple):
    """How C rule sets score bridges."""

    method: NDArray[np.int64]  # [C] into METHODS
    trees: NDArray[np.int64]  # [C] how many are sampled


def bridging_of(rules: Sequence[CognitiveRules]) -> Bridging:
    """What the rules say on bridge scores, as arrays."""
    return Bridging(
        np.array([METHODS.index(each.bridge_score) for each in rules], np.int64),
        np.array([each.bridge_trees for each in rules], np.int64),
    )


def score_bridges(
    table: EdgeTable, how: Bridging, cycle: NDArray[np.int64], due: NDArray[np.bool_],
    dirty: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the bridge scores of the rule sets that are due into a packed table; clears dirty."""
    count = len(table.length) // len(due)
    for method in np.unique(how.method[due]).tolist():
        chosen = due & (how.method == method)
        rows = np.repeat(chosen, count)
        if METHODS[method] == "heuristic":
            _write_heuristic(rows, table, count)
            continue
        if METHODS[method] == "exact":
            rows &= _in_changed_components(table, count, dirty)
        if not rows.any():
            continue
        edge = np.full(len(table.neighbor), -1, np.int64)
        a, b = _undirected(rows, table, count, edge)
        if METHODS[method] == "exact":
            share = effective_resistance(a, b, len(rows))
        else:
            share = tree_shares(Undirected.of(a, b, len(rows)), count, how.trees, cycle)
        listed = edge >= 0
        table.bridge[listed] = to_byte(share)[edge[listed]]
    dirty[np.repeat(due, count)] = False


def to_byte(share: NDArray[np.float64]) -> NDArray[np.uint8]:
    """255 × share, rounded half up; the order of a computation decides no half.

    >>> to_byte(np.array([0.5 - 1e-12, 0.6])).tolist()
    [128, 153]
    """
    return np.clip(np.floor(255.0 * share + 0.5 + 1e-6), 0, 255).astype(np.uint8)


def heuristic_score(shared: int, degree: int, other_degree: int) -> int:
    """The heuristic bridge score of one edge.

    >>> heuristic_score(2, 5, 5), heuristic_score(0, 1, 1), heuristic_score(5, 5, 5)
    (153, 255, 0)
    """
    if degree <= 1 and other_degree <= 1:
        return 255
    share = 1.0 - shared / max(1, min(degree, other_degree))
    return int(to_byte(np.array([share]))[0])


@kernel
def _write_heuristic(rows: Any, table: Any, count: int) -> None:
    for row in range(len(rows)):
        if not rows[row]:
            continue
        base = row - row % count
        degree = table.length[row]
        for i in range(table.ptr[row], table.ptr[row] + degree):
            other = base + table.neighbor[i]
            least = min(degree, table.length[other])
            share = 1.0
            if degree > 1 or table.length[other] > 1:
                share = 1.0 - shared_neighbors(table, row, other) / max(np.int64(1), least)
            table.bridge[i] = np.uint8(min(255.0, max(0.0, np.floor(255.0 * share + 0.5 + 1e-6))))


def _in_changed_components(
    table: EdgeTable, count: int, dirty: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """[rows] whether the row is in a component in which an edge has come or gone."""
    root = np.arange(len(table.length))
    _join(table, count, root)
    changed = np.zeros(len(root), np.bool_)
    changed[root[dirty]] = True
    return changed[root]


@kernel
def _join(table: Any, count: int, root: Any) -> None:
    """Union-find over all edges; afterwards each row names the least row of its component."""
    for row in range(len(root)):
        base = row - row % count
        for i in range(table.ptr[row], table.ptr[row] + table.length[row]):
            one, other = row, base + table.neighbor[i]
            while root[one] != one:
                root[one] = root[root[one]]
                one = root[one]
            while root[other] != other:
                root[other] = root[root[other]]
                other = root[other]
            if one < other:
                root[other] = one
            else:
                root[one] = other
    for row in range(len(root)):
        root[row] = root[root[row]]  # roots are lower, and final when their turn comes


def _undirected(
    rows: NDArray[np.bool_], table: EdgeTable, count: int, edge: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct edges of some rows, as (lower, higher) row; ``edge`` names each table place."""
    most = int(table.length[rows].sum())
    a, b = np.empty(most, np.int64), np.empty(most, np.int64)
    found = _number(rows, table, count, edge, a, b)
    return a[:found], b[:found]


@kernel
def _number(rows: Any, table: Any, count: int, edge: Any, a: Any, b: Any) -> int:
    found = ZERO
    for turn in range(2):  # first upward; then what is there downward alone
        for row in range(len(rows)):
            if not rows[row]:
                continue
            base = row - row % count
            for i in range(table.ptr[row], table.ptr[row] + table.length[row]):
                other = base + table.neighbor[i]
                if (turn == 0) != (row < other):
                    continue
                back = place_in(table, other, row - base) if turn == 1 else ZERO - 1
                if back >= 0:
                    edge[i] = edge[back]
                    continue
                a[found], b[found] = min(row, other), max(row, other)
                edge[i] = found
                found += 1
    return found
