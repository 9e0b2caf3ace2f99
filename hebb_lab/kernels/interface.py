"""What a back end implements: the one signature of all kernels, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from hebb_lab.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import (
        Found,
        GraphArrays,
        QueryArrays,
        ReplayState,
        Rows,
        Snapshots,
        Tangents,
    )  # fmt: skip
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays
    from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays

    Floats = NDArray[np.float64]
    Vectors = NDArray[np.float32]
    Ids = NDArray[np.int32]
    Times = NDArray[np.int64]

Precision = Literal["float64", "float32"]


class Walker(Protocol):
    """What walks through one state of one graph, again and again; does what Walk says."""

    def spread(self, queries: QueryArrays, k: int) -> Found:
        """Spreading activation."""

    def personalised_pagerank(
        self, queries: QueryArrays, k: int, restart: float, tolerance: float
    ) -> Found:
        """Random walk with restart."""


@dataclass(frozen=True)
class PlainWalker:
    """The walker of a back end that makes nothing ready beforehand.

    Args:
        spreads: (graph, state, traces, reads, queries, k).
        ranks: (graph, state, traces, reads, queries, k, restart, tolerance).
        graph: the facts.
        state: of all traces after each event.
        traces: K.
        reads: C configurations.
    """

    spreads: Callable[[GraphArrays, ReplayState, TraceArrays, ReadArrays, QueryArrays, int], Found]
    ranks: Callable[
        [GraphArrays, ReplayState, TraceArrays, ReadArrays, QueryArrays, int, float, float], Found
    ]
    graph: GraphArrays
    state: ReplayState
    traces: TraceArrays
    reads: ReadArrays

    def spread(self, queries: QueryArrays, k: int) -> Found:
        """Spreading activation."""
        return self.spreads(self.graph, self.state, self.traces, self.reads, queries, k)

    def personalised_pagerank(
        self, queries: QueryArrays, k: int, restart: float, tolerance: float
    ) -> Found:
        """Random walk with restart."""
        return self.ranks(
            self.graph, self.state, self.traces, self.reads, queries, k, restart, tolerance
        )


@dataclass(frozen=True)
class Kernels:
    """What computes: one value a back end. Each field does what Backend's method says.

    Input is valid when it arrives; results of walks and lists are NumPy arrays. What a field needs
    beside its input (a precision, a device, how much memory it may take) is bound already.

    Args:
        device: its name, such as ``cpu`` or ``cuda:0 (NVIDIA H200)``.
        precision: of weights and energies.
        place: a named tuple of NumPy arrays → the same as the kernels read it again and again.
        replay: (graph, traces, before, into).
        weights_at: (graph, traces, time_us).
        log_likelihood: (graph, traces, base_rate, gain, until_us).
        replay_tangents: (graph, traces, half_life_days, features).
        walk: (graph, state, traces, reads).
        spread_rows: (rows, reads, queries, k).
        recall: (vectors, asked, energies, boost, queries, k).
        segment_top_k: (values, ids, pointer, k).
        pair_counts: (ids, pointer).
        intersect: (ids, pointer, left, right).
        follow: (after, start, steps).
        decay_scores: (memories, rules, now_us).
    """

    device: str
    precision: Precision
    place: Callable[[Any], Any]
    replay: Callable[[GraphArrays, TraceArrays, bool, ReplayState | None], ReplayState]
    weights_at: Callable[[GraphArrays, TraceArrays, Times], Snapshots]
    log_likelihood: Callable[[GraphArrays, TraceArrays, Floats, Floats, int], Floats]
    replay_tangents: Callable[[GraphArrays, TraceArrays, Floats, Floats], Tangents]
    walk: Callable[[GraphArrays, ReplayState, TraceArrays, ReadArrays], Walker]
    spread_rows: Callable[[Rows, ReadArrays, QueryArrays, int], Found]
    recall: Callable[[Vectors, Vectors, Found, Floats, QueryArrays, int], Found]
    segment_top_k: Callable[[Floats, Ids, Times, int], Times]
    pair_counts: Callable[[Ids, Times], tuple[Ids, Ids, Times]]
    intersect: Callable[[Ids, Times, Times, Times], tuple[Ids, Times]]
    follow: Callable[[Ids, Ids, int], Ids]
    decay_scores: Callable[[MemoryArrays, RetentionArrays, int], Vectors]


def copied_into(
    replay: Callable[[GraphArrays, TraceArrays, bool], ReplayState],
) -> Callable[[GraphArrays, TraceArrays, bool, ReplayState | None], ReplayState]:
    """A replay that makes a state of its own, and copies it to where it is wanted."""

    def copied(
        graph: GraphArrays, traces: TraceArrays, before: bool, into: ReplayState | None = None
    ) -> ReplayState:
        made = replay(graph, traces, before)
        if into is None:
            return made
        if getattr(made.weight, "requires_grad", False):
            raise ConfigError("a replay with gradients writes over no state", "Leave out into")
        old: Any
        for old, new in zip(into, made, strict=True):
            old[...] = new
        return into

    return copied


def as_they_are(arrays: Any) -> Any:
    """What back ends that read NumPy arrays do to place them."""
    return arrays
