"""How many neighbours the two ends of an edge have in common, compiled."""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import Any

from hebb_lab.kernels.cpu.compile import ZERO, step


@step
def shared_neighbors(table: Any, one: int, other: int) -> int:
    """How many memories both rows lead to; the neighbours of a row ascend."""
    i, i_stop = table.ptr[one], table.ptr[one] + table.length[one]
    j, j_stop = table.ptr[other], table.ptr[other] + table.length[other]
    count = ZERO
    while i < i_stop and j < j_stop:
        a, b = table.neighbor[i], table.neighbor[j]
        if a == b:
            count += 1
        i += 1 if a <= b else 0
        j += 1 if b <= a else 0
    return count


@step
def place_in(table: Any, row: int, memory: int) -> int:
    """Where a row holds a neighbour; −1 where it does not."""
    low, high = table.ptr[row], table.ptr[row] + table.length[row]
    end = high
    while low < high:
        middle = (low + high) >> 1
        if table.neighbor[middle] < memory:
            low = middle + 1
        else:
            high = middle
    return low if low < end and table.neighbor[low] == memory else ZERO - 1
