"""Kernels over segments and lists. All are bit-identical from run to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.cuda.buffers import on_device
from hebb_lab.kernels.cuda.launch import for_each, staying_blocks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

    from hebb_lab.kernels.cuda.launch import Launcher

    Floats = NDArray[np.float64]
    Ids = NDArray[np.int32]
    Offsets = NDArray[np.int64]

PAIR_BYTES = 48  # a pair's key, what sorting it takes, and its count


def segment_top_k(
    values: Floats, ids: Ids, pointer: Offsets, k: int, launcher: Launcher, memory_bytes: int
) -> Offsets:
    """Positions of the best k of each segment, [C, S, k]."""
    configs, segments, where = len(values), len(pointer) - 1, launcher.device
    places = torch.full((configs, segments, k), -1, dtype=torch.int64, device=where)
    if places.numel():
        shape = staying_blocks(
            launcher, "segments", "segment_top_k", configs * segments, 8 * k, memory_bytes
        )
        kept = torch.empty((shape.blocks, k), dtype=torch.int64, device=where)
        launcher.launch(
            "segments", "segment_top_k", shape,
            [
                on_device(launcher, values, torch.float64), on_device(launcher, ids, torch.int32),
                on_device(launcher, pointer), places, kept, configs, segments, len(ids), k,
            ],
        )  # fmt: skip
    return as_numpy(places)


def pair_counts(
    ids: Ids, pointer: Offsets, launcher: Launcher, memory_bytes: int
) -> tuple[Ids, Ids, Offsets]:
    """How many lists hold each pair: (a, b, count), by as many pairs at a time as memory holds."""
    members, starts = on_device(launcher, ids, torch.int32), on_device(launcher, pointer)
    length = starts.diff()
    before = _pointer(length * (length - 1) // 2)
    total = int(before[-1])
    at_once = max(min(memory_bytes, launcher.free_bytes()) // PAIR_BYTES, 1)
    keys = torch.empty(0, dtype=torch.int64, device=launcher.device)
    counts = keys.clone()
    for first in range(0, total, at_once):
        size = min(at_once, total - first)
        pairs = torch.empty(size, dtype=torch.int64, device=launcher.device)
        for_each(
            launcher, "lists", "list_pairs", size,
            [members, starts, before, pairs, len(length), first, size],
        )  # fmt: skip
        fresh, fresh_counts = torch.unique(pairs, return_counts=True)
        keys, counts = _merged(keys, counts, fresh, fresh_counts)
    left, right = (keys >> 32).to(torch.int32), (keys & (2**32 - 1)).to(torch.int32)
    return as_numpy(left), as_numpy(right), as_numpy(counts)


def intersect(
    ids: Ids, pointer: Offsets, left: Offsets, right: Offsets, launcher: Launcher
) -> tuple[Ids, Offsets]:
    """What pairs of lists have in common: entries of the shorter are looked up in the longer."""
    members, starts = on_device(launcher, ids, torch.int32), on_device(launcher, pointer)
    one, other = on_device(launcher, left), on_device(launcher, right)
    length = starts.diff()
    shorter = torch.where(length[one] <= length[other], one, other)
    longer = one + other - shorter
    entries = _pointer(length[shorter])
    total = int(entries[-1])
    place = torch.empty(total, dtype=torch.int64, device=launcher.device)
    is_common = torch.empty(total, dtype=torch.uint8, device=launcher.device)
    for_each(
        launcher, "lists", "common_entries", total,
        [members, starts, shorter, longer, entries, place, is_common, len(one), total],
    )  # fmt: skip
    upto = _pointer(is_common.to(torch.int64))
    return as_numpy(members[place[is_common.bool()]]), as_numpy(upto[entries])


def follow(after: Ids, start: Ids, steps: int, launcher: Launcher) -> Ids:
    """Where each chain leads, [S, steps]."""
    out = torch.empty((len(start), steps), dtype=torch.int32, device=launcher.device)
    for_each(
        launcher, "lists", "follow", len(start),
        [on_device(launcher, after, torch.int32), on_device(launcher, start, torch.int32), out,
         len(start), steps],
    )  # fmt: skip
    return as_numpy(out)


def _pointer(counts: Tensor) -> Tensor:
    """[S + 1] how many come before each of S, and in all."""
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)])


def _merged(keys: Tensor, counts: Tensor, more: Tensor, more_counts: Tensor) -> tuple[Tensor, ...]:
    """Ascending keys of both, with their counts added."""
    if not len(keys):
        return more, more_counts
    both, place = torch.unique(torch.cat([keys, more]), return_inverse=True)
    sums = torch.zeros_like(both).index_add_(0, place, torch.cat([counts, more_counts]))
    return both, sums
