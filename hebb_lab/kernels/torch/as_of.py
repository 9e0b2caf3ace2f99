"""What walks read of a graph that grows: merged weights of edges as of a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.torch.decay import Gap, weight_as_of
from hebb_lab.kernels.torch.hop import Weights
from hebb_lab.kernels.torch.rules import (
    TraceRules,
    as_tensor,
    distinct_rows,
    requires_grad,
    trace_rules,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, ReplayState
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays


class State(NamedTuple):
    """Of edges after an event, [L, K]; reinforced is 0 where there is no edge.

    half_life: None where no trace fixes one at reinforcement.
    """

    weight: Tensor
    reinforced: Tensor
    half_life: Tensor | None


class Facts(NamedTuple):
    """What replay and walks read of a graph, as tensors on the device.

    event_ptr, time, namespace, edge_of: as in GraphArrays, indices as int64.
    state: [M, G] the newest event up to each that gate G admits, −1 for none; None: each itself.
    active: [M, G] the newest of these with a strength of 0 or more; None: as ``state``.
    column: [K] the gate of each trace.
    """

    event_ptr: Tensor
    time: Tensor
    namespace: Tensor
    edge_of: Tensor
    state: Tensor | None
    active: Tensor | None
    column: Tensor

    def newest_before(self, edge: Tensor, time: Tensor) -> Tensor:
        """The newest event of each edge strictly before a time, −1 for none, [L].

        A binary search in the edge's own events: ⌈log₂(events + 1)⌉ steps of one look-up each.
        """
        first = self.event_ptr[edge]
        events = self.event_ptr[edge + 1] - first
        found = torch.zeros_like(first)  # how many events are known to be before
        most = int(events.max()) if len(edge) else 0
        step = 1 << max(most.bit_length() - 1, 0)
        while step and most:
            tried = found + step
            inside = tried <= events
            place = (first + tried - 1).clamp_(max=len(self.time) - 1)
            found += (inside & (self.time[place] < time)) * step
            step >>= 1
        return torch.where(found > 0, first + found - 1, -1)

    def admitted(self, event: Tensor) -> tuple[Tensor, Tensor | None]:
        """(event whose state holds, event of the last reinforcement or None if it is the same).

        [L, 1] where all traces share a gate, else [L, K]; −1 where there is none.
        """
        return self._look(self.state, event), (
            None if self.active is None else self._look(self.active, event)
        )

    def _look(self, table: Tensor | None, event: Tensor) -> Tensor:
        if table is None:
            return event[:, None]
        found = table[event.clamp(min=0)]
        found = torch.where(event[:, None] >= 0, found, -1)
        return found if table.shape[1] == 1 else found[:, self.column]

    def gap(self, event: Tensor, now: Tensor) -> Gap:
        """From the state after an event to ``now`` [L, 1]; no time where there is no state."""
        if self.state is None and self.active is None:
            return Gap(now, torch.minimum(self.time[event.clamp(min=0)][:, None], now), None)
        state, active = self.admitted(event)
        at = torch.where(state >= 0, self.time[state.clamp(min=0)], now)
        if active is None:
            return Gap(now, at, None)
        return Gap(now, at, torch.where(active >= 0, self.time[active.clamp(min=0)], at))


def facts_of(graph: GraphArrays, window_max: NDArray[np.int64], device: torch.device) -> Facts:
    """The graph's events under the gates of K traces."""
    pointer, time = as_tensor(graph.event_ptr, device), as_tensor(graph.time, device)
    edge_of = as_tensor(graph.edge_of, device, torch.int64)
    size, strength = as_tensor(graph.size, device), as_tensor(graph.strength, device)
    largest = int(size.max()) if len(size) else 0
    gates, column = np.unique(np.minimum(window_max, largest), return_inverse=True)
    gated, weakens = bool((gates < largest).any()), bool((strength < 0).any())
    first = pointer[edge_of]
    state, active = [], []
    for gate in gates.tolist():
        state.append(_newest(size <= gate, first) if gated else first)
        if weakens:
            active.append(_newest((size <= gate) & (strength >= 0), first))
    return Facts(
        pointer, time, as_tensor(graph.namespace, device, torch.int64), edge_of,
        torch.stack(state, 1) if gated else None, torch.stack(active, 1) if weakens else None,
        as_tensor(column, device),
    )  # fmt: skip


def _newest(good: Tensor, first: Tensor) -> Tensor:
    """[M] the newest good event up to each on the same edge, −1 for none."""
    if len(good) == 0:
        return first
    event = torch.arange(len(good), device=good.device)
    newest = torch.cummax(torch.where(good, event, -1), 0).values
    return torch.where(newest >= first, newest, -1)


def read_at(
    facts: Facts, rules: TraceRules, edge: Tensor, event: Tensor, now: Tensor, state: State
) -> tuple[Tensor, Tensor]:
    """(weight, whether the edge is alive) as of strictly before times, [L, K] each.

    Args:
        facts: the graph's events.
        rules: of all namespaces.
        edge: [L].
        event: [L] the newest before, −1 for none, of which ``state`` is.
        now: [L] µs.
        state: [L, K].
    """
    gap = facts.gap(event, now[:, None])
    own = rules.of(facts.namespace[edge])
    weight, pruned = weight_as_of(own, state.weight, state.reinforced, state.half_life, gap)
    alive = (state.reinforced > 0) & ~pruned
    return weight * alive, alive


class AsOf:
    """Weights as of strictly before each query's time, merged over traces and namespaces."""

    def __init__(
        self, graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
        queries: QueryArrays, device: torch.device, dtype: torch.dtype,
    ) -> None:  # fmt: skip
        first, stop = (np.asarray(part) for part in (reads.trace_first, reads.trace_stop))
        spans = [np.arange(a, b) for a, b in zip(first, stop, strict=True)]
        used = np.unique(np.concatenate(spans))
        if len(used) < len(traces.learning_rate):
            traces = type(traces)(*(part[used] for part in traces))
            columns: Any = [part[:, used] for part in state]
            state = type(state)(*columns)
        mine = torch.from_numpy((used[:, None] >= first) & (used[:, None] < stop)).to(device)
        self._facts = facts_of(graph, as_numpy(traces.window_max), device)
        self._rules = trace_rules(traces, device, dtype)
        half_life = as_tensor(state.half_life_days, device, dtype)
        self._state = State(
            as_tensor(state.weight, device, dtype), as_tensor(state.reinforcements, device),
            half_life if len(half_life) else None,
        )  # fmt: skip
        self.row_ptr, self._col = as_tensor(graph.row_ptr, device), as_tensor(graph.col, device)
        self._edge, self._time = as_tensor(graph.edge_id, device), as_tensor(queries.time, device)
        self._mine = mine.to(torch.float64)
        self._mix = as_tensor(reads.mix, device, torch.float64)[torch.from_numpy(used).to(device)]
        self._read = as_tensor(reads.read_weight, device, torch.float64).T  # [S, C]
        self._read = distinct_rows(self._read)
        alone = (mine == torch.eye(*mine.shape, device=device)).all() & (self._mix == 1).all()
        self._plain = bool(alone) and not requires_grad(self._mix)
        self.columns = max(len(used), len(first), 1)
        self.slot_bytes = 200 + 8 * (16 * len(used) + 6 * len(first))

    def read(self, row: Tensor, slot: Tensor, query: Tensor) -> Weights:
        """Those that have an event before the query's time."""
        edge, now = self._edge[slot].long(), self._time[query]
        event = self._facts.newest_before(edge, now)
        born = torch.nonzero(event >= 0)[:, 0]
        row, slot, edge, now, event = (part[born] for part in (row, slot, edge, now, event))
        weight, alive = read_at(
            self._facts, self._rules, edge, event, now, self._state_after(event)
        )
        weight = weight.to(torch.float64)
        if not self._plain:
            weight = (weight * self._mix) @ self._mine
            alive = alive.to(torch.float64) @ self._mine > 0
        if len(self._read) == 1:
            share = self._read
        else:
            share = self._read.index_select(0, self._facts.namespace[edge])
        return Weights(row, self._col[slot].long(), weight * share, alive & (share > 0))

    def matrix_of(self, query: Tensor) -> Tensor:
        """Queries of one moment share one."""
        return torch.searchsorted(self._time, self._time[query])

    def _state_after(self, event: Tensor) -> State:
        at, _ = self._facts.admitted(event)
        there, place = at >= 0, at.clamp(min=0)

        def look(part: Tensor) -> Tensor:
            shared = place.shape[1] == 1
            return part.index_select(0, place[:, 0]) if shared else part.gather(0, place)

        weight, count, half_life = self._state
        return State(
            look(weight), look(count) * there, None if half_life is None else look(half_life)
        )
