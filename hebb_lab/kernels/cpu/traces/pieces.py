"""A graph in pieces of edges, whose states fit into the processor's caches: no state of it all.

Replaying a piece and asking its state at once costs a tenth of what a pass over the memory of all
states does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import GraphArrays

if TYPE_CHECKING:
    from collections.abc import Iterator

STATES = 1 << 17  # events × traces of a piece: 2.6 MB
EDGES = 2048  # of a piece at most, so that few traces too are shared among threads


def edge_pieces(graph: GraphArrays, traces: int) -> list[tuple[int, int]]:
    """[0, E) in pieces of few states; an edge is never cut, so one with many is a piece alone."""
    return list(_pieces(graph, max(STATES // max(traces, 1), 1)))


def _pieces(graph: GraphArrays, events: int) -> Iterator[tuple[int, int]]:
    first, edges = 0, len(graph.namespace)
    while first < edges:
        most = np.searchsorted(graph.event_ptr, graph.event_ptr[first] + events, side="right")
        stop = min(max(int(most) - 1, first + 1), first + EDGES, edges)
        yield first, stop
        first = stop


def facts_of(graph: GraphArrays, first: int, stop: int) -> GraphArrays:
    """The edges [first, stop) by themselves, without rows: what replay reads. Nothing is copied."""
    begin, end = int(graph.event_ptr[first]), int(graph.event_ptr[stop])
    own, none = slice(begin, end), slice(0, 0)
    return GraphArrays(
        graph.event_ptr[first : stop + 1] - begin, graph.time[own], graph.strength[own],
        graph.size[own], graph.npmi[own], graph.namespace[first:stop],
        graph.row_ptr[:1], graph.col[none], graph.edge_id[none], graph.by_time[none],
        graph.edge_of[none],
    )  # fmt: skip
