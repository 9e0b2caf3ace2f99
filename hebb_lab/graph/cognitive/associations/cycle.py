"""A consolidation cycle: weights fade, what is weak goes, the degree cap is kept.

In this order: the cycle's number rises; w ← w × factor of the sender; an edge below the limit is
floored at it if its bridge score, as of the cycle before, protects it, and is gone otherwise; the
cap; bridge scores anew (bridges.py). New edges have score 0 until then.
"""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.associations.importance import Worth, rows_importance
from hebb_lab.graph.cognitive.associations.learning import packed
from hebb_lab.graph.cognitive.associations.shared import place_in
from hebb_lab.graph.cognitive.associations.table import FLOORED
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, pieces_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.associations.table import EdgeTable
    from hebb_lab.graph.cognitive.rules import CognitiveRules


class Fading(NamedTuple):
    """How C rule sets forget."""

    factor: NDArray[np.float64]  # [C, N] of a sender's weights
    prune_below: NDArray[np.float64]  # [C]
    protect: NDArray[np.int64]  # [C] bridge score from which an edge is floored
    cap: NDArray[np.int64]  # [C] neighbours that are kept at a cycle; 0: any number


def fading_of(rules: Sequence[CognitiveRules], factor: NDArray[np.float64]) -> Fading:
    """What the rules say on forgetting, as arrays."""
    return Fading(
        factor,
        np.array([each.hebbian_prune_below for each in rules]),
        np.array([each.bridge_protect for each in rules], np.int64),
        np.array(
            [each.degree_cap if each.eviction_at == "cycle" else 0 for each in rules], np.int64
        ),
    )


def consolidate(
    table: EdgeTable, fading: Fading, worth: Worth, cycle: NDArray[np.int64],
    due: NDArray[np.bool_], dirty: NDArray[np.bool_],
) -> EdgeTable:  # fmt: skip
    """The packed table after a cycle of the rule sets that are due; ``cycle`` is the new number.

    ``dirty`` is set where a row has another set of neighbours than before.
    """
    in_threads(lambda a, b: _fade(a, b, table, fading, due, dirty), pieces_of(len(due), 1))
    _keep_cap(table, fading, worth, cycle, due, dirty)
    return packed(table)


@kernel
def _fade(first: int, stop: int, table: Any, fading: Any, due: Any, dirty: Any) -> None:
    """Decay, floor and prune the rows of rule sets [first, stop), in place."""
    count = fading.factor.shape[1]
    for c in range(first, stop):
        if not due[c]:
            continue
        limit, protect = fading.prune_below[c], fading.protect[c]
        for memory in range(count):
            row = c * count + memory
            begin, kept = table.ptr[row], ZERO
            for i in range(begin, begin + table.length[row]):
                weight = table.weight[i] * fading.factor[c, memory]
                flags = table.flags[i] & ~np.uint8(FLOORED)
                if weight < limit:
                    if table.bridge[i] < protect:
                        dirty[row] = True
                        dirty[c * count + table.neighbor[i]] = True
                        continue
                    weight, flags = limit, flags | np.uint8(FLOORED)
                at = begin + kept
                table.neighbor[at], table.weight[at] = table.neighbor[i], np.float32(weight)
                table.last_cycle[at], table.bridge[at] = table.last_cycle[i], table.bridge[i]
                table.flags[at] = flags
                kept += 1
            table.length[row] = kept


def _keep_cap(
    table: EdgeTable, fading: Fading, worth: Worth, cycle: NDArray[np.int64],
    due: NDArray[np.bool_], dirty: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Keep each memory's ``cap`` most important edges; an edge goes if either end gives it up.

    Of equal importance, the edge to the later memory is kept.
    """
    count = len(worth.importance)
    caps = np.repeat(np.where(due & (fading.cap > 0), fading.cap, np.iinfo(np.int64).max), count)
    rows = np.flatnonzero(table.length > caps)
    if not len(rows):
        return
    start = np.concatenate([[0], np.cumsum(table.length[rows])]).astype(np.int64)
    value = np.empty(int(start[-1]))
    rows_importance(rows, start, table, worth, cycle, value)
    place = np.repeat(table.ptr[rows] - start[:-1], np.diff(start)) + np.arange(len(value))
    best = backend_named("cpu").segment_top_k(
        value[None], table.neighbor[place], start, int(caps[rows].max())
    )[0]  # [rows, k]
    kept = np.zeros(len(value), np.bool_)
    is_kept = (best >= 0) & (np.arange(best.shape[1]) < caps[rows, None])
    kept[best[is_kept]] = True
    gone = np.zeros(len(table.neighbor), np.bool_)
    gone[place[~kept]] = True
    _drop(rows, table, gone, count, dirty)


@kernel
def _drop(rows: Any, table: Any, gone: Any, count: int, dirty: Any) -> None:
    """Take the edges that are gone out of their rows, and their other directions out of theirs."""
    for r in range(len(rows)):
        row = rows[r]
        base = row - row % count
        for i in range(table.ptr[row], table.ptr[row] + table.length[row]):
            if gone[i]:
                other = base + table.neighbor[i]
                dirty[row] = dirty[other] = True
                back = place_in(table, other, row - base)
                if back >= 0:
                    gone[back] = True
    for row in range(len(table.length)):
        if not dirty[row]:
            continue
        begin, kept = table.ptr[row], ZERO
        for i in range(begin, begin + table.length[row]):
            if not gone[i]:
                at = begin + kept
                table.neighbor[at], table.weight[at] = table.neighbor[i], table.weight[i]
                table.last_cycle[at], table.bridge[at] = table.last_cycle[i], table.bridge[i]
                table.flags[at] = table.flags[i]
                kept += 1
        table.length[row] = kept
