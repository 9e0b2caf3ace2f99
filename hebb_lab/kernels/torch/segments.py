"""Kernels over segments and lists, and the selection under the tie rule that walks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from hebb_lab.kernels.torch.frontier import expand, pieces
from hebb_lab.kernels.torch.rules import as_tensor

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    Ids = NDArray[np.int32]
    Offsets = NDArray[np.int64]
    Lists = tuple[Ids, Ids, Offsets]

NOTHING = torch.iinfo(torch.int64).min
WIDTH = 128  # of the rows that a selection is played out in
PAIR_BYTES = 64  # that counting takes for each pair of a list


def packed(score: Tensor, node: Tensor) -> Tensor:
    """Whole numbers, int64, that are in order as (score as float32, node) are.

    >>> packed(torch.tensor([-1.0, 0.5, 0.5]), torch.tensor([5, 1, 0])).argsort()
    tensor([0, 2, 1])
    """
    bits = (score.to(torch.float32) + 0.0).view(torch.int32)  # −0 is 0
    bits = bits ^ ((bits >> 31) & 0x7FFFFFFF)
    return (bits.to(torch.int64) << 32) | node.to(torch.int64)


def unpacked(key: Tensor) -> tuple[Tensor, Tensor]:
    """(score float32, node int32) of packed ones; (−inf, −1) for NOTHING."""
    bits = (key >> 32).to(torch.int32)
    score = (bits ^ ((bits >> 31) & 0x7FFFFFFF)).view(torch.float32)
    found = key != NOTHING
    node = (key & 0xFFFFFFFF).to(torch.int32)
    return torch.where(found, score, -torch.inf), torch.where(found, node, -1)


def best(key: Tensor, length: Tensor, k: int) -> Tensor:
    """The largest k of each of S segments, descending, [C, S, k], NOTHING past the end.

    A knock-out: each segment is laid out in rows of one width, the best k of each row go on, until
    one row is left. So no segment is padded to the length of the longest.

    Args:
        key: [C, L] int64.
        length: [S] of the segments, in order.
        k: how many.
    """
    configs, segments = len(key), len(length)
    width = max(WIDTH, 4 * k)
    while True:
        rows = (length + width - 1) // width
        rows = rows.clamp(min=1)
        laid = _in_rows(key, length, rows, width)  # [C, R, width]
        chosen = laid.topk(k, dim=2).values
        if len(rows) == chosen.shape[1]:
            return chosen.view(configs, segments, k)
        key, length = chosen.reshape(configs, -1), rows * k


def _in_rows(key: Tensor, length: Tensor, rows: Tensor, width: int) -> Tensor:
    start = length.cumsum(0) - length
    segment, row = expand(torch.zeros_like(rows), rows)
    place = (start[segment] + row * width)[:, None] + torch.arange(width, device=key.device)
    inside = place < (start + length)[segment][:, None]
    if key.shape[1] == 0:
        return torch.full((len(key), *place.shape), NOTHING, device=key.device)
    flat = place.clamp_(max=key.shape[1] - 1).view(-1)
    laid = key.index_select(1, flat).view(len(key), *place.shape)
    return laid.masked_fill_(~inside, NOTHING)


def ranked(value: Tensor, node: Tensor, segment: Tensor) -> tuple[Tensor, Tensor]:
    """(positions ordered by segment, then value and node descending; their ranks), [C, L] each.

    Args:
        value: [C, L] in any precision.
        node: [L].
        segment: [L] ascending.
    """
    high_first = torch.argsort(node, descending=True, stable=True)
    order = torch.argsort(value[:, high_first], dim=1, descending=True, stable=True)
    order = high_first[order]
    order = order.gather(1, torch.argsort(segment[order], dim=1, stable=True))
    rank = torch.arange(len(node), device=node.device) - torch.searchsorted(segment, segment)
    return order, rank.expand(value.shape)


def segment_top_k(
    values: NDArray[np.float64], ids: Ids, pointer: Offsets, k: int, *, device: torch.device
) -> Offsets:
    """Positions of the best k of each segment, [C, S, k]; see Backend.segment_top_k."""
    value, node = as_tensor(values, device), as_tensor(ids, device)
    length = as_tensor(pointer, device).diff()
    segment = torch.repeat_interleave(length)
    found = torch.full((len(value), len(length), k), -1, dtype=torch.int64, device=device)
    order, rank = ranked(value, node, segment)
    kept = rank[0] < k if len(value) else rank.new_zeros(len(node), dtype=torch.bool)
    found[:, segment[kept], rank[0][kept] if len(value) else kept.nonzero()[:, 0]] = order[:, kept]
    return found.cpu().numpy()


def pair_counts(ids: Ids, pointer: Offsets, *, device: torch.device, memory_bytes: int) -> Lists:
    """How many lists hold each pair: (a, b, count); see Backend.pair_counts."""
    node, ends = as_tensor(ids, device, torch.int64), as_tensor(pointer, device)
    owner = torch.repeat_interleave(ends.diff())
    size = int(node.max()) + 1 if len(node) else 1
    node = torch.sort(owner * size + node).values - owner * size if len(node) else node
    # each entry pairs with those after it in its list
    entry = torch.arange(len(node), device=device)
    later = ends[owner + 1] - entry - 1
    key, count = entry[:0], entry[:0]
    for first, stop in pieces(later, max(1, memory_bytes // PAIR_BYTES)):
        left, right = expand(entry[first:stop] + 1, later[first:stop])
        pair, times = torch.unique(node[left + first] * size + node[right], return_counts=True)
        key, group = torch.unique(torch.cat([key, pair]), return_inverse=True)
        count = torch.zeros_like(key).index_add(0, group, torch.cat([count, times]))
    a = torch.div(key, size, rounding_mode="floor")
    return (
        a.to(torch.int32).cpu().numpy(), (key - a * size).to(torch.int32).cpu().numpy(),
        count.cpu().numpy(),
    )  # fmt: skip


def intersect(
    ids: Ids, pointer: Offsets, left: Offsets, right: Offsets, *, device: torch.device,
    memory_bytes: int,
) -> tuple[Ids, Offsets]:  # fmt: skip
    """What pairs of lists have in common: (ids, pointer [P+1]); see Backend.intersect."""
    node, ends = as_tensor(ids, device, torch.int64), as_tensor(pointer, device)
    length, size = ends.diff(), int(node.max()) + 1 if len(node) else 1
    table = torch.repeat_interleave(length) * size + node  # ascending: by list, then id
    a, b = as_tensor(left, device), as_tensor(right, device)
    swap = length[a] > length[b]  # look the shorter list up in the longer
    a, b = torch.where(swap, b, a), torch.where(swap, a, b)
    common, count = [node[:0]], torch.zeros(len(a), dtype=torch.int64, device=device)
    for first, stop in pieces(length[a], max(1, memory_bytes // PAIR_BYTES)):
        pair, place = expand(ends[a[first:stop]], length[a[first:stop]])
        key = b[first:stop][pair] * size + node[place]
        hit = table[torch.searchsorted(table, key).clamp(max=len(table) - 1)] == key
        common.append(node[place[hit]])
        count.index_add_(0, pair[hit] + first, torch.ones_like(place[hit]))
    whole = torch.cat([count.new_zeros(1), count.cumsum(0)])
    return torch.cat(common).to(torch.int32).cpu().numpy(), whole.cpu().numpy()


def follow(after: Ids, start: Ids, steps: int, *, device: torch.device) -> Ids:
    """Where each chain leads, [S, steps]; see Backend.follow."""
    chain, node = as_tensor(after, device), as_tensor(start, device)
    found = torch.full((len(node), steps), -1, dtype=torch.int32, device=device)
    for step in range(steps):
        node = torch.where(node >= 0, chain[node.clamp(min=0).long()], -1) if len(chain) else node
        found[:, step] = node
    return found.cpu().numpy()
