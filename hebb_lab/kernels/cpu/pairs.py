"""Pairs of windows, sorted into edges: stable counting sorts of int32, no key and no comparison.

Each pair is one event. An event is known by its second node and its window; its first node is where
it lies, and all else is read from the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, kernel, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Places = NDArray[np.int64]


class SortedPairs(NamedTuple):
    """All pairs by (first node, second node), equal ones in the order they came in.

    stop: [N] int64, where the pairs of each first node end. second, window: [M] int32.
    """

    stop: Places
    second: Ids
    window: Ids


class Edges(NamedTuple):
    """Edges by (a, b, namespace), as a TemporalGraph has them.

    ends: [2, E] int32, a and b. namespace: [E] int16. pointer: [E+1] int64 into the events.
    """

    ends: Ids
    namespace: NDArray[np.int16]
    pointer: Places


def sort_pairs(chosen: Ids, node_ptr: Places, node_ids: Ids, nodes: int, count: int) -> SortedPairs:
    """Every pair (a < b) of every chosen window, sorted; at most 16 bytes a pair beside the input.

    Args:
        chosen: windows in the order in which equal pairs stay.
        node_ptr: [W+1].
        node_ids: distinct in a window.
        nodes: N.
        count: M, the pairs of the chosen windows.
    """
    firsts, seconds = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    none = np.zeros(0, np.int32)
    _pairs(chosen, node_ptr, node_ids, firsts, seconds, none, none)
    firsts, seconds = starts_of(firsts), starts_of(seconds)
    first, window = np.empty(count, np.int32), np.empty(count, np.int32)
    _pairs(chosen, node_ptr, node_ids, firsts, seconds, first, window)
    return by_first_node(firsts, seconds, first, window)


def by_first_node(starts: Places, stop: Places, first: Ids, window: Ids) -> SortedPairs:
    """From the order of second nodes to that of first ones.

    Args:
        starts: [N] where the pairs of each first node will start; not kept.
        stop: [N] where those of each second node end.
        first: [M].
        window: [M].
    """
    sorted_second, sorted_window = np.empty(len(first), np.int32), np.empty(len(first), np.int32)
    _by_first(stop, first, window, starts, sorted_second, sorted_window)
    return SortedPairs(starts, sorted_second, sorted_window)


def starts_of(counts: Places) -> Places:
    """Where each of some runs starts.

    >>> starts_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2]
    """
    return np.cumsum(counts) - counts


def number_edges(pairs: SortedPairs, namespace: NDArray[np.int16]) -> Edges:
    """The edges of sorted pairs.

    Args:
        pairs: those of one pair of nodes by namespace.
        namespace: [W] of the windows.
    """
    none = (np.zeros((2, 0), np.int32), np.zeros(0, np.int16), np.zeros(0, np.int64))
    count = _edges(*pairs, namespace, *none)
    pointer = np.full(count + 1, len(pairs.second), np.int64)
    edges = Edges(np.empty((2, count), np.int32), np.empty(count, np.int16), pointer)
    _edges(*pairs, namespace, *edges)
    return edges


def adjacency(edges: Ids, nodes: int) -> tuple[Places, Ids, Ids]:
    """(row_ptr [N+1], col [2E], edge_id [2E]) of undirected edges sorted by (a, b, namespace)."""
    below = np.bincount(edges[1], minlength=nodes)  # neighbours that come before the node
    degree = below + np.bincount(edges[0], minlength=nodes)
    row_ptr = np.concatenate([[0], np.cumsum(degree)]).astype(np.int64)
    col, edge_id = np.empty(2 * edges.shape[1], np.int32), np.empty(2 * edges.shape[1], np.int32)
    _adjacency(edges, row_ptr[:-1].copy(), row_ptr[:-1] + below, col, edge_id)
    return row_ptr, col, edge_id


def windows_of_nodes(node_ptr: Places, node_ids: Ids, nodes: int) -> tuple[Places, Ids]:
    """(pointer [N+1], windows): the windows that hold each node, ascending."""
    counts, windows = np.zeros(nodes, np.int64), np.zeros(0, np.int32)
    _windows(node_ptr, node_ids, counts, windows)
    pointer = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    windows = np.empty(len(node_ids), np.int32)
    _windows(node_ptr, node_ids, pointer[:-1].copy(), windows)
    return pointer, windows


def counts_so_far(
    first: int, edges: Edges, window: Ids, held_ptr: Places, held: Ids,
    both: Any, of_a: Any, of_b: Any,
) -> None:  # fmt: skip
    """Fill [n]: windows up to and with the own that hold a and b, a, b, for events from ``first``.

    Args:
        first: the first event.
        edges: one pair of nodes by namespace.
        window: [M], ascending in an edge.
        held_ptr: of ``windows_of_nodes``.
        held: of ``windows_of_nodes``.
        both: float64.
        of_a: float64.
        of_b: float64.
    """
    edge = int(np.searchsorted(edges.pointer, first, side="right")) - 1
    _counts(first, edge, edges.ends, edges.pointer, window, held_ptr, held, both, of_a, of_b)


@kernel
def _pairs(
    chosen: Any, node_ptr: Any, node_ids: Any,
    firsts: Any, seconds: Any, first: Any, window: Any,
) -> None:  # fmt: skip
    """Count pairs by node, or, with room for them, put them in the order of their second node."""
    fill = len(first) > 0
    for at in range(len(chosen)):
        w = chosen[at]
        for i in range(node_ptr[w], node_ptr[w + 1]):
            for j in range(i + 1, node_ptr[w + 1]):
                a, b = node_ids[i], node_ids[j]
                if a > b:
                    a, b = b, a
                if fill:
                    first[seconds[b]], window[seconds[b]] = a, w
                else:
                    firsts[a] += 1
                seconds[b] += 1


@kernel
def _by_first(
    stop: Any, first: Any, window: Any, firsts: Any, sorted_second: Any, sorted_window: Any
) -> None:
    """From the order of second nodes, which end at ``stop``, to that of first ones."""
    start = ZERO
    for b in range(len(stop)):
        for i in range(start, stop[b]):
            place = firsts[first[i]]
            sorted_second[place], sorted_window[place] = b, window[i]
            firsts[first[i]] = place + 1
        start = stop[b]


@kernel
def _edges(
    stop: Any, second: Any, window: Any, namespace: Any, edges: Any, space: Any, pointer: Any
) -> int:
    """The number of edges; where there is room for them, the edges."""
    fill, count, start = len(space) > 0, ZERO, ZERO
    for a in range(len(stop)):
        for m in range(start, stop[a]):
            own = namespace[window[m]]
            if m > start and second[m] == second[m - 1] and own == namespace[window[m - 1]]:
                continue
            if fill:
                edges[0, count], edges[1, count] = a, second[m]
                space[count], pointer[count] = own, m
            count += 1
        start = stop[a]
    return count


@kernel
def _adjacency(edges: Any, below: Any, above: Any, col: Any, edge_id: Any) -> None:
    """Neighbours before a node, and those after it, come in the order of the edges."""
    for e in range(edges.shape[1]):
        a, b = edges[0, e], edges[1, e]
        col[below[b]], edge_id[below[b]] = a, e
        col[above[a]], edge_id[above[a]] = b, e
        below[b] += 1
        above[a] += 1


@kernel
def _windows(node_ptr: Any, node_ids: Any, place: Any, windows: Any) -> None:
    """Count the windows of each node, or, with room for them, list them."""
    fill = len(windows) > 0
    for w in range(len(node_ptr) - 1):
        for i in range(node_ptr[w], node_ptr[w + 1]):
            if fill:
                windows[place[node_ids[i]]] = w
            place[node_ids[i]] += 1


@kernel
def _counts(
    first: int, edge: int, edges: Any, event_ptr: Any, window: Any, held_ptr: Any, held: Any,
    both: Any, of_a: Any, of_b: Any,
) -> None:  # fmt: skip
    for i in range(len(both)):
        m = first + i
        while m >= event_ptr[edge + 1]:
            edge += 1
        w, a, b = window[m], edges[0, edge], edges[1, edge]
        of_a[i] = _up_to(held, held_ptr[a], held_ptr[a + 1], w)
        of_b[i] = _up_to(held, held_ptr[b], held_ptr[b + 1], w)
        together, other = m - event_ptr[edge] + 1, edge - 1
        while other >= 0 and edges[0, other] == a and edges[1, other] == b:
            together += _up_to(window, event_ptr[other], event_ptr[other + 1], w)
            other -= 1
        other = edge + 1
        while other < edges.shape[1] and edges[0, other] == a and edges[1, other] == b:
            together += _up_to(window, event_ptr[other], event_ptr[other + 1], w)
            other += 1
        both[i] = together


@part
def _up_to(values: Any, start: int, stop: int, most: int) -> int:
    """How many of the ascending ``values[start:stop]`` are at most ``most``."""
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if values[middle] <= most:
            low = middle + 1
        else:
            high = middle
    return low - start
