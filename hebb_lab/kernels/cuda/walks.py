"""Walks for many queries and configurations: spreading activation, personalised PageRank.

A block takes a (query, configuration) at a time. Its workspace is made for the whole graph and used
again by its next task, so memory follows the number of blocks, never Q × C × N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from hebb_lab.kernels.arrays import nothing_found
from hebb_lab.kernels.cuda.buffers import (
    as_found,
    mix_arguments,
    nothing_yet,
    on_device,
    query_arguments,
    read_arguments,
    real,
    rule_table,
)
from hebb_lab.kernels.cuda.launch import staying_blocks

if TYPE_CHECKING:
    from torch import Tensor

    from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState, Rows
    from hebb_lab.kernels.cuda.launch import Launcher, Shape
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

SLOTS_AT_ONCE = 1 << 16  # directed edges that a block reads before it sends energy along them


class Workspace(NamedTuple):
    """What the blocks work in: tensors of WORKSPACE_PARAMETERS (spread.cuh), and their sizes."""

    shape: Shape
    nodes: int
    capacity: int
    tensors: list[Tensor]


def spread(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, launcher: Launcher, memory_bytes: int,
) -> Found:  # fmt: skip
    """Energy that reaches each node, in the graph as of each query's time."""
    configs, asked = len(reads.hops), len(queries.time)
    if not (configs and asked):
        return nothing_found(configs, asked, k)
    row_ptr = on_device(launcher, graph.row_ptr)
    own = _workspace(launcher, "spread", "spread", row_ptr, configs * asked, k, memory_bytes, 0)
    found = nothing_yet(launcher, configs, asked, k)
    kinds, spaces = traces.default_days.shape
    launcher.launch(
        "spread", "spread", own.shape,
        [
            row_ptr, *_as_of(launcher, graph, state, traces), *mix_arguments(launcher, reads),
            *read_arguments(launcher, reads), *query_arguments(launcher, queries),
            *own.tensors, _counter(launcher), *found,
            own.nodes, int(spaces), int(kinds), configs, asked, k, own.capacity,
        ],
    )  # fmt: skip
    return as_found(found)


def spread_rows(
    rows: Rows, reads: ReadArrays, queries: QueryArrays, k: int, launcher: Launcher,
    memory_bytes: int,
) -> Found:  # fmt: skip
    """The same walk through weights that stand still."""
    configs, asked = len(reads.hops), len(queries.time)
    if not (configs and asked):
        return nothing_found(configs, asked, k)
    row_ptr, tasks = on_device(launcher, rows.row_ptr), configs * asked
    own = _workspace(launcher, "spread", "spread_rows", row_ptr, tasks, k, memory_bytes, 0)
    found = nothing_yet(launcher, configs, asked, k)
    launcher.launch(
        "spread", "spread_rows", own.shape,
        [
            row_ptr, on_device(launcher, rows.col),
            on_device(launcher, rows.weight, real(launcher)), *read_arguments(launcher, reads),
            *query_arguments(launcher, queries), *own.tensors, _counter(launcher), *found,
            own.nodes, configs, asked, k, own.capacity,
        ],
    )  # fmt: skip
    return as_found(found)


def personalised_pagerank(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, restart: float, tolerance: float, launcher: Launcher,
    memory_bytes: int,
) -> Found:  # fmt: skip
    """Random walk with restart at the seeds, in the graph as of each query's time."""
    configs, asked = len(reads.hops), len(queries.time)
    if not (configs and asked):
        return nothing_found(configs, asked, k)
    row_ptr, slots = on_device(launcher, graph.row_ptr), len(graph.col)
    own = _workspace(
        launcher, "pagerank", "pagerank", row_ptr, configs * asked, k, memory_bytes,
        slots * real(launcher).itemsize,
    )  # fmt: skip
    share = torch.empty((own.shape.blocks, slots), dtype=real(launcher), device=launcher.device)
    found = nothing_yet(launcher, configs, asked, k)
    kinds, spaces = traces.default_days.shape
    launcher.launch(
        "pagerank", "pagerank", own.shape,
        [
            row_ptr, *_as_of(launcher, graph, state, traces), *mix_arguments(launcher, reads),
            *query_arguments(launcher, queries), *own.tensors, share, _counter(launcher), *found,
            float(restart), float(tolerance),
            own.nodes, slots, int(spaces), int(kinds), configs, asked, k, own.capacity,
        ],
    )  # fmt: skip
    return as_found(found)


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


def _workspace(
    launcher: Launcher, module: str, kernel: str, row_ptr: Tensor, tasks: int, k: int,
    memory_bytes: int, more_bytes: int,
) -> Workspace:  # fmt: skip
    """Room for as many blocks as the memory holds, each with ``more_bytes`` beside this."""
    nodes, longest = len(row_ptr) - 1, int(row_ptr.diff().max()) if len(row_ptr) > 1 else 0
    capacity = max(longest, min(int(row_ptr[-1]), SLOTS_AT_ONCE), 1)
    weight = real(launcher).itemsize
    each = nodes * (4 * 8 + 4 * 4) + capacity * (weight + 8) + 16 * k + more_bytes
    shape = staying_blocks(launcher, module, kernel, tasks, each, memory_bytes)

    def made(columns: int, dtype: torch.dtype) -> Tensor:
        return torch.empty((shape.blocks, columns), dtype=dtype, device=launcher.device)

    levels = torch.zeros((shape.blocks, 4 * nodes), dtype=torch.float64, device=launcher.device)
    tensors = [
        levels, made(3 * nodes, torch.int32), made(nodes + 1, torch.int32),
        made(capacity, real(launcher)), made(2 * capacity, torch.int32),
        made(2 * k, torch.int64),
    ]  # fmt: skip
    return Workspace(shape, nodes, capacity, tensors)


def _counter(launcher: Launcher) -> Tensor:
    """How many tasks have been taken."""
    return torch.zeros(1, dtype=torch.int64, device=launcher.device)
