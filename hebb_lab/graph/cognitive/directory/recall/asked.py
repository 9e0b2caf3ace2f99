"""The entities that queries start from, and what the memories found through them are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import CUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.stream import Stream
    from hebb_lab.graph.cognitive.layer import Cues, Seeds
    from hebb_lab.records import Lists


class Asked(NamedTuple):
    """Entities of each of Q queries: known, canonical, distinct, in the order in which named."""

    ptr: NDArray[np.int64]  # [Q+1]
    entity: NDArray[np.int32]
    score: NDArray[np.float64]  # [Q] of the best seed; 1 where there is none
    origin: NDArray[np.int32]  # [Q] CUE, or the seed whose entities these are


def asked(
    seeds: Seeds, cues: Cues, stream: Stream, canonical: NDArray[np.int32], *, top_result: bool
) -> Asked:
    """What queries start from.

    Args:
        seeds: of each query, best first.
        cues: entities as ids of ``Memories``.
        stream: dense ids of those.
        canonical: [known] the entity that stands for each; later ones are not known.
        top_result: the entities that the best seed mentions, in place of the query's own.
    """
    has_seed = np.diff(seeds.ptr) > 0
    best = np.zeros(len(seeds), np.int64)
    best[has_seed] = seeds.ptr[:-1][has_seed]
    score = np.ones(len(seeds))
    score[has_seed] = seeds.score[best[has_seed]]
    origin = np.full(len(seeds), CUE, np.int32)
    if top_result:
        origin[has_seed] = seeds.memory[best[has_seed]]
        rows = stream.mentions.some(origin[has_seed])
        counts = np.zeros(len(seeds), np.int64)
        counts[has_seed] = np.diff(rows.ptr)
        query, entity = np.repeat(np.arange(len(seeds)), counts), rows.ids
    else:
        named: Lists = cues.entities
        query = np.repeat(np.arange(len(seeds)), np.diff(named.ptr))
        entity = stream.number[named.ids] if len(named.ids) else named.ids
    is_known = (entity >= 0) & (entity < len(canonical))
    query, entity = query[is_known], canonical[entity[is_known]]
    place = np.sort(np.unique(query << 32 | entity, return_index=True)[1])
    ptr = np.searchsorted(query[place], np.arange(len(seeds) + 1)).astype(np.int64)
    return Asked(ptr, entity[place].astype(np.int32), score, origin)
