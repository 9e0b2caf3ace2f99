"""TemporalGraph: which pairs were active together, and when. Facts only, no parameter."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hebb_lab.graph.pairs import pairs_of, pointers, pointwise_information, transition_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import CoActivations
    from hebb_lab.telemetry.touches import Touches


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

    The pairs of a window of n nodes are n(n−1)/2; they share its time.
    """
    pairs = pairs_of(windows, window_max)
    npmi = pointwise_information(pairs, windows)
    size = windows.sizes()[pairs.window]
    return _assemble(
        windows.nodes, windows.namespaces, False, pairs.a, pairs.b,
        windows.namespace[pairs.window], windows.time_us[pairs.window],
        windows.strength[pairs.window], size, npmi,
    )  # fmt: skip


def transition_graph(touches: Touches, window: NDArray[np.int64]) -> TemporalGraph:
    """The directed twin: each touch of another node in a session is an event "a then b".

    Consecutive touches of one node count once. A transition is learned when the window of its
    second touch ends.
    """
    pairs = transition_pairs(touches, window)
    twos = np.full(len(pairs.a), 2, np.int64)
    return _assemble(
        touches.nodes, touches.namespaces, True, pairs.a, pairs.b,
        pairs.namespace, pairs.time_us, pairs.strength, twos, np.ones(len(pairs.a)),
    )  # fmt: skip


def _assemble(
    nodes: tuple[str, ...],
    namespaces: tuple[str, ...],
    directed: bool,
    a: NDArray[np.int32],
    b: NDArray[np.int32],
    namespace: NDArray[np.int16],
    time: NDArray[np.int64],
    strength: NDArray[np.float32],
    size: NDArray[np.int64],
    npmi: NDArray[np.float64],
) -> TemporalGraph:
    """Sort events by (edge, time, log order), number the edges, build the adjacency."""
    spaces = max(len(namespaces), 1)
    key = (a.astype(np.int64) * len(nodes) + b) * spaces + namespace
    order = np.lexsort((time, key))  # stable: equal times keep log order
    edges, counts = np.unique(key[order], return_counts=True)
    ab, edge_namespace = edges // spaces, edges % spaces
    left, right = ab // max(len(nodes), 1), ab % max(len(nodes), 1)
    row_ptr, col, edge_id = _adjacency(left, right, edge_namespace, len(nodes), directed)
    tensor = torch.from_numpy
    return TemporalGraph(
        nodes=nodes,
        namespaces=namespaces,
        directed=directed,
        edge_index=tensor(np.stack([left, right]).astype(np.int32)),
        edge_namespace=tensor(edge_namespace.astype(np.int16)),
        event_ptr=tensor(pointers(counts)),
        event_time=tensor(time[order].astype(np.int64)),
        event_strength=tensor(strength[order].astype(np.float32)),
        event_size=tensor(size[order].astype(np.int32)),
        event_npmi=tensor(npmi[order].astype(np.float32)),
        row_ptr=tensor(row_ptr),
        col=tensor(col),
        edge_id=tensor(edge_id),
    )


def _adjacency(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    namespace: NDArray[np.int64],
    nodes: int,
    directed: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """(row_ptr, col, edge_id): the edges that leave each node, by neighbour, then namespace."""
    edge_id = np.arange(len(left))
    source, target = left, right
    if not directed:
        source, target = np.concatenate([left, right]), np.concatenate([right, left])
        edge_id = np.concatenate([edge_id, edge_id])
    walk = np.lexsort((namespace[edge_id], target, source))
    row_ptr = pointers(np.bincount(source, minlength=nodes))
    return row_ptr, target[walk].astype(np.int32), edge_id[walk].astype(np.int32)
