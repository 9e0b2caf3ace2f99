"""What layers found goes into the lists of direct search: added, kept or raised, and cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.cognitive.lists import PIECE, Lists, empty_lists, insert
from hebb_lab.kernels.cpu.compile import ZERO, in_workers, kernel, part, pieces_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

LISTED, OFFERED, CHOSEN = np.int8(1), np.int8(2), np.int8(4)


class Offers(NamedTuple):
    """What L layers offer Q queries.

    ptr: [L, Q+1] into memory (int32) and energy (float32), those of one query distinct within a
    layer. weight: [L] float64, energies × this. adds_similarity: [L] bool, whether a candidate
    counts its own similarity too. reranks: [L] bool, whether the layer raises what is listed and
    adds nothing.
    """

    ptr: NDArray[np.int64]
    memory: NDArray[np.int32]
    energy: NDArray[np.float32]
    weight: NDArray[np.float64]
    adds_similarity: NDArray[np.bool_]
    reranks: NDArray[np.bool_]


class Room(NamedTuple):
    """What a thread merges in: [N] each; marks are 0 and count is 0 between queries."""

    mark: NDArray[np.int8]
    best: NDArray[np.float64]  # of several layers, with its own similarity where they add it
    total: NDArray[np.float64]  # sum of energies
    bonus: NDArray[np.float64]  # of layers that rerank
    similar: NDArray[np.int8]  # whether a layer adds its similarity
    touched: NDArray[np.int32]

    @classmethod
    def of(cls, memories: int) -> Room:
        """Room for so many memories."""
        return cls(
            np.zeros(memories, np.int8), np.zeros(memories), np.zeros(memories),
            np.zeros(memories), np.zeros(memories, np.int8), np.zeros(memories, np.int32),
        )  # fmt: skip


def merged_lists(
    direct: Lists, scores: NDArray[np.float32], similarity: NDArray[np.float32],
    allowed: NDArray[np.bool_], offers: Offers, expanded: NDArray[np.bool_],
    rank: NDArray[np.int32], sums: bool, raises: bool, depth: int,
) -> tuple[Lists, NDArray[np.int32]]:  # fmt: skip
    """Lists with what the layers offer, and how many new candidates each layer offered, [L, Q].

    A memory that is not listed enters with its energy: the best of several layers, or their sum.
    One that is listed stays as it is; where it is raised it gets the better of its score and the
    energy, or their sum; an unlisted one that direct search scored counts that score in the same
    way, and not its similarity once more. What reranking layers give is added to a listed memory's
    score always, expanded or not. Energies that are not above 0 offer nothing.

    Args:
        direct: lists of direct search.
        scores: [Q, n] of all memories that are known, −inf where direct search finds none.
        similarity: [Q, n] of their own.
        allowed: [Q, n]; others are no candidates.
        offers: of the layers; a memory from n on is not known, and no candidate.
        expanded: [Q] whether the query is expanded at all.
        rank: [N ≥ n].
        sums: energies of several layers are summed; else the best counts.
        raises: listed memories are raised.
        depth: how many are kept.
    """
    layers, queries = len(offers.weight), len(direct.memory)
    lists, found = empty_lists(queries, depth), np.zeros((layers, queries), np.int32)

    def work(room: Room, first: int, stop: int) -> None:
        _merge(
            first, stop, direct, scores, similarity, allowed, offers, expanded, rank, sums, raises,
            room, lists, found,
        )  # fmt: skip

    in_workers(lambda: Room.of(scores.shape[1]), work, pieces_of(queries, PIECE))
    return lists, found


def count_listed(
    direct: Lists, final: Lists, offers: Offers, expanded: NDArray[np.bool_], known: int
) -> NDArray[np.int32]:
    """How many of the candidates that each layer added are in the final lists, [L, Q]."""
    listed = np.zeros((len(offers.weight), len(final.memory)), np.int32)

    def work(mark: NDArray[np.int8], first: int, stop: int) -> None:
        _count(first, stop, direct.memory, final.memory, offers, expanded, mark, listed)

    in_workers(lambda: np.zeros(known, np.int8), work, pieces_of(len(final.memory), PIECE))
    return listed


@kernel
def _merge(
    first: Any, stop: Any, direct: Any, scores: Any, similarity: Any, allowed: Any, offers: Any,
    expanded: Any, rank: Any, sums: Any, raises: Any, room: Any, lists: Any, found: Any,
) -> None:  # fmt: skip
    for q in range(first, stop):
        touched = ZERO
        for i in range(direct.memory.shape[1]):
            m = direct.memory[q, i]
            if m < 0:
                break
            room.mark[m] = LISTED
            room.touched[touched] = m
            touched += 1
        touched = _gather(q, similarity, allowed, offers, expanded[q], room, touched, found)
        held = ZERO
        for i in range(touched):
            m = room.touched[i]
            value = _value(
                scores[q, m], similarity[q, m], room.mark[m], room.best[m], room.total[m],
                room.bonus[m], room.similar[m], sums, raises,
            )  # fmt: skip
            held = insert(m, np.float32(value), held, rank, lists.memory[q], lists.score[q])
            room.mark[m], room.similar[m] = 0, 0
            room.best[m], room.total[m], room.bonus[m] = 0.0, 0.0, 0.0


@part
def _gather(
    q: Any,
    similarity: Any,
    allowed: Any,
    offers: Any,
    expanded: Any,
    room: Any,
    touched: Any,
    found: Any,
) -> Any:
    """Take in what all layers offer one query."""
    for layer in range(len(offers.weight)):
        if not (expanded or offers.reranks[layer]):
            continue
        for i in range(offers.ptr[layer, q], offers.ptr[layer, q + 1]):
            m = offers.memory[i]
            energy = offers.energy[i] * offers.weight[layer]
            if m >= allowed.shape[1] or not energy > 0.0 or not allowed[q, m]:
                continue
            if offers.reranks[layer]:
                if room.mark[m] & LISTED:
                    room.bonus[m] += energy
                continue
            if room.mark[m] == 0:
                room.touched[touched] = m
                touched += 1
            if not room.mark[m] & LISTED:
                found[layer, q] += 1
            room.mark[m] |= OFFERED
            room.total[m] += energy
            if offers.adds_similarity[layer]:
                room.similar[m] = 1
                energy += similarity[q, m]
            room.best[m] = max(room.best[m], energy)
    return touched


@part
def _value(
    score: Any, similarity: Any, mark: Any, best: Any, total: Any, bonus: Any, similar: Any,
    sums: Any, raises: Any,
) -> Any:  # fmt: skip
    """The score of one candidate."""
    own = np.float64(score)
    if mark == LISTED or (mark & LISTED and not raises):
        return own + bonus
    if not sums:
        return (max(own, best) if raises else best) + bonus
    if raises:
        return (own if own > -np.inf else 0.0) + total + bonus
    return total + (similarity if similar else 0.0) + bonus


@kernel
def _count(
    first: Any,
    stop: Any,
    direct: Any,
    final: Any,
    offers: Any,
    expanded: Any,
    mark: Any,
    listed: Any,
) -> None:
    for q in range(first, stop):
        if not expanded[q]:
            continue
        for i in range(final.shape[1]):
            if final[q, i] >= 0:
                mark[final[q, i]] = CHOSEN
        for i in range(direct.shape[1]):
            if direct[q, i] >= 0:
                mark[direct[q, i]] = 0
        for layer in range(len(offers.weight)):
            for i in range(offers.ptr[layer, q], offers.ptr[layer, q + 1]):
                m = offers.memory[i]
                if m < len(mark) and mark[m] == CHOSEN:
                    energy = offers.energy[i] * offers.weight[layer]
                    if energy > 0.0 and not offers.reranks[layer]:
                        listed[layer, q] += 1
        for i in range(final.shape[1]):
            if final[q, i] >= 0:
                mark[final[q, i]] = 0
