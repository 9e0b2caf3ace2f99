"""Some edges of a TemporalGraph, as a graph of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from hebb_lab.graph.temporal import adjacency_rows

if TYPE_CHECKING:
    from hebb_lab.graph.temporal import TemporalGraph


def subgraph(graph: TemporalGraph, edges: torch.Tensor) -> TemporalGraph:
    """The chosen edges with all their events; all nodes stay.

    Args:
        graph: the facts.
        edges: [E] bool, on the graph's device.
    """
    counts = torch.diff(graph.event_ptr)
    events = torch.repeat_interleave(edges, counts)
    pointer = torch.zeros(int(edges.sum()) + 1, dtype=torch.int64, device=edges.device)
    torch.cumsum(counts[edges], 0, out=pointer[1:])
    ends = graph.edge_index[:, edges].contiguous()
    rows = adjacency_rows(ends.cpu().numpy(), graph.node_count, graph.directed)
    row_ptr, col, edge_id = (torch.from_numpy(part).to(edges.device) for part in rows)
    return replace(
        graph, edge_index=ends, edge_namespace=graph.edge_namespace[edges], event_ptr=pointer,
        event_time=graph.event_time[events], event_strength=graph.event_strength[events],
        event_size=graph.event_size[events], event_npmi=graph.event_npmi[events],
        row_ptr=row_ptr, col=col, edge_id=edge_id,
    )  # fmt: skip
