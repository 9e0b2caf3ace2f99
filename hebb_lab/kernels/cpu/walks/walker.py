"""A walk made ready: what all its calls read, and the workspaces that they hand to each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numba import get_num_threads

from hebb_lab.kernels.arrays import Found, nothing_found
from hebb_lab.kernels.cpu.walks import pagerank, spread
from hebb_lab.kernels.cpu.walks.readings import readings_by_gate
from hebb_lab.kernels.cpu.walks.workspace import HEADS, configurations_at_once

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, ReplayState
    from hebb_lab.kernels.cpu.walks.pagerank import Pushing
    from hebb_lab.kernels.cpu.walks.readings import Reading
    from hebb_lab.kernels.cpu.walks.spread import Spreading
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays


@dataclass(frozen=True)
class PreparedWalker:
    """Walks through one state, by threads that go on where an earlier call has left them.

    What a kind of walk reads is made when it is first asked for, and kept where all configurations
    fit into the memory at once; where not, for each call anew, as many of them at a time as fit.

    Args:
        graph: the facts.
        state: of all traces after each event.
        traces: K.
        reads: C configurations.
        memory_bytes: what the workspaces of one call's threads may take, as many as numba may use
            when it is first asked; calls at the same time have workspaces of their own.
    """

    graph: GraphArrays
    state: ReplayState
    traces: TraceArrays
    reads: ReadArrays
    memory_bytes: int

    def spread(self, queries: QueryArrays, k: int) -> Found:
        """Energy that reaches each node; see Walk.spread."""
        configs, most = len(self.reads.hops), self._at_once
        if configs <= most:
            return _joined(self._spreadings, queries, k, configs)
        found = nothing_found(configs, len(queries.time), k)
        for first in range(0, configs, most):
            some = np.arange(first, min(first + most, configs))
            _put(_joined(self._ready(some), queries, k, len(some)), some, found)
        return found

    def personalised_pagerank(
        self, queries: QueryArrays, k: int, restart: float, tolerance: float
    ) -> Found:
        """Random walk with restart at the seeds; see Walk.personalised_pagerank."""
        found = nothing_found(len(self.reads.hops), len(queries.time), k)
        pushing = self._pushing
        pieces = pagerank.runs_of_moments(queries, pushing.lanes)
        for c, reading in enumerate(self._alone()):
            part = pushing.walk(c, reading, queries, pieces, k, restart, tolerance)
            _put(part, np.array([c]), found)
        return found

    @cached_property
    def _at_once(self) -> int:
        """How many configurations fit into a thread's share of the memory."""
        nodes, slots = len(self.graph.row_ptr) - 1, len(self.graph.col)
        # The last: weights that say how they stand.
        lines = slots + HEADS * nodes + len(self.graph.time)
        return configurations_at_once(nodes, lines, len(self.reads.hops), self._share)

    @cached_property
    def _share(self) -> int:
        return self.memory_bytes // get_num_threads()

    @cached_property
    def _spreadings(self) -> list[Spreading]:
        return self._ready(np.arange(len(self.reads.hops)))

    def _ready(self, some: NDArray[np.int64]) -> list[Spreading]:
        """Some of the configurations, by their gates; these share the memory."""
        reads = self.reads.some(some.tolist())
        readings = list(readings_by_gate(self.graph, self.state, self.traces, reads))
        share = self._share // 2 // max(len(readings), 1)
        return [spread.spreading(self.graph, reading, share) for reading in readings]

    @cached_property
    def _pushing(self) -> Pushing:
        return pagerank.pushing(self.graph, self.reads, self.memory_bytes)

    def _alone(self) -> Iterable[Reading]:
        """What walks of each configuration by itself read."""
        configs = range(len(self.reads.hops))
        kept = 16 * len(self.graph.time) * len(configs)  # bytes: signed, active
        return self._each if kept <= self.memory_bytes // 2 else map(self._reading, configs)

    @cached_property
    def _each(self) -> list[Reading]:
        return [self._reading(c) for c in range(len(self.reads.hops))]

    def _reading(self, c: int) -> Reading:
        reads = self.reads.some([c])
        return next(readings_by_gate(self.graph, self.state, self.traces, reads))


def _joined(parts: list[Spreading], queries: QueryArrays, k: int, configs: int) -> Found:
    """The answers of all gates in the order of the configurations."""
    if len(parts) == 1:
        return parts[0].walk(queries, k)
    found = nothing_found(configs, len(queries.time), k)
    for part in parts:
        _put(part.walk(queries, k), part.reading.chosen, found)
    return found


def _put(part: Found, chosen: NDArray[np.int64], found: Found) -> None:
    for name in Found._fields:
        getattr(found, name)[chosen] = getattr(part, name)
