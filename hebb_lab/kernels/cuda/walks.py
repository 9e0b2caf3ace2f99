"""Walks for many queries and configurations: spreading activation, personalised PageRank.

A block takes a (query, configuration) at a time. Its workspace is made for the whole graph and used
again by its next task, so memory follows the number of blocks, never Q × C × N.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from hebb_lab.kernels.arrays import nothing_found
from hebb_lab.kernels.cuda.buffers import (
    Zeros,
    as_found,
    mix_arguments,
    nothing_yet,
    on_device,
    query_arguments,
    read_arguments,
    real,
    rule_table,
)
from hebb_lab.kernels.cuda.launch import Shape, staying_blocks

if TYPE_CHECKING:
    from torch import Tensor

    from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState, Rows
    from hebb_lab.kernels.cuda.launch import Launcher
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

SLOTS_AT_ONCE = 1 << 16  # directed edges that a block reads before it sends energy along them


class Workspace(NamedTuple):
    """What the blocks work in: tensors of WORKSPACE_PARAMETERS (spread.cuh), and their sizes."""

    shape: Shape
    nodes: int
    capacity: int
    tensors: list[Tensor]


@dataclass(frozen=True)
class Walks:
    """The walks on one device.

    Args:
        launcher: starts their kernels.
        memory_bytes: what the blocks' workspaces may take. The zeros among them are kept.
    """

    launcher: Launcher
    memory_bytes: int
    _zeros: Zeros = field(default_factory=Zeros)

    def spread(
        self, graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
        queries: QueryArrays, k: int,
    ) -> Found:  # fmt: skip
        """Energy that reaches each node, in the graph as of each query's time."""
        launcher, (kinds, spaces) = self.launcher, traces.default_days.shape
        row_ptr = on_device(launcher, graph.row_ptr)
        return self._walk(
            "spread", "spread", row_ptr, reads, queries, k,
            before=[
                row_ptr, *_as_of(launcher, graph, state, traces), *mix_arguments(launcher, reads),
                *read_arguments(launcher, reads),
            ],
            between=[], numbers=[int(spaces), int(kinds)],
        )  # fmt: skip

    def spread_rows(self, rows: Rows, reads: ReadArrays, queries: QueryArrays, k: int) -> Found:
        """The same walk through weights that stand still."""
        launcher, row_ptr = self.launcher, on_device(self.launcher, rows.row_ptr)
        return self._walk(
            "spread", "spread_rows", row_ptr, reads, queries, k,
            before=[
                row_ptr, on_device(launcher, rows.col),
                on_device(launcher, rows.weight, real(launcher)),
                *read_arguments(launcher, reads),
            ],
            between=[], numbers=[],
        )  # fmt: skip

    def personalised_pagerank(
        self, graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
        queries: QueryArrays, k: int, restart: float, tolerance: float,
    ) -> Found:  # fmt: skip
        """Random walk with restart at the seeds, in the graph as of each query's time."""
        launcher, (kinds, spaces) = self.launcher, traces.default_days.shape
        row_ptr, slots = on_device(launcher, graph.row_ptr), len(graph.col)
        return self._walk(
            "pagerank", "pagerank", row_ptr, reads, queries, k,
            before=[
                row_ptr, *_as_of(launcher, graph, state, traces), *mix_arguments(launcher, reads),
            ],
            between=[float(restart), float(tolerance)],
            numbers=[slots, int(spaces), int(kinds)], kept_slots=slots,
        )  # fmt: skip

    def _walk(
        self, module: str, kernel: str, row_ptr: Tensor, reads: ReadArrays, queries: QueryArrays,
        k: int, before: list[Any], between: list[Any], numbers: list[int],
        kept_slots: int | None = None,
    ) -> Found:  # fmt: skip
        """Start a kernel of walks.

        Args:
            module: of the kernel.
            kernel: its name.
            row_ptr: of the graph.
            reads: C configurations.
            queries: Q.
            k: how many to find.
            before: its arguments before the queries.
            between: those after what it writes.
            numbers: those after the number of nodes.
            kept_slots: weights of rows that a block of this kernel keeps while a query lasts.
        """
        launcher, configs, asked = self.launcher, len(reads.hops), len(queries.time)
        if not (configs and asked):
            return nothing_found(configs, asked, k)
        own = self._workspace(module, kernel, row_ptr, configs * asked, k, kept_slots)
        found = nothing_yet(launcher, configs, asked, k)
        taken = torch.zeros(1, dtype=torch.int64, device=launcher.device)  # tasks, so far
        launcher.launch(
            module, kernel, own.shape,
            [
                *before, *query_arguments(launcher, queries), *own.tensors, taken, *found,
                *between, own.nodes, *numbers, configs, asked, k, own.capacity,
            ],
        )  # fmt: skip
        on_host = as_found(found)
        self._zeros.give_back(own.tensors[0])
        return on_host

    def _workspace(
        self, module: str, kernel: str, row_ptr: Tensor, tasks: int, k: int, kept_slots: int | None
    ) -> Workspace:
        """Room for as many blocks as the memory holds."""
        launcher, nodes = self.launcher, len(row_ptr) - 1
        longest = int(row_ptr.diff().max()) if nodes else 0
        capacity = max(longest, min(int(row_ptr[-1]), SLOTS_AT_ONCE), 1)
        weight = real(launcher).itemsize
        each = (
            nodes * (4 * 8 + 4 * 4) + capacity * (weight + 8) + 16 * k + (kept_slots or 0) * weight
        )
        shape = staying_blocks(launcher, module, kernel, tasks, each, self.memory_bytes)

        def made(columns: int, dtype: torch.dtype) -> Tensor:
            return torch.empty((shape.blocks, columns), dtype=dtype, device=launcher.device)

        tensors = [
            self._zeros.take(launcher, shape.blocks * 3 * nodes), made(nodes, torch.float64),
            made(3 * nodes, torch.int32), made(nodes + 1, torch.int32),
            made(capacity, real(launcher)), made(2 * capacity, torch.int32),
            made(2 * k, torch.int64),
        ]  # fmt: skip
        if kept_slots is not None:
            tensors.append(made(kept_slots, real(launcher)))
        return Workspace(shape, nodes, capacity, tensors)


def _as_of(
    launcher: Launcher, graph: GraphArrays, state: ReplayState, traces: TraceArrays
) -> list[Any]:
    """From ``col`` to ``table``: what AsOf (asof.cuh) reads."""
    stored = len(state.half_life_days) > 0
    return [
        on_device(launcher, graph.col), on_device(launcher, graph.event_ptr),
        on_device(launcher, graph.time), on_device(launcher, graph.strength),
        on_device(launcher, graph.namespace), on_device(launcher, graph.edge_id),
        on_device(launcher, state.weight, real(launcher)),
        on_device(launcher, state.reinforcements, torch.int32),
        on_device(launcher, state.half_life_days, real(launcher)) if stored else None,
        rule_table(launcher, traces),
    ]  # fmt: skip
