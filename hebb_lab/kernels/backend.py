"""One signature for all kernels: input is checked and memory minded here, whatever computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hebb_lab.kernels.arrays import CheckedGraph, CheckedRows, GraphArrays, Rows
from hebb_lab.kernels.checks import graphs, tangents, walks
from hebb_lab.kernels.checks.entries import check_count
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
class Backend:
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

    def recall(
        self, vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
        boost: NDArray[np.float64], queries: QueryArrays, k: int,
    ) -> Found:  # fmt: skip
        """Batched recall: the best k by similarity + boost · energy, over all nodes.

        Inner products are summed in float64 over float32 vectors; the sum with the energy is
        rounded to float32 once. Every node that is not excluded ranks, whatever its sign.

        Args:
            vectors: [N, d] float32 of the nodes.
            asked: [Q, d] float32 of the queries.
            energies: of the graph, [C, Q, depth]; a node that is not in it has none.
            boost: [C].
            queries: names what each query excludes.
            k: how many.

        Raises:
            InputError: vectors that are not finite, shapes that do not fit, ids out of range.
        """
        walks.check_recall(vectors, asked, energies, boost, queries, k)
        return self.kernels.recall(vectors, asked, energies, boost, queries, k)

    def segment_top_k(
        self, values: NDArray[np.float64], ids: NDArray[np.int32], pointer: NDArray[np.int64],
        k: int,
    ) -> NDArray[np.int64]:  # fmt: skip
        """Positions of the best k of each segment, by (value, id), both descending: a degree cap.

        Args:
            values: [C, L].
            ids: [L], distinct in a segment.
            pointer: [S+1], segment s is [pointer[s], pointer[s+1]).
            k: how many.

        Returns:
            [C, S, k] positions in [0, L), −1 past the end.

        Raises:
            InputError: values that are not finite, a pointer that does not fit.
        """
        graphs.check_segments(values, ids, pointer, k)
        return self.kernels.segment_top_k(values, ids, pointer, k)

    def pair_counts(
        self, ids: NDArray[np.int32], pointer: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """How many lists hold each pair: (a, b, count), a < b, ordered by a, then b.

        ``ids`` [L] are not negative, distinct in a list, in any order; ``pointer`` is [S+1].

        Raises:
            InputError: a pointer that does not fit, a negative id.
        """
        graphs.check_lists(ids, pointer, ascending=False)
        return self.kernels.pair_counts(ids, pointer)

    def intersect(
        self, ids: NDArray[np.int32], pointer: NDArray[np.int64], left: NDArray[np.int64],
        right: NDArray[np.int64],
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:  # fmt: skip
        """What the lists left[p] and right[p] have in common: (ids, pointer [P+1]), ascending.

        ``ids`` [L] ascend and are distinct in a list; ``left`` and ``right`` [P] number lists.

        Raises:
            InputError: a pointer that does not fit, a list that does not ascend, no such list.
        """
        graphs.check_lists(ids, pointer, ascending=True)
        graphs.check_pairs(left, right, len(pointer) - 1)
        return self.kernels.intersect(ids, pointer, left, right)

    def follow(
        self, after: NDArray[np.int32], start: NDArray[np.int32], steps: int
    ) -> NDArray[np.int32]:
        """Where each chain leads: [S, steps] nodes 1, 2, … steps after the start, −1 past its end.

        ``after`` [N] is the next node, −1 for none; a ring is walked round. ``start`` is [S].

        Raises:
            InputError: an id out of range.
        """
        graphs.check_chains(after, start, steps)
        return self.kernels.follow(after, start, steps)
