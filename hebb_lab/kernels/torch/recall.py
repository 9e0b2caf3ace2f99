"""Batched recall: candidates by a float32 matrix product, settled in float64 by the tie rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hebb_lab.kernels.arrays import Found, QueryArrays, nothing_found
from hebb_lab.kernels.torch.frontier import pieces, positions_of
from hebb_lab.kernels.torch.rules import as_tensor
from hebb_lab.kernels.torch.segments import NOTHING, packed, unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

SPARE = 16  # nodes fetched beyond k, so that few searches must be widened


def recall(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], queries: QueryArrays, k: int, *, device: torch.device,
    memory_bytes: int,
) -> Found:  # fmt: skip
    """The best k by similarity + boost · energy; see Backend.recall.

    The order of float32 products near ties depends on how a matrix product sums. Therefore each
    candidate's product is summed anew in float64, and the search is widened until rounding can
    have hidden no better node: a float32 product of length d, summed in any order, is off by at
    most d · 2⁻²⁴ / (1 − d · 2⁻²⁴) · |x| · |y|. Nodes with an energy are candidates always.
    """
    found = nothing_found(len(boost), len(asked), k)
    nodes, configs, depth = len(vectors), len(boost), energies.ids.shape[2]
    if k == 0 or nodes == 0 or configs == 0:
        return found
    held, query = as_tensor(vectors, device), as_tensor(asked, device)
    world = _World(
        held, query, float(torch.linalg.vector_norm(held.double(), dim=1).max()),
        as_tensor(energies.ids, device, torch.int64), as_tensor(energies.scores, device),
        as_tensor(boost, device, torch.float64), as_tensor(queries.exclude_ptr, device),
        as_tensor(queries.exclude_ids, device, torch.int64),
    )  # fmt: skip
    width = vectors.shape[1]
    barred = int(world.exclude_ptr.diff().max()) if len(asked) else 0
    todo, fetch = torch.arange(len(asked), device=device), k + barred + SPARE
    while len(todo):
        fetch = min(fetch, nodes)
        vectors_read, ranked = fetch + configs * depth, configs * (fetch + depth)
        each = 8 * nodes + 16 * vectors_read * (width + 1) + 64 * ranked  # bytes a query takes
        unsure = []
        for first, stop in pieces(torch.full_like(todo, each), memory_bytes):
            part = todo[first:stop]
            ids, scores, sure = _settle(world, part, fetch, k)
            at = part.cpu().numpy()
            found.ids[:, at], found.scores[:, at] = ids.cpu().numpy(), scores.cpu().numpy()
            unsure.append(part[~sure])
        todo, fetch = torch.cat(unsure), 2 * fetch
    return found


class _World:
    """What all searches read, on the device."""

    def __init__(
        self, held: Tensor, asked: Tensor, longest: float, ids: Tensor, scores: Tensor,
        boost: Tensor, exclude_ptr: Tensor, exclude_ids: Tensor,
    ) -> None:  # fmt: skip
        self.held, self.asked, self.longest = held, asked, longest
        self.ids, self.scores, self.boost = ids, scores, boost
        self.exclude_ptr = exclude_ptr
        owner = torch.repeat_interleave(exclude_ptr.diff())
        self.barred = torch.sort(owner * len(held) + exclude_ids).values

    def is_barred(self, query: Tensor, node: Tensor) -> Tensor:
        return positions_of(query * len(self.held) + node.clamp(min=0), self.barred)[1]

    def exact(self, query: Tensor, node: Tensor) -> Tensor:
        """Inner products [q, n] in float64 of queries [q] with their nodes [q, n]."""
        # products of float32 numbers are exact in float64
        wide = self.held[node.clamp(min=0)].double()
        return (wide * self.asked[query].double()[:, None]).sum(-1)


def _settle(world: _World, query: Tensor, fetch: int, k: int) -> tuple[Tensor, Tensor, Tensor]:
    """(ids, scores [C, q, k], whether no node outside the candidates can belong to them [q])."""
    nodes, configs = len(world.held), len(world.boost)
    product, near = (world.asked[query] @ world.held.T).topk(fetch, dim=1)
    plain = world.exact(query, near).expand(configs, -1, -1)  # [C, q, fetch]
    lit, level = world.ids[:, query], world.scores[:, query].double()
    # a node with an energy stands among these, and no longer among the near ones
    ordered = torch.sort(lit, dim=2).values
    twice = torch.zeros_like(plain, dtype=torch.bool)
    if lit.shape[2]:
        place = torch.searchsorted(ordered, near.expand(configs, -1, -1).contiguous())
        twice = ordered.gather(2, place.clamp(max=lit.shape[2] - 1)) == near
    flat = lit.transpose(0, 1).reshape(len(query), -1)
    own = world.exact(query, flat).view(len(query), configs, -1).transpose(0, 1)
    lifted = own + world.boost[:, None, None] * torch.where(lit >= 0, level, 0.0)
    key = torch.cat([
        packed(plain, near.expand(configs, -1, -1)).masked_fill(
            twice | world.is_barred(query[:, None], near), NOTHING),
        packed(lifted, lit).masked_fill(
            (lit < 0) | world.is_barred(query[:, None], lit), NOTHING),
    ], dim=2)  # fmt: skip
    chosen = key.topk(min(k, key.shape[2]), dim=2).values
    if chosen.shape[2] < k:
        chosen = torch.nn.functional.pad(chosen, (0, k - chosen.shape[2]), value=NOTHING)
    scores, ids = unpacked(chosen)
    if fetch == nodes:
        return ids, scores, torch.ones_like(query, dtype=torch.bool)
    length = world.longest * torch.linalg.vector_norm(world.asked[query].double(), dim=1)
    slack = 1.01 * (world.held.shape[1] + 4) * 2.0**-24 * length
    ceiling = (product[:, -1].double() + slack).to(torch.float32)
    return ids, scores, (ceiling < scores[:, :, -1]).all(0)
