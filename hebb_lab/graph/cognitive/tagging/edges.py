"""Which tag foretells which: directed edges by spike-timing-dependent plasticity."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.tagging.events import Followed
    from hebb_lab.records import Lists


class EdgeTable(NamedTuple):
    """Each directed edge, by source, then by target."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    weight: NDArray[np.float32]  # in [0, 1]; 0 for an edge that was only ever weakened
    last_ms: NDArray[np.int64]  # since 1970, when it changed last
    changes: NDArray[np.int32]  # how often


class Foretold(NamedTuple):
    """For each of S lists of tags, under C rule sets, the heaviest edge from its query's context.

    [S, C] each: the weight, 0 where there is none; which of the context; which of the lists' tags.
    """

    weight: NDArray[np.float32]
    sender: NDArray[np.int64]
    receiver: NDArray[np.int64]


class TagEdges:
    """Directed edges between T tags, under C rule sets at once.

    When tag a comes before tag b by a gap: w(a→b) += A+·e^(−gap/τ), then w(b→a) −= A−·e^(−gap/τ),
    clamped to [0, 1]. An edge that is not there yet starts at 0, so that one that is first weakened
    stands with weight 0. No edge fades or is dropped.

    Args:
        tags: T.
        rules: [3, C] float64: A+, A−, τ in ms.
    """

    def __init__(self, tags: int, rules: NDArray[np.float64]) -> None:
        self._rules = rules
        self._ptr = np.zeros(tags + 1, np.int64)
        self._target = np.zeros(0, np.int32)
        self._weight = np.zeros((0, rules.shape[1]), np.float32)
        self._last_ms = np.zeros(0, np.int64)
        self._changes = np.zeros(0, np.int32)

    def learn(self, followed: Followed) -> None:
        """Change both edges of each pair, one pair after another."""
        from hebb_lab.kernels.cpu.plasticity.timing import learn_timing

        before, after = followed.before.astype(np.int64), followed.after.astype(np.int64)
        key = np.stack([before << 32 | after, after << 32 | before], axis=1).ravel()
        order = np.argsort(key, kind="stable")
        key = key[order]
        start = np.flatnonzero(np.diff(key, prepend=-1))
        place = self._room_for(key[start])
        bounds = np.append(start, len(key))
        weight = self._weight[place]
        learn_timing(bounds, followed.gap_ms[order // 2], order % 2 == 0, self._rules, weight)
        self._weight[place] = weight
        self._changes[place] += np.diff(bounds).astype(np.int32)
        self._last_ms[place] = followed.at_ms[order // 2][bounds[1:] - 1]

    def foretold(self, context: Lists, list_ptr: NDArray[np.int64], lists: Lists) -> Foretold:
        """The heaviest edge from the context of each of Q queries into each of its lists.

        Args:
            context: tags of each query; of equally heavy edges that of the first of them is taken.
            list_ptr: [Q+1] into the lists.
            lists: S lists of tags.
        """
        from hebb_lab.kernels.cpu.plasticity.timing import best_edges

        return Foretold(
            *best_edges(
                self._ptr, self._target, self._weight, (context.ptr, context.ids),
                (list_ptr, lists.ptr, lists.ids),
            )
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self._target)

    def byte_count(self) -> int:
        """Under one rule set: 20 bytes an edge, 8 a tag."""
        return self._ptr.nbytes + len(self) * 20

    def edges(self, config: int) -> EdgeTable:
        """The edges under one rule set, as files hold them."""
        source = np.repeat(np.arange(len(self._ptr) - 1, dtype=np.int32), np.diff(self._ptr))
        return EdgeTable(
            source, self._target, self._weight[:, config], self._last_ms, self._changes
        )

    def _room_for(self, key: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the edges of ascending keys lie; those that were not there are put in at 0."""
        tags = len(self._ptr) - 1
        held = np.repeat(np.arange(tags, dtype=np.int64), np.diff(self._ptr)) << 32 | self._target
        at = np.searchsorted(held, key)
        is_new = np.ones(len(key), np.bool_)
        inside = at < len(held)
        is_new[inside] = held[at[inside]] != key[inside]
        new = at[is_new]
        self._target = np.insert(self._target, new, key[is_new].astype(np.int32))
        self._weight = np.insert(self._weight, new, np.float32(0), axis=0)
        self._last_ms = np.insert(self._last_ms, new, 0)
        self._changes = np.insert(self._changes, new, 0)
        grown = np.bincount(key[is_new] >> 32, minlength=tags)
        self._ptr = self._ptr + np.concatenate([[0], np.cumsum(grown)])
        return at + np.cumsum(is_new) - is_new
