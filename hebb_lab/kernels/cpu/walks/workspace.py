"""What one thread walks in, made to fit a budget of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.select import Best, room_to_rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEADS = 2  # lines of a row before those of its edges: see rows
# Powers of two. Half a year of a team has some 3,000 moments that are the last of an edge.
MOMENTS: Any = np.int64(4096)
FEW_MOMENTS: Any = np.int64(512)  # of the rows of some nodes, so that they stay in the second cache
SEEN, EPOCH, USED, WHOLE, NOW, MASK, FACTOR = range(7)  # of the clock


class Workspace(NamedTuple):
    """The arrays of one thread, good for one set of configurations and one graph.

    clock: [7] int64: events by time that ``present`` has seen, the number of the moment, lines of
    the arena in use, whether the lines of all edges are there, the moment's time; mask and factor
    of the table. present: [E, 4] int64, see rows.advance.
    row_at, row_epoch: [N] int64, row_size: [N] int32: where rows lie, and of which moment they are,
    0 where of none.
    columns, line_of: [A] int32, lines: [A, C] float64: the arena. table: [2ⁿ] int64, see numbers.
    nodes, frontier, following, order: [R] int32; waiting: [R] bool. energy: [2, R, C],
    before and after a hop; score: [R, C]. sent, merged: [C], faded: [lanes]. best: see select.
    moment: [L, 2] int64, left: [L, lanes], edge_lines: [E, C], or [0, C] where they do not fit:
    see rows.edge_line.
    """

    clock: Any
    present: Any
    row_at: Any
    row_epoch: Any
    row_size: Any
    columns: Any
    line_of: Any
    lines: Any
    table: Any
    nodes: Any
    frontier: Any
    following: Any
    order: Any
    waiting: Any
    energy: Any
    score: Any
    sent: Any
    merged: Any
    faded: Any
    best: Best
    moment: Any
    left: Any
    edge_lines: Any


def workspace(
    nodes: int, namespace: NDArray[np.int16], arena: int, configs: int, lanes: int, whole: bool,
) -> Workspace:  # fmt: skip
    """Room for ``arena`` lines, and for the lines of all edges where they are ``whole``.

    What is not written is not there: the operating system gives memory page by page, so that a
    walk holds what its frontier needs.
    """
    present = np.full((len(namespace), 4), -1, np.int64)
    present[:, 3] = namespace
    return Workspace(
        clock=np.array([0, 1, 0, 0, np.iinfo(np.int64).min, 0, 0]), present=present,
        row_at=np.empty(nodes, np.int64), row_epoch=np.zeros(nodes, np.int64),
        row_size=np.empty(nodes, np.int32),
        columns=np.empty(arena, np.int32), line_of=np.empty(arena, np.int32),
        lines=np.empty((arena, configs)),
        table=np.zeros(1 << (nodes - 1).bit_length(), np.int64),
        nodes=np.empty(nodes, np.int32), frontier=np.empty(nodes, np.int32),
        following=np.empty(nodes, np.int32), order=np.empty(nodes, np.int32),
        waiting=np.zeros(nodes, np.bool_),
        energy=np.empty((2, nodes, configs)), score=np.empty((nodes, configs)),
        sent=np.empty(configs), merged=np.empty(configs), faded=np.empty(lanes),
        best=room_to_rank(nodes, configs),
        moment=np.zeros((MOMENTS, 2), np.int64), left=np.empty((MOMENTS, lanes)),
        edge_lines=np.empty((len(namespace) * whole, configs)),
    )  # fmt: skip


def configurations_at_once(nodes: int, lines: int, configs: int, memory_bytes: int) -> int:
    """How many configurations fit, at least one: 32 bytes a node, 8 a line of the arena, each."""
    return max(1, min(configs, memory_bytes // (32 * nodes + 8 * lines + 1)))


def arena_lines(row_ptr: NDArray[np.int64], configs: int, memory_bytes: int) -> int:
    """All rows where they fit into the memory, else what fits; the longest row in any case."""
    nodes, slots = len(row_ptr) - 1, int(row_ptr[-1])
    longest = int(np.diff(row_ptr).max(initial=0)) + HEADS
    return max(longest, min(slots + HEADS * nodes, memory_bytes // (8 * configs + 4)))
