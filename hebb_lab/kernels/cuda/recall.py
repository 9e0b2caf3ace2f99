"""Batched recall: candidates by a matrix product in float32, settled by exact products.

All nodes with an energy are candidates, so that no other node has more than its similarity; the
search for these is widened until rounding can have hidden none (see ``kernels.nearest``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from hebb_lab.kernels.arrays import nothing_found
from hebb_lab.kernels.cuda.buffers import as_found, nothing_yet, on_device
from hebb_lab.kernels.cuda.launch import staying_blocks
from hebb_lab.kernels.nearest import SPARE, rounding_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from hebb_lab.kernels.arrays import Found, QueryArrays
    from hebb_lab.kernels.cuda.launch import Launcher


class Asked(NamedTuple):
    """What some queries ask: vectors [N, d] and [Q, d], energies [C, Q, D], and who is barred."""

    vectors: Tensor
    asked: Tensor
    lit: Tensor
    energy: Tensor
    boost: Tensor
    barred_ptr: Tensor
    barred: Tensor

    def some(self, at: Tensor) -> Asked:
        """Some of the queries."""
        count = self.barred_ptr.diff()[at]
        pointer = torch.cat([count.new_zeros(1), count.cumsum(0)])
        owner = torch.repeat_interleave(torch.arange(len(at), device=at.device), count)
        place = torch.arange(len(owner), device=at.device) - pointer[owner]
        return self._replace(
            asked=self.asked[at].contiguous(), lit=self.lit[:, at].contiguous(),
            energy=self.energy[:, at].contiguous(), barred_ptr=pointer,
            barred=self.barred[self.barred_ptr[at][owner] + place].contiguous(),
        )  # fmt: skip


def recall(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], queries: QueryArrays, k: int, launcher: Launcher,
    memory_bytes: int,
) -> Found:  # fmt: skip
    """The best k by similarity + boost · energy, over all nodes; see Backend.recall."""
    found = nothing_found(len(boost), len(asked), k)
    if not (k and len(vectors) and len(asked) and len(boost)):
        return found
    everything = Asked(
        on_device(launcher, vectors, torch.float32), on_device(launcher, asked, torch.float32),
        on_device(launcher, energies.ids, torch.int32),
        on_device(launcher, energies.scores, torch.float32),
        on_device(launcher, boost, torch.float64),
        on_device(launcher, queries.exclude_ptr), on_device(launcher, queries.exclude_ids),
    )  # fmt: skip
    # a product and its key for each node, and as much again while the best are chosen
    room = min(memory_bytes, launcher.free_bytes()) // 2
    rows = max(room // (32 * len(vectors)), 1)
    rounding = _rounding(everything)
    for first in range(0, len(asked), rows):
        at = torch.arange(first, min(first + rows, len(asked)), device=launcher.device)
        ids, scores = _settled(everything.some(at), rounding[at], k, launcher, room)
        found.ids[:, first : first + rows], found.scores[:, first : first + rows] = ids, scores
    return found


def _settled(
    questions: Asked, rounding: Tensor, k: int, launcher: Launcher, memory_bytes: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Ids and scores [C, Q, k], searched wider until none can be better."""
    configs, asked, depth = questions.lit.shape
    ids, scores, _ = nothing_found(configs, asked, k)
    products = _products(questions)
    unsure = torch.arange(asked, device=launcher.device)
    nodes, width = products.shape[1], k + depth + SPARE
    while len(unsure):
        width = min(width, nodes)
        near, lowest = _nearest(products[unsure], width)
        found = _ranked(questions.some(unsure), near, k, launcher, memory_bytes)
        at = unsure.cpu().numpy()
        ids[:, at], scores[:, at] = found.ids, found.scores
        if width == nodes:
            break
        reach = (lowest.double() + rounding[unsure]).float().cpu().numpy()
        # a list that is not full ends in −inf, which any outsider beats
        sure = (reach[None, :] < found.scores[:, :, -1]).all(axis=0) | (reach == -np.inf)
        unsure = unsure[torch.from_numpy(~sure).to(unsure.device)]
        width *= 4
    return ids, scores


def _products(questions: Asked) -> Tensor:
    """[Q, N] similarities in float32, −inf where a node may not answer."""
    products = questions.asked @ questions.vectors.T
    # what overflows must not hide a node: no number counts as the greatest
    products.nan_to_num_(nan=torch.inf, posinf=torch.inf, neginf=torch.finfo(torch.float32).min)
    count = questions.barred_ptr.diff()
    owner = torch.repeat_interleave(torch.arange(len(count), device=count.device), count)
    products[owner, questions.barred.long()] = -torch.inf
    return products


def _rounding(questions: Asked) -> Tensor:
    """[Q] how far a product may be off, in float64.

    Where torch may round the factors too (TF32, bfloat16), by as much as that could cost.
    """
    longest = _lengths(questions.vectors).max()
    lengths = _lengths(questions.asked) * longest
    size = questions.vectors.shape[1]
    factors = 0.0 if torch.get_float32_matmul_precision() == "highest" else 2.0**-6
    # linear in the lengths but for what underflow loses
    return lengths * (rounding_of(size) + factors) + rounding_of(size, 0.0)


def _lengths(vectors: Tensor) -> Tensor:
    return torch.linalg.vector_norm(vectors, dim=1, dtype=torch.float64)


def _nearest(products: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """(the best nodes [Q, width], −1 where none is left; the least product among them [Q])."""
    best = torch.topk(products, width, dim=1)
    nodes = torch.where(best.values == -torch.inf, -1, best.indices)
    return nodes.to(torch.int32).contiguous(), best.values[:, -1]


def _ranked(questions: Asked, near: Tensor, k: int, launcher: Launcher, memory_bytes: int) -> Found:
    """The best k of the candidates, with exact products."""
    (configs, asked, depth), width = questions.lit.shape, near.shape[1]
    near_product = _exact(questions, near, launcher)
    lit_product = _exact(questions, questions.lit, launcher)
    tasks, columns = configs * asked, width + depth + 2 * k
    shape = staying_blocks(launcher, "recall", "rank_candidates", tasks, 8 * columns, memory_bytes)
    keys = torch.empty((shape.blocks, columns), dtype=torch.int64, device=launcher.device)
    ids, scores, edges = nothing_yet(launcher, configs, asked, k)
    launcher.launch(
        "recall", "rank_candidates", shape,
        [
            near, near_product, questions.lit, lit_product, questions.energy, questions.boost,
            questions.barred_ptr, questions.barred, ids, scores, keys,
            configs, asked, width, depth, k,
        ],
    )  # fmt: skip
    return as_found((ids, scores, edges))


def _exact(questions: Asked, candidates: Tensor, launcher: Launcher) -> Tensor:
    """Inner products of candidates [..., Q, width] with their queries, summed in float64."""
    products = torch.empty(candidates.shape, dtype=torch.float64, device=launcher.device)
    if products.numel():
        width, asked = candidates.shape[-1], len(questions.asked)
        shape = launcher.shape("recall", "inner_products")
        launcher.launch(
            "recall", "inner_products", shape._replace(blocks=min(products.numel(), 2**31 - 1)),
            [
                questions.vectors, questions.asked, candidates, products,
                products.numel() // width, width, asked, questions.vectors.shape[1],
            ],
        )  # fmt: skip
    return products
