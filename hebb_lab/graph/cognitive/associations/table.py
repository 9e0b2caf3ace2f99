"""The edges of all rule sets in one table: a row for each (rule set, memory)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOORED, CO_INGESTED, STATED = 1, 2, 4
"""Flags of an edge: held at the floor as a bridge; strengthened by co-ingestion; by a hint."""

EDGE_BYTES, NODE_BYTES = 12, 4
LAST_CYCLE = 0xFFFF
"""Cycles are kept in 16 bits; what was strengthened later counts as strengthened then."""


class EdgeTable(NamedTuple):
    """Directed edges of C rule sets over N memories; row c · N + m holds memory m under rules c.

    The neighbours of a row ascend and are distinct.
    """

    ptr: NDArray[np.int64]  # [C·N+1] where a row's room begins
    length: NDArray[np.int64]  # [C·N] edges in it; all of its room where the table is packed
    neighbor: NDArray[np.int32]  # memory
    weight: NDArray[np.float32]
    last_cycle: NDArray[np.uint16]  # the cycle in which it was last strengthened
    bridge: NDArray[np.uint8]  # 255 × bridge score as of the last cycle; 0 before
    flags: NDArray[np.uint8]

    @classmethod
    def with_room(cls, room: NDArray[np.int64]) -> EdgeTable:
        """A table without edges, with room for so many in each row."""
        ptr = np.zeros(len(room) + 1, np.int64)
        np.cumsum(room, out=ptr[1:])
        total = int(ptr[-1])
        return cls(
            ptr, np.zeros(len(room), np.int64), np.empty(total, np.int32),
            np.empty(total, np.float32), np.empty(total, np.uint16), np.empty(total, np.uint8),
            np.empty(total, np.uint8),
        )  # fmt: skip


class AssociationGraph(NamedTuple):
    """Layer 1 of one rule set over N memories, as compressed sparse rows of 12-byte edges.

    Row m is ``[offsets[m], offsets[m + 1])``: the memories that m leads to, ascending. Under rules
    that evict at insertion, or that modulate decay, a leads to b with another weight than b to a,
    or not at all.
    """

    offsets: NDArray[np.int32]  # [N+1]
    neighbor: NDArray[np.int32]  # [E]
    weight: NDArray[np.float32]  # [E]
    last_cycle: NDArray[np.uint16]  # [E]
    bridge: NDArray[np.uint8]  # [E] 0 to 255
    flags: NDArray[np.uint8]  # [E] FLOORED, CO_INGESTED, STATED
    cycle: int  # consolidation cycles that have passed

    @property
    def byte_count(self) -> int:
        """What the arrays take: 12 bytes an edge, 4 a memory."""
        arrays: Any = self[:-1]
        return sum(int(array.nbytes) for array in arrays)

    def to_scipy(self) -> Any:
        """[N, N] scipy.sparse.csr_array of float32 weights, sender × receiver."""
        from scipy.sparse import csr_array

        n = len(self.offsets) - 1
        return csr_array((self.weight, self.neighbor, self.offsets), shape=(n, n))

    def to_torch(self) -> Any:
        """[N, N] sparse CSR tensor of float32 weights, sender × receiver."""
        import torch

        n = len(self.offsets) - 1
        return torch.sparse_csr_tensor(
            torch.from_numpy(self.offsets.astype(np.int64)),
            torch.from_numpy(self.neighbor.astype(np.int64)),
            torch.from_numpy(self.weight.copy()), size=(n, n), check_invariants=True,
        )  # fmt: skip


def graph_of(
    table: EdgeTable, memories: int, config: int, known: int, cycle: int
) -> AssociationGraph:
    """The graph of one rule set, out of a packed table: memories [0, known)."""
    ptr = table.ptr[config * memories : config * memories + known + 1]
    edges = slice(int(ptr[0]), int(ptr[-1]))
    return AssociationGraph(
        (ptr - ptr[0]).astype(np.int32), table.neighbor[edges].copy(), table.weight[edges].copy(),
        table.last_cycle[edges].copy(), table.bridge[edges].copy(), table.flags[edges].copy(),
        cycle,
    )  # fmt: skip
