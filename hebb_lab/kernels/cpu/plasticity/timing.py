"""Directed edges under C rule sets: learning from gaps in time, and the best edge into a list."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, pieces_of, step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Weights = NDArray[np.float32]
    Ids = NDArray[np.int32]
    Offsets = NDArray[np.int64]

EDGES, QUERIES = 4096, 64  # that one thread works on at a time


def learn_timing(
    start: Offsets, gap_ms: Floats, is_causal: NDArray[np.bool_], rules: Floats, weight: Weights
) -> None:
    """Change the weights of G edges by their events, one after another.

    Causal: w += plus·e^(−gap/τ); else w −= minus·e^(−gap/τ); clamped to [0, 1] after each event and
    rounded to float32, so that it does not matter in how many calls the events come.

    Args:
        start: [G+1] where the events of each edge lie.
        gap_ms: [E], from 0 up.
        is_causal: [E].
        rules: [3, C] plus, minus, τ in ms; with τ 0 only a gap of 0 counts.
        weight: [G, C], changed in place.
    """
    in_threads(
        lambda first, stop: _learn(first, stop, start, gap_ms, is_causal, rules, weight),
        pieces_of(len(weight), EDGES),
    )


@kernel
def _learn(
    first: int, stop: int, start: Any, gap_ms: Any, is_causal: Any, rules: Any, weight: Any
) -> None:
    for g in range(first, stop):
        for e in range(start[g], start[g + 1]):
            for c in range(weight.shape[1]):
                tau = rules[2, c]
                near = 1.0 if gap_ms[e] == 0.0 else 0.0
                if tau > 0.0:
                    near = math.exp(-gap_ms[e] / tau)
                change = rules[0, c] * near if is_causal[e] else -rules[1, c] * near
                weight[g, c] = min(max(weight[g, c] + change, 0.0), 1.0)


def best_edges(
    row_ptr: Offsets, target: Ids, weight: Weights, context: tuple[Offsets, Ids],
    lists: tuple[Offsets, Offsets, Ids],
) -> tuple[Weights, NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """The heaviest edge from a query's context into each of its S lists, under C rule sets.

    Of equally heavy ones the first of the context, then the first of the list.

    Args:
        row_ptr: [T+1] edges by source.
        target: [E], ascending in a row.
        weight: [E, C].
        context: pointer [Q+1] and sources.
        lists: pointer [Q+1] into lists, pointer [S+1] into targets, targets.

    Returns:
        [S, C] its weight, 0 where there is none; [S, C] which of the context; [S, C] which of the
        lists' targets; −1 where there is none.
    """
    shape = (len(lists[1]) - 1, weight.shape[1])
    best, sender, receiver = np.zeros(shape, np.float32), np.full(shape, -1), np.full(shape, -1)
    in_threads(
        lambda first, stop: _best(
            first, stop, row_ptr, target, weight, *context, *lists, best, sender, receiver
        ),
        pieces_of(len(context[0]) - 1, QUERIES),
    )
    return best, sender, receiver


@kernel
def _best(
    first: int, stop: int, row_ptr: Any, target: Any, weight: Any, context_ptr: Any, context: Any,
    query_ptr: Any, list_ptr: Any, listed: Any, best: Any, sender: Any, receiver: Any,
) -> None:  # fmt: skip
    for q in range(first, stop):
        for i in range(context_ptr[q], context_ptr[q + 1]):
            row, end = row_ptr[context[i]], row_ptr[context[i] + 1]
            if row == end:
                continue
            for s in range(query_ptr[q], query_ptr[q + 1]):
                for j in range(list_ptr[s], list_ptr[s + 1]):
                    at = _place(target, row, end, listed[j])
                    if at < ZERO:
                        continue
                    for c in range(weight.shape[1]):
                        if weight[at, c] > best[s, c]:
                            best[s, c] = weight[at, c]
                            sender[s, c], receiver[s, c] = i, j


@step
def _place(values: Any, start: int, stop: int, wanted: int) -> int:
    """Where a value lies in ``values[start:stop]``, which ascends; −1 where it does not."""
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < stop and values[low] == wanted else -1
