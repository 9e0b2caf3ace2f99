"""Rows as tensor operations: ragged ones expanded and cut, sums by key, rows put in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from torch import Tensor


def expand(start: Tensor, length: Tensor) -> tuple[Tensor, Tensor]:
    """(row, position) of each entry of n rows, row i being [start[i], start[i] + length[i]).

    >>> expand(torch.tensor([5, 0]), torch.tensor([2, 1]))
    (tensor([0, 0, 1]), tensor([5, 6, 0]))
    """
    row = torch.repeat_interleave(length)
    offset = start - (length.cumsum(0) - length)
    position = torch.arange(len(row), device=start.device) + offset[row]
    return row, position


def pieces(length: Tensor, most: int) -> list[tuple[int, int]]:
    """Cut n rows into runs [first, stop) of at most so many entries, one row at the least.

    >>> pieces(torch.tensor([3, 3, 9, 1]), 6)
    [(0, 2), (2, 3), (3, 4)]
    """
    if len(length) == 0:
        return []
    ends = length.cumsum(0)
    if int(ends[-1]) <= most:
        return [(0, len(length))]
    totals, found, first = ends.cpu().numpy(), [], 0
    while first < len(totals):
        spent = int(totals[first - 1]) if first else 0
        stop = max(int(np.searchsorted(totals, spent + most, side="right")), first + 1)
        found.append((first, stop))
        first = stop
    return found


def summed(key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """(distinct keys ascending, sums [U, C]) of rows [L, C] that carry a key; order is no matter.

    >>> summed(torch.tensor([7, 2, 7]), torch.tensor([[1.0], [2.0], [3.0]]))
    (tensor([2, 7]), tensor([[2.],
            [4.]]))
    """
    ordered, place = torch.sort(key)
    distinct, group = torch.unique_consecutive(ordered, return_inverse=True)
    return distinct, added(group, value.index_select(0, place), len(distinct))


def added(group: Tensor, value: Tensor, groups: int) -> Tensor:
    """Sums [groups, …] of rows that name their group."""
    zeros = torch.zeros((groups, *value.shape[1:]), dtype=value.dtype, device=value.device)
    return zeros.index_add(0, group, value)


def positions_of(key: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
    """(where each key stands in an ascending table, whether it does).

    >>> positions_of(torch.tensor([4, 9]), torch.tensor([1, 9]))
    (tensor([1, 1]), tensor([False,  True]))
    """
    if len(table) == 0:
        return torch.zeros_like(key), torch.zeros_like(key, dtype=torch.bool)
    place = torch.searchsorted(table, key).clamp(max=len(table) - 1)
    return place, table[place] == key


def merged(row: Tensor, target: Tensor) -> Tensor | None:
    """Groups of neighbouring entries with one row and one target; None where there is no pair.

    >>> merged(torch.tensor([0, 0, 1]), torch.tensor([3, 3, 3]))
    tensor([0, 0, 1])
    """
    fresh = torch.ones(len(row), dtype=torch.bool, device=row.device)
    fresh[1:] = (row[1:] != row[:-1]) | (target[1:] != target[:-1])
    return None if bool(fresh.all()) else fresh.cumsum(0) - 1


def zeros(rows: int, columns: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """[rows, columns] of zeros.

    On a processor it is NumPy's memory: NumPy asks the system for huge pages, torch does not, and
    10⁶ rows of 32 that come in any order take half the time to write (measured in float64).

    >>> zeros(1, 2, torch.int32, torch.device("cpu"))
    tensor([[0, 0]], dtype=torch.int32)
    """
    if device.type != "cpu":
        return torch.zeros((rows, columns), dtype=dtype, device=device)
    kind = torch.empty(0, dtype=dtype).numpy().dtype
    return torch.from_numpy(np.zeros((rows, columns), kind))


class EventRows:
    """[L, K] values that come some rows at a time, each row once."""

    def __init__(self, rows: int, columns: int, like: Tensor, carries_gradient: bool) -> None:
        self._place: list[Tensor] = []
        self._value: list[Tensor] = []
        self._carries = carries_gradient
        self._whole = zeros(rows, columns, like.dtype, like.device)

    def put(self, place: Tensor, value: Tensor) -> None:
        """Rows [n, K] at their places [n]."""
        if self._carries:
            self._place.append(place)
            self._value.append(value)
        else:
            self._whole.index_copy_(0, place, value)

    def whole(self) -> Tensor:
        """All rows; zeros where none came."""
        if not self._value:
            return self._whole
        return self._whole.index_copy(0, torch.cat(self._place), torch.cat(self._value))
