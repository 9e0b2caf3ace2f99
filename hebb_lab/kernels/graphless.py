"""Kernels that read no graph, with one signature: input is checked here, whatever computes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.kernels.checks import graphs, memories, walks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import Found, QueryArrays
    from hebb_lab.kernels.interface import Kernels
    from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays


class GraphlessBackend:
    """The part of a Backend that ranks, lists and decays without a graph."""

    kernels: Kernels

    def decay_scores(
        self, stored: MemoryArrays, rules: RetentionArrays, now_us: int
    ) -> NDArray[np.float32]:
        """What is left of N memories under C configurations, [N, C] float32.

        score = importance · 2^(−max(now − anchor, 0) / (half_life · (1 + gain · importance)))
        · (1 + log2(1 + min(n, cap)) / log2(1 + cap)), n accesses (hebbs.md §3). Importance 0
        leaves 0; cap 0 leaves the last factor out. Computed in float64 under any precision. On
        torch and cuda the result is a tensor, on torch with gradients in half-lives and gains.

        Args:
            stored: the memories, [N] each; ``place`` puts them where the kernel reads them.
            rules: of decay, [C] each.
            now_us: the time of the sweep, µs since 1970.

        Raises:
            InputError: importance outside [0, 1], a time before 1970, a negative count, shapes
                that do not fit.
            ConfigError: a half-life that is not above 0, a negative gain or cap.
        """
        memories.check_memories(stored)
        memories.check_retention(rules, now_us)
        return self.kernels.decay_scores(stored, rules, int(now_us))

    def recall(
        self, vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
        boost: NDArray[np.float64], queries: QueryArrays, k: int,
    ) -> Found:  # fmt: skip
        """Batched recall: the best k by similarity + boost · energy, over all nodes.

        Inner products are summed in float64 over float32 vectors; the sum with the energy is
        rounded to float32 once. Every node that is not excluded ranks, whatever its sign.

        Args:
            vectors: [N, d] float32 of the nodes.
            asked: [Q, d] float32 of the queries.
            energies: of the graph, [C, Q, depth]; a node that is not in it has none.
            boost: [C].
            queries: names what each query excludes.
            k: how many.

        Raises:
            InputError: vectors that are not finite, shapes that do not fit, ids out of range.
        """
        walks.check_recall(vectors, asked, energies, boost, queries, k)
        return self.kernels.recall(vectors, asked, energies, boost, queries, k)

    def segment_top_k(
        self, values: NDArray[np.float64], ids: NDArray[np.int32], pointer: NDArray[np.int64],
        k: int,
    ) -> NDArray[np.int64]:  # fmt: skip
        """Positions of the best k of each segment, by (value, id), both descending: a degree cap.

        Args:
            values: [C, L].
            ids: [L], distinct in a segment.
            pointer: [S+1], segment s is [pointer[s], pointer[s+1]).
            k: how many.

        Returns:
            [C, S, k] positions in [0, L), −1 past the end.

        Raises:
            InputError: values that are not finite, a pointer that does not fit.
        """
        graphs.check_segments(values, ids, pointer, k)
        return self.kernels.segment_top_k(values, ids, pointer, k)

    def pair_counts(
        self, ids: NDArray[np.int32], pointer: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """How many lists hold each pair: (a, b, count), a < b, ordered by a, then b.

        ``ids`` [L] are not negative, distinct in a list, in any order; ``pointer`` is [S+1].

        Raises:
            InputError: a pointer that does not fit, a negative id.
        """
        graphs.check_lists(ids, pointer, ascending=False)
        return self.kernels.pair_counts(ids, pointer)

    def intersect(
        self, ids: NDArray[np.int32], pointer: NDArray[np.int64], left: NDArray[np.int64],
        right: NDArray[np.int64],
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:  # fmt: skip
        """What the lists left[p] and right[p] have in common: (ids, pointer [P+1]), ascending.

        ``ids`` [L] ascend and are distinct in a list; ``left`` and ``right`` [P] number lists.

        Raises:
            InputError: a pointer that does not fit, a list that does not ascend, no such list.
        """
        graphs.check_lists(ids, pointer, ascending=True)
        graphs.check_pairs(left, right, len(pointer) - 1)
        return self.kernels.intersect(ids, pointer, left, right)

    def follow(
        self, after: NDArray[np.int32], start: NDArray[np.int32], steps: int
    ) -> NDArray[np.int32]:
        """Where each chain leads: [S, steps] nodes 1, 2, … steps after the start, −1 past its end.

        ``after`` [N] is the next node, −1 for none; a ring is walked round. ``start`` is [S].

        Raises:
            InputError: an id out of range.
        """
        graphs.check_chains(after, start, steps)
        return self.kernels.follow(after, start, steps)
