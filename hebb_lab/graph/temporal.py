"""TemporalGraph: which pairs were active together, and when. Facts only, no parameter."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from hebb_lab.errors import InputError
from hebb_lab.graph.pairs import PART, pointers, pointwise_information, transitions_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray

    from hebb_lab.kernels.cpu.pairs import Edges, SortedPairs
    from hebb_lab.records import CoActivations
    from hebb_lab.telemetry.touches import Touches

MOST = 2**31 - 1  # that an int32 numbers


@dataclass(frozen=True)
class TemporalGraph:
    """Edges and their reinforcements in time order, as tensors on one device.

    N nodes, E edges, M events. An edge is an unordered pair (a < b) in a namespace, or, in the
    directed twin, an ordered pair (a then b).

    Args:
        nodes: names, in byte-wise order.
        namespaces: names.
        directed: whether (a, b) means a then b.
        edge_index: [2, E] int32.
        edge_namespace: [E] int16.
        event_ptr: [E+1] int64; the events of edge e are ``[event_ptr[e]:event_ptr[e+1]]``.
        event_time: [M] int64, µs; in an edge ascending, equal times in log order.
        event_strength: [M] float32; a negative one weakens (anti-Hebbian) by its size.
        event_size: [M] int32, nodes in the window of the event.
        event_npmi: [M] float32, normalised pointwise mutual information of the pair, counted over
            all windows up to and with the event's own; in [−1, 1].
        row_ptr, col, edge_id: [N+1] int64, int32, int32: the edges that leave each node, by
            neighbour, then namespace.
    """

    nodes: tuple[str, ...]
    namespaces: tuple[str, ...]
    directed: bool
    edge_index: torch.Tensor
    edge_namespace: torch.Tensor
    event_ptr: torch.Tensor
    event_time: torch.Tensor
    event_strength: torch.Tensor
    event_size: torch.Tensor
    event_npmi: torch.Tensor
    row_ptr: torch.Tensor
    col: torch.Tensor
    edge_id: torch.Tensor

    @property
    def node_count(self) -> int:
        """N."""
        return len(self.nodes)

    @property
    def edge_count(self) -> int:
        """E."""
        return int(self.edge_index.shape[1])

    @property
    def event_count(self) -> int:
        """M."""
        return len(self.event_time)

    def to(self, device: torch.device | str) -> TemporalGraph:
        """The same graph on another device."""
        tensors: dict[str, Any] = {
            part.name: value.to(device)
            for part in fields(self)
            if isinstance(value := getattr(self, part.name), torch.Tensor)
        }
        return replace(self, **tensors)

    def byte_count(self) -> int:
        """Memory that the tensors take."""
        tensors = [getattr(self, part.name) for part in fields(self)]
        return sum(t.nbytes for t in tensors if isinstance(t, torch.Tensor))


def co_activation_graph(windows: CoActivations, window_max: int | None = None) -> TemporalGraph:
    """Every pair of every window as an event of its edge.

    Args:
        windows: in learning order.
        window_max: windows with more nodes are left out of the facts altogether; rules may gate
            more tightly (``SynapseRules.window_max``), never more loosely.

    The pairs of a window of n nodes are n(n−1)/2; they share its time. It takes 20 bytes an event,
    34 an edge and 8 a node, and little more while it is made.

    Raises:
        InputError: more edges than int32 numbers.
    """
    from hebb_lab.kernels.cpu.pairs import number_edges

    count = _pair_count(windows, window_max)
    _check_size(windows.nodes, windows.namespaces, count, len(windows), directed=False)
    pointer = windows.node_ptr
    facts = _Facts(
        windows.time_us, windows.strength, windows.namespace,
        lambda part: pointer[part + 1] - pointer[part],
    )  # fmt: skip
    chosen = np.flatnonzero(_teaching(windows, window_max)).astype(np.int32)
    pairs = _sorted_pairs(windows, chosen, count)
    window, edges = pairs.window, number_edges(pairs, windows.namespace)
    del chosen, pairs
    return _assemble(
        windows.nodes, windows.namespaces, facts, window, edges,
        lambda: pointwise_information(edges, window, windows),
    )  # fmt: skip


def transition_graph(touches: Touches, window: NDArray[np.int64]) -> TemporalGraph:
    """The directed twin: each touch of another node in a session is an event "a then b".

    Consecutive touches of one node count once. A transition is learned when the window of its
    second touch ends.

    Raises:
        InputError: more edges than int32 numbers.
    """
    from hebb_lab.kernels.cpu.pairs import number_edges
    from hebb_lab.kernels.cpu.transitions import sort_steps

    _check_size(touches.nodes, touches.namespaces, len(touches), len(touches), directed=True)
    first, second, time = transitions_of(touches, window)
    spaces = touches.namespace[second]
    if (spaces[1:] < spaces[:-1]).any():
        order = np.argsort(spaces, kind="stable")
        first, second = first[order], second[order]
    pairs = sort_steps(first, second, touches.node, len(touches.nodes))
    event, edges = pairs.window, number_edges(pairs, touches.namespace)
    del first, second, spaces, pairs
    facts = _Facts(time, touches.strength, touches.namespace, lambda part: np.full(len(part), 2))
    return _assemble(
        touches.nodes, touches.namespaces, facts, event, edges,
        lambda: np.ones(len(event), np.float32), directed=True,
    )  # fmt: skip


def _teaching(windows: CoActivations, window_max: int | None) -> NDArray[np.bool_]:
    """Windows that have a pair and are not too large, [W]."""
    sizes = windows.sizes()
    most = window_max or sizes.max(initial=0)
    return (sizes >= 2) & (sizes <= most)


def _pair_count(windows: CoActivations, window_max: int | None) -> int:
    sizes = windows.sizes()[_teaching(windows, window_max)]
    return int((sizes * (sizes - 1) // 2).sum())


class _Facts(NamedTuple):
    """What events are read from: [W] windows, or [T] touches; size gives nodes by place."""

    time: NDArray[np.int64]
    strength: NDArray[np.float32]
    namespace: NDArray[np.int16]
    size: Callable[[NDArray[np.int32]], NDArray[np.int64]]


def _check_size(
    nodes: Sequence[str], namespaces: Sequence[str], pairs: int, windows: int, *, directed: bool
) -> None:
    """Refuse what may need more than int32 numbers, before anything is allocated."""
    possible = len(nodes) * (len(nodes) - 1) * max(len(namespaces), 1)
    edges = min(pairs if directed else 2 * pairs, possible)
    for what, number in (("directed edges", edges), ("windows", windows)):
        if number > MOST:
            raise InputError(
                f"{pairs:,} pairs of nodes may make {number:,} {what}; a graph holds {MOST:,}",
                "Lower dataset.windows.graph_max, or cut finer windows with dataset.windows.by",
            )


def _sorted_pairs(windows: CoActivations, chosen: NDArray[np.int32], count: int) -> SortedPairs:
    """The pairs of some windows by (a, b, namespace), then window."""
    from hebb_lab.kernels.cpu.pairs import sort_pairs

    spaces = windows.namespace[chosen]
    if (spaces[1:] < spaces[:-1]).any():
        chosen = chosen[np.argsort(spaces, kind="stable")]
    return sort_pairs(chosen, windows.node_ptr, windows.node_ids, len(windows.nodes), count)


def _assemble(
    nodes: tuple[str, ...],
    namespaces: tuple[str, ...],
    facts: _Facts,
    window: NDArray[np.int32],
    edges: Edges,
    npmi: Callable[[], NDArray[np.float32]],
    directed: bool = False,
) -> TemporalGraph:
    """Build the adjacency, and read the events' numbers from their windows."""
    rows = adjacency_rows(edges.ends, len(nodes), directed)
    count, information = len(window), npmi()
    time = _column((facts.time[part] for part in _parts(window)), count, np.int64)
    strength = _column((facts.strength[part] for part in _parts(window)), count, np.float32)
    for part in _parts(window):  # the last column takes the place of the windows
        part[:] = facts.size(part)
    columns = [time, strength, window, information]
    # Transitions are sorted by time already; windows may be out of their order.
    if not directed and (facts.time[1:] < facts.time[:-1]).any():
        edge = np.repeat(np.arange(len(edges.namespace)), np.diff(edges.pointer))
        order = np.lexsort((time, edge))  # stable: equal times keep log order
        columns = [column[order] for column in columns]
    arrays = (*edges, *columns, *rows)
    return TemporalGraph(nodes, namespaces, directed, *map(torch.from_numpy, arrays))


def adjacency_rows(
    edge_index: NDArray[np.int32], nodes: int, directed: bool
) -> tuple[NDArray[Any], ...]:
    """(row_ptr, col, edge_id): the edges that leave each node, by neighbour, then namespace."""
    from hebb_lab.kernels.cpu.pairs import adjacency

    if not directed:
        return adjacency(edge_index, nodes)
    row_ptr = pointers(np.bincount(edge_index[0], minlength=nodes))
    return row_ptr, edge_index[1].copy(), np.arange(edge_index.shape[1], dtype=np.int32)


def _parts(window: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
    """A part of the events at a time: an index of int32 becomes one of int64 when it is used."""
    return (window[first : first + PART] for first in range(0, len(window), PART))


def _column(parts: Iterable[NDArray[Any]], count: int, kind: DTypeLike) -> NDArray[Any]:
    """One array of its parts."""
    column, first = np.empty(count, kind), 0
    for part in parts:
        column[first : first + len(part)] = part
        first += len(part)
    return column
