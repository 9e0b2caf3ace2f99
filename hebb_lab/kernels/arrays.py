"""The arrays that pass into and out of the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.temporal import TemporalGraph
    from hebb_lab.records import Queries

SKIPPED = -1


class ReplayState(NamedTuple):
    """State after each event, per trace.

    weight: [K, M] float64. reinforcements: [K, M] int32 since birth; −1 where the rules skipped
    the event, so that the state is that of the event before. half_life_days: [K, M] float64 if a
    trace fixes half-lives at reinforcement, else [K, 0].
    """

    weight: NDArray[np.float64]
    reinforcements: NDArray[np.int32]
    half_life_days: NDArray[np.float64]


class GraphArrays(NamedTuple):
    """The tensors of a TemporalGraph as arrays, with its events in time order."""

    event_ptr: NDArray[np.int64]
    time: NDArray[np.int64]
    strength: NDArray[np.float32]
    size: NDArray[np.int32]
    npmi: NDArray[np.float32]
    namespace: NDArray[np.int16]
    row_ptr: NDArray[np.int64]
    col: NDArray[np.int32]
    edge_id: NDArray[np.int32]
    by_time: NDArray[np.int64]  # [M] events, earliest first
    edge_of: NDArray[np.int32]  # [M]


class QueryArrays(NamedTuple):
    """The numbers of Queries."""

    time: NDArray[np.int64]
    seed_ptr: NDArray[np.int64]
    seed_ids: NDArray[np.int32]
    seed_energy: NDArray[np.float32]
    exclude_ptr: NDArray[np.int64]
    exclude_ids: NDArray[np.int32]


def graph_arrays(graph: TemporalGraph) -> GraphArrays:
    """The graph as the kernels read it, no copy but the order by time."""
    pointer, time = graph.event_ptr.numpy(), graph.event_time.numpy()
    edges = np.repeat(np.arange(graph.edge_count, dtype=np.int32), np.diff(pointer))
    return GraphArrays(
        pointer, time, graph.event_strength.numpy(), graph.event_size.numpy(),
        graph.event_npmi.numpy(),
        graph.edge_namespace.numpy(), graph.row_ptr.numpy(), graph.col.numpy(),
        graph.edge_id.numpy(), np.argsort(time, kind="stable"), edges,
    )  # fmt: skip


def query_arrays(queries: Queries) -> QueryArrays:
    """The queries as the kernels read them; they are in time order by contract."""
    return QueryArrays(
        queries.time_us, queries.seed_ptr, queries.seed_ids, queries.seed_energy,
        queries.exclude_ptr, queries.exclude_ids,
    )  # fmt: skip
