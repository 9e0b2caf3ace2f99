"""One signature for all kernels: input is checked and memory minded here, whatever computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hebb_lab.kernels.arrays import CheckedGraph, CheckedRows, GraphArrays, Rows
from hebb_lab.kernels.checks import graphs, tangents, walks
from hebb_lab.kernels.checks.entries import check_count
from hebb_lab.kernels.graphless import GraphlessBackend
from hebb_lab.kernels.interface import Kernels, Precision, as_they_are
from hebb_lab.kernels.memory import in_halves
from hebb_lab.kernels.walk import Walk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import Found, QueryArrays, ReplayState, Snapshots, Tangents
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

__all__ = ["Backend", "Kernels", "Precision", "as_they_are"]

Arrays = TypeVar("Arrays")


@dataclass(frozen=True)
class Backend(GraphlessBackend):
    """All kernels of one back end, for C configurations and Q queries at once.

    Args:
        name: as a config names it.
        kernels: what computes.
        chosen: the log's line on what runs and why.
    """

    name: str
    kernels: Kernels
    chosen: str = ""

    def place(self, arrays: Arrays) -> Arrays:
        """Put a named tuple where the kernels read it: checked here, and not at every walk."""
        found: Any = arrays
        if isinstance(found, GraphArrays):
            graphs.check_graph(found)
            found = CheckedGraph(*found)
        if isinstance(found, Rows):
            walks.check_rows(found, found.weight.shape[1])
            found = CheckedRows(*found)
        placed: Arrays = self.kernels.place(found)
        return placed

    def replay(
        self, graph: GraphArrays, traces: TraceArrays, before: bool = False,
        into: ReplayState | None = None,
    ) -> ReplayState:  # fmt: skip
        """Every edge's weight after each of its events, for all K traces.

        In event order: decay over the gap, floor, prune (which resets the count), add, cap
        (rules.md §1). ``before`` also keeps the weight that each event found. ``into``, the state
        of an earlier replay, is written over and returned: a loop of replays asks for memory once.

        Raises:
            InputError: numbers that are not finite, events out of order, ids out of range; an
                ``into`` of other shapes or types, or of another back end.
            ConfigError: an ``into``, and half-lives or rates that carry gradients.
        """
        graphs.check_graph(graph)
        graphs.check_traces(graph, traces)
        if into is not None:
            graphs.check_into(into, graph, traces, before, self.kernels)
        return self.kernels.replay(graph, traces, before, into)

    def weights_at(
        self, graph: GraphArrays, traces: TraceArrays, time_us: NDArray[np.int64]
    ) -> Snapshots:
        """The decay sweep: all edges as of strictly before T times, without a state per event.

        ``traces`` are K, such as one for each of many half-lives; ``time_us`` [T] ascends.

        Raises:
            InputError: as ``replay``; times that do not ascend.
        """
        graphs.check_graph(graph)
        graphs.check_traces(graph, traces)
        graphs.check_times(time_us)
        return self.kernels.weights_at(graph, traces, time_us)

    def log_likelihood(
        self, graph: GraphArrays, traces: TraceArrays, base_rate: NDArray[np.float64],
        gain: NDArray[np.float64], until_us: int,
    ) -> NDArray[np.float64]:  # fmt: skip
        """The table L[edge, trace] of a point process, by a replay that stores no state.

        λ(t) = μ + β w(t−), from an edge's first event t₁ to ``until_us`` = T, in days:
        L = Σ over later reinforcements ln(μ + β w(tᵢ−)) − μ (T − t₁) − β ∫ w dt (fitting.md §3.1).
        Events from T on do not count; an edge without an earlier one has 0.

        Args:
            graph: the facts.
            traces: K with fixed half-lives or none, and continuous decay.
            base_rate: [K] μ above 0, per day.
            gain: [K] β, not negative.
            until_us: the end of the observation.

        Returns:
            [E, K] float64.

        Raises:
            ConfigError: a learned half-life or compounding passes.
            InputError: as ``replay``; a rate or gain out of range.
        """
        graphs.check_graph(graph)
        graphs.check_traces(graph, traces)
        graphs.check_rates(traces, base_rate, gain)
        return self.kernels.log_likelihood(graph, traces, base_rate, gain, until_us)

    def replay_tangents(
        self, graph: GraphArrays, traces: TraceArrays, half_life_days: NDArray[np.float64],
        features: NDArray[np.float64],
    ) -> Tangents:  # fmt: skip
        """Replay of one trace whose half-life is its own after each event, with derivatives.

        ``half_life_days`` [M] hold until the next event that the gate admits (inf: no decay),
        ``features`` [M, P] are ∂ln h/∂θ. Decay a = 2^(−Δ/h) makes of a weight w and its derivative
        D: a·w and a·D + a·w·ln 2·(Δ/h)·features; D is 0 where cap, floor or pruning binds
        (fitting.md §3.2). float64 always; on torch half-lives may require a gradient, with P = 0.

        Raises:
            ConfigError: several traces, learned half-lives, passes; a gradient that cannot flow.
            InputError: as ``replay``; half-lives or features of another shape or out of range.
        """
        tangents.check_tangents(graph, traces, half_life_days, features, self.name)
        return self.kernels.replay_tangents(graph, traces, half_life_days, features)

    def walk(
        self, graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays
    ) -> Walk:
        """Make walks through the graph as it was ready: what they read is checked here, once.

        The arrays must stay as they are for as long as the walk is asked.

        Raises:
            InputError: arrays that do not fit each other, numbers out of range.
        """
        walks.check_walk(graph, state, traces, reads)
        walker = self.kernels.walk(graph, state, traces, reads)
        return Walk(self.name, len(graph.row_ptr) - 1, len(reads.hops), walker)

    def spread_rows(self, rows: Rows, reads: ReadArrays, queries: QueryArrays, k: int) -> Found:
        """Walk.spread through weights that stand still; the queries' times do not matter.

        Raises:
            InputError: as Walk.spread; weights that are not finite, rows that do not fit.
        """
        walks.check_rows(rows, len(reads.hops))
        walks.check_reads(reads)
        check_count("k", k)
        walks.check_queries(queries, len(rows.row_ptr) - 1)
        return in_halves(
            self.name, queries, len(reads.hops), k,
            lambda part: self.kernels.spread_rows(rows, reads, part, k),
        )  # fmt: skip
