"""The synapse layer: a TemporalGraph under C rule sets, asked in the past and explained."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.kernels.arrays import graph_arrays, on_host, query_arrays
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import ReadArrays, TraceArrays, rule_arrays
from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.graph.snapshot import MergedRows
    from hebb_lab.graph.temporal import TemporalGraph
    from hebb_lab.kernels.arrays import GraphArrays, ReplayState
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.kernels.walk import Walk
    from hebb_lab.records import Queries


class Carried(NamedTuple):
    """One edge that carried energy to a candidate."""

    hop: int
    sender: str
    receiver: str
    weight: float  # merged, as of the query's time
    energy: float  # that arrived over this edge


@dataclass(frozen=True)
class SynapseLayer:
    """One replay of the graph for all C rule sets; any number of questions to each.

    The walk of the rule sets that were asked last stays ready with the layer, so that to ask them
    again costs the walk alone. It is one walk, since each may hold as much as the back end's memory
    allows: it goes before another is made, and with the layer.

    Args:
        graph: the facts.
        rules: the C rule sets.
        backend: where the kernels run.
    """

    graph: TemporalGraph
    rules: Sequence[SynapseRules]
    backend: Backend
    _arrays: GraphArrays
    _traces: TraceArrays
    _reads: ReadArrays
    _state: ReplayState
    _ready: list[tuple[tuple[int, ...], Walk]] = field(default_factory=list, repr=False)

    @classmethod
    def learn(
        cls,
        graph: TemporalGraph,
        rules: Sequence[SynapseRules],
        backend: Backend | None = None,
        branch: str | None = None,
    ) -> SynapseLayer:
        """Replay the whole graph once under all rule sets.

        Nothing leaks from the future: a question sees an edge as of its own time only.
        """
        backend = backend or backend_named("cpu")
        arrays = backend.place(graph_arrays(graph))
        traces, reads = rule_arrays(rules, graph.namespaces, branch)
        return cls(graph, rules, backend, arrays, traces, reads, backend.replay(arrays, traces))

    def spread(self, config: int, queries: Queries, k: int) -> tuple[Ranking, NDArray[np.int64]]:
        """Spreading activation under one rule set: the best k nodes, and edges read, [Q]."""
        return self.spread_all([config], queries, k)[0]

    def spread_all(
        self, configs: Sequence[int], queries: Queries, k: int
    ) -> list[tuple[Ranking, NDArray[np.int64]]]:
        """Spreading activation under several rule sets in one walk; see ``spread``."""
        found = self._walk(configs).spread(query_arrays(queries), k)
        return [(Ranking(ids, scores), edges) for ids, scores, edges in zip(*found, strict=True)]

    def personalised_pagerank(
        self, config: int, queries: Queries, k: int, restart: float = 0.15
    ) -> tuple[Ranking, NDArray[np.int64]]:
        """Personalised PageRank over one rule set's weights, in place of the walk."""
        walk = self._walk([config])
        ids, scores, edges = walk.personalised_pagerank(query_arrays(queries), k, restart)
        return Ranking(ids[0], scores[0]), edges[0]

    def _walk(self, configs: Sequence[int]) -> Walk:
        """The walk of some rule sets: the one that is ready, or another in its place."""
        asked = tuple(configs)
        known = dict(self._ready)
        if asked in known:
            return known[asked]
        known.clear()  # and with it the last hold on what it takes in memory
        self._ready.clear()
        reads = self._reads.some(asked)
        walk = self.backend.walk(self._arrays, self._state, self._traces, reads)
        self._ready[:] = [(asked, walk)]  # in one step, for other threads may ask meanwhile
        return walk

    def rows_as_of(self, configs: Sequence[int], time_us: int) -> Iterator[MergedRows]:
        """Merged weights as of strictly before a time, for several rule sets in one sweep."""
        from hebb_lab.graph.snapshot import merged_rows

        traces, reads = self._alone(configs)
        moment = np.array([time_us], np.int64)
        found = on_host(self.backend.weights_at(self._arrays, traces, moment))
        graph = on_host(self._arrays)
        for place in range(len(configs)):
            yield merged_rows(place, 0, graph, found, reads)

    def _alone(self, configs: Sequence[int]) -> tuple[TraceArrays, ReadArrays]:
        """Some of the configurations, with the traces that are theirs."""
        reads = self._reads.some(configs)
        counts = reads.trace_stop - reads.trace_first
        stop = np.cumsum(counts)
        own = np.arange(int(counts.sum())) + np.repeat(reads.trace_first - stop + counts, counts)
        return TraceArrays(*(part[own] for part in self._traces)), reads._replace(
            trace_first=stop - counts, trace_stop=stop, mix=reads.mix[own]
        )

    def adjacency(self, config: int, time_us: int) -> dict[int, dict[int, float]]:
        """Merged weights as of strictly before a time: node → neighbour → weight."""
        rows = next(self.rows_as_of([config], time_us))
        col, weight = rows.col.tolist(), rows.weight.tolist()
        ends = rows.row_ptr.tolist()
        return {
            node: dict(zip(col[start:stop], weight[start:stop], strict=True))
            for node, (start, stop) in enumerate(pairwise(ends))
            if stop > start
        }

    def explain(self, config: int, queries: Queries, query: int) -> list[Carried]:
        """Every edge that carried energy for one query, hop by hop: the trace of its candidates.

        The energies that arrive at a node sum to its score.
        """
        from hebb_lab.kernels.reference.walk import RowsAsOf, carried_energy, seeds_of

        time_us, reads = int(queries.time_us[query]), self._reads.some([config])
        graph, state = self._on_host
        rows = RowsAsOf(0, time_us, graph, state, self._traces, reads)
        seeds = seeds_of(query_arrays(queries), query)
        names = self.graph.nodes
        return [
            Carried(hop, names[sender], names[receiver], weight, energy)
            for hop, sender, receiver, weight, energy in carried_energy(0, seeds, rows, reads)
        ]

    @cached_property
    def _on_host(self) -> tuple[GraphArrays, ReplayState]:
        """What explanations read, copied once where a back end holds it elsewhere."""
        return on_host(self._arrays), on_host(self._state)

    def byte_count(self, config: int) -> int:
        """Memory that questions to one rule set read: the facts, and its state after each event."""
        own = slice(self._reads.trace_first[config], self._reads.trace_stop[config])
        return sum(part.nbytes for part in self._arrays) + sum(
            part[:, own].nbytes for part in self._state
        )
