"""The arrays that pass into and out of the kernels.

Every one is a NumPy array on the processor; a back end that computes elsewhere holds its own
copies, which ``place`` makes and ``on_host`` brings back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.temporal import TemporalGraph
    from hebb_lab.records import Queries

SKIPPED = -1

Tuple = TypeVar("Tuple", bound=tuple[Any, ...])


class ReplayState(NamedTuple):
    """State after each event, one column a trace, so that a trace's neighbours lie beside it.

    weight: [M, K] float, 0 where the edge is not alive.
    reinforcements: [M, K] int32 since birth, 0 where the edge is not alive; −1 where the trace's
        gate (``window_max``) keeps the event out, so that the state is that of the event before.
    half_life_days: [M, K] float if a trace fixes half-lives at reinforcement (it means something
        for such traces alone, where the edge is alive), else [0, K].
    before: [M, K] float, the weight that each event found, or [0, K] if it was not asked for.
    """

    weight: NDArray[np.float64]
    reinforcements: NDArray[np.int32]
    half_life_days: NDArray[np.float64]
    before: NDArray[np.float64]


class Tangents(NamedTuple):
    """One trace's state after each event, and its derivatives with respect to P parameters θ.

    weight, reinforcements: [M], as in ReplayState. before: [M], the weight that each event found.
    weight_tangent, before_tangent: [M, P], ∂weight/∂θ and ∂before/∂θ; 0 where a bound alone says
        what the weight is, and where the edge is not alive.
    """

    weight: NDArray[np.float64]
    reinforcements: NDArray[np.int32]
    before: NDArray[np.float64]
    weight_tangent: NDArray[np.float64]
    before_tangent: NDArray[np.float64]


class Snapshots(NamedTuple):
    """Edges as of strictly before T times.

    weight: [T, E, K] float, 0 where the edge is not alive. alive: [T, E, K] bool.
    """

    weight: NDArray[np.float64]
    alive: NDArray[np.bool_]


class Found(NamedTuple):
    """What walks and recall find.

    ids: [C, Q, k] int32, −1 past the end. scores: [C, Q, k] float32, descending, −inf past the end.
    edges: [C, Q] int64, pairs with a weight that were read.
    """

    ids: NDArray[np.int32]
    scores: NDArray[np.float32]
    edges: NDArray[np.int64]

    def turned(self) -> Found:
        """The same memory by query, then configuration, or back."""
        return Found(self.ids.swapaxes(0, 1), self.scores.swapaxes(0, 1), self.edges.swapaxes(0, 1))


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


class CheckedGraph(GraphArrays):
    """A graph that was found good, and is not looked through again at every walk."""

    def _replace(self, **parts: Any) -> GraphArrays:  # type: ignore[override]
        return GraphArrays(*self)._replace(**parts)


class Rows(NamedTuple):
    """A graph whose weights stand still: the rows of C sparse matrices of one structure.

    row_ptr: [N+1] int64. col: [S] int32, ascending in a row. weight: [S, C] float; an edge of
    weight 0 or less does not exist in that configuration.
    """

    row_ptr: NDArray[np.int64]
    col: NDArray[np.int32]
    weight: NDArray[np.float64]


class CheckedRows(Rows):
    """Rows that were found good, and are not looked through again at every walk."""

    def _replace(self, **parts: Any) -> Rows:  # type: ignore[override]
        return Rows(*self)._replace(**parts)


class QueryArrays(NamedTuple):
    """The numbers of Queries."""

    time: NDArray[np.int64]
    seed_ptr: NDArray[np.int64]
    seed_ids: NDArray[np.int32]
    seed_energy: NDArray[np.float32]
    exclude_ptr: NDArray[np.int64]
    exclude_ids: NDArray[np.int32]

    def part(self, first: int, stop: int) -> QueryArrays:
        """The queries [first, stop)."""
        seeds = slice(self.seed_ptr[first], self.seed_ptr[stop])
        barred = slice(self.exclude_ptr[first], self.exclude_ptr[stop])
        return QueryArrays(
            self.time[first:stop],
            self.seed_ptr[first : stop + 1] - self.seed_ptr[first],
            self.seed_ids[seeds], self.seed_energy[seeds],
            self.exclude_ptr[first : stop + 1] - self.exclude_ptr[first],
            self.exclude_ids[barred],
        )  # fmt: skip


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


def nothing_found(configs: int, queries: int, k: int) -> Found:
    """The arrays that a walk fills; in memory, all that one query finds lies together."""
    shape = queries, configs, k
    edges = np.zeros(shape[:2], np.int64)
    found = Found(np.empty(shape, np.int32), np.empty(shape, np.float32), edges)
    found.ids.fill(-1)
    found.scores.fill(-np.inf)
    return found.turned()


def on_host(arrays: Tuple) -> Tuple:
    """The same named tuple with NumPy arrays, wherever a back end holds them; no needless copy."""
    return type(arrays)(*(as_numpy(part) for part in arrays))


def as_numpy(part: Any) -> Any:
    """One array as NumPy's, wherever a back end holds it; no copy of what is on the processor."""
    return part if isinstance(part, np.ndarray) else part.detach().cpu().numpy()
