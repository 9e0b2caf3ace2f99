"""Exact search on a device: vectors lie there in blocks, and candidates come back to be settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.kernels.nearest import none_better_outside, rounding_of
from hebb_lab.memory.state.search.settling import Best, nothing_found, settle
from hebb_lab.memory.state.vectors import Floats

if TYPE_CHECKING:
    import torch

    from hebb_lab.memory.state.memories import State

_QUERIES = 1024  # looked up at once
_SPARE = 16  # candidates beyond what is wanted, so that few searches must be widened


class DeviceSearch:
    """The vectors of a state on a device of torch.

    A block is sent again when it was written to, so nothing of a forgotten memory stays there once
    the next search begins, or ``follow`` is called.

    Args:
        device: as torch names it.
    """

    def __init__(self, device: str) -> None:
        self.device = device
        self._blocks: list[torch.Tensor] = []
        self._versions: list[int] = []

    def follow(self, state: State) -> None:
        """Send the blocks that have changed."""
        import torch

        for number, (_, block) in enumerate(state.vectors.blocks()):
            version = state.vectors.versions[number]
            if number == len(self._blocks):
                self._blocks.append(torch.empty(0))
                self._versions.append(-1)
            if self._versions[number] != version:
                self._blocks[number] = torch.from_numpy(block).to(self.device, copy=True)
                self._versions[number] = version

    def search(self, state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None) -> Best:
        """Rows and cosines [Q, k], exactly as ``exact.nearest_exact`` finds them."""
        self.follow(state)
        found = nothing_found(len(queries), k)
        usable = state.alive & state.has_vector
        if rows is not None:
            within = np.zeros(state.count, np.bool_)
            within[rows] = True
            usable &= within
        total = int(usable.sum())
        for first in range(0, len(queries), _QUERIES):
            part = np.ascontiguousarray(queries[first : first + _QUERIES], np.float32)
            out = found[0][first : first + _QUERIES], found[1][first : first + _QUERIES]
            unsure, fetch = np.arange(len(part)), k + _SPARE
            while len(unsure) and fetch < total:
                unsure = self._settled(state, part, unsure, fetch, usable, out)
                fetch *= 4
            if len(unsure):
                best = nothing_found(len(unsure), k)
                settle(state, part[unsure], [np.flatnonzero(usable)] * len(unsure), best)
                out[0][unsure], out[1][unsure] = best
        return found

    def _settled(
        self, state: State, queries: Floats, asked: NDArray[np.int64], fetch: int,
        usable: NDArray[np.bool_], out: Best,
    ) -> NDArray[np.int64]:  # fmt: skip
        """Settle some queries from so many candidates; those come back that need more."""
        products, places = self._candidates(queries[asked], fetch, usable)
        best = nothing_found(len(asked), out[0].shape[1])
        settle(state, queries[asked], list(places), best)
        out[0][asked], out[1][asked] = best
        lengths = np.linalg.norm(queries[asked].astype(np.float64), axis=1)
        sure = [
            none_better_outside(len(scores), scores, lowest, rounding_of(state.dimensions, length))
            for scores, lowest, length in zip(
                best[1], products.min(axis=1).tolist(), lengths * state.vectors.longest, strict=True
            )
        ]
        unsure: NDArray[np.int64] = asked[~np.array(sure)]
        return unsure

    def _candidates(
        self, queries: Floats, fetch: int, usable: NDArray[np.bool_]
    ) -> tuple[Floats, NDArray[np.int64]]:
        """Products and rows [Q, fetch] of the greatest products, in any order."""
        import torch

        asked = torch.from_numpy(queries).to(self.device)
        counts = torch.from_numpy(usable).to(self.device)
        products = torch.empty(len(queries), 0, device=self.device)
        places = torch.empty(len(queries), 0, dtype=torch.int64, device=self.device)
        first = 0
        for block in self._blocks:
            stop = first + len(block)
            more = (asked @ block.T).masked_fill(~counts[first:stop], -torch.inf)
            value, place = more.topk(min(fetch, len(block)), dim=1)
            products = torch.cat([products, value], dim=1)
            places = torch.cat([places, place + first], dim=1)
            if products.shape[1] > fetch:
                products, chosen = products.topk(fetch, dim=1)
                places = places.gather(1, chosen)
            first = stop
        return products.cpu().numpy(), places.cpu().numpy()
