"""Which tag came before which, by how much: from what is written, and from what is recalled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.records import Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Memories

AT_A_TIME = 1 << 20  # pairs of tags; about 60 bytes each while they are learned
RECALL_RESULTS = 5  # results of a recall whose tags follow each other
RECALL_TAGS = 8  # of them, at most so many tags
RECALL_COUNTED = 10  # tags of a recall that count as together
RANK_MS = 1000  # one rank stands for a second


class Followed(NamedTuple):
    """Pairs of tags, the earlier and the later, in the order in which they are learned."""

    before: NDArray[np.int32]
    after: NDArray[np.int32]
    gap_ms: NDArray[np.float64]  # from 0 up
    at_ms: NDArray[np.int64]  # when the later one came


def previous_in_session(memories: Memories) -> NDArray[np.int32]:
    """[N] the memory written just before in the same session; −1 for a session's first."""
    order = np.argsort(memories.session, kind="stable").astype(np.int32)
    same = np.flatnonzero(np.diff(memories.session[order]) == 0)
    previous = np.full(len(memories), -1, np.int32)
    previous[order[same + 1]] = order[same]
    return previous


def followed_in_writing(
    tags: Lists, time_us: NDArray[np.int64], previous: NDArray[np.int32], first: int, stop: int
) -> Iterator[Followed]:
    """Each tag of a memory after each tag of the one before in its session, with their real gap.

    In the order of writing, then of the earlier one's tags, then of the later one's. The tags of
    one memory came at the same time and do not follow each other; a tag does not follow itself.

    Args:
        tags: of each memory, every tag once.
        time_us: [N].
        previous: [N].
        first: memories [first, stop) are the later ones.
        stop: see first.
    """
    later = np.arange(first, stop)
    later = later[previous[later] >= 0]
    earlier = previous[later]
    size = np.diff(tags.ptr)
    pairs = size[earlier] * size[later]
    part = np.cumsum(pairs) // AT_A_TIME
    for start, end in _runs(part):
        yield _pairs(tags, time_us, earlier[start:end], later[start:end], pairs[start:end])


def _runs(values: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Where runs of equal values begin and end."""
    bounds = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    yield from ((a, b) for a, b in pairwise(bounds) if a < b)


def _pairs(
    tags: Lists, time_us: NDArray[np.int64], earlier: NDArray[np.int32], later: NDArray[np.int64],
    pairs: NDArray[np.int64],
) -> Followed:  # fmt: skip
    row = np.repeat(np.arange(len(later)), pairs)
    within = np.arange(len(row)) - (np.cumsum(pairs) - pairs)[row]
    width = np.diff(tags.ptr)[later][row]
    before = tags.ids[tags.ptr[earlier][row] + within // np.maximum(width, 1)]
    after = tags.ids[tags.ptr[later][row] + within % np.maximum(width, 1)]
    differ = before != after
    gap_ms = (time_us[later] - time_us[earlier])[row] / 1000.0
    return Followed(
        before[differ], after[differ], gap_ms[differ], (time_us[later] // 1000)[row][differ]
    )


def followed_in_recall(
    tags: Lists, recalled: NDArray[np.integer], time_us: NDArray[np.int64] | None
) -> Followed:
    """Each tag of a recall after the one before it, with its result's rank as its time.

    Of the first 5 results of each recall the tags that were not there yet, in order, at most 8;
    a rank is a second, so that tags of one result have no gap.

    Args:
        tags: of each memory.
        recalled: [n, k] memories, best first; −1 past the end.
        time_us: [n] of each recall; None: 0.
    """
    before, after, gap, at = [], [], [], []
    for i, results in enumerate(recalled[:, :RECALL_RESULTS].tolist()):
        start = 0 if time_us is None else int(time_us[i]) // 1000
        seen: dict[int, int] = {}
        for rank, memory in enumerate(results):
            for tag in tags.row(memory).tolist() if memory >= 0 else ():
                if tag not in seen and len(seen) < RECALL_TAGS:
                    seen[tag] = rank * RANK_MS
        ordered = list(seen.items())
        for (one, early), (other, late) in pairwise(ordered):
            before.append(one)
            after.append(other)
            gap.append(float(late - early))
            at.append(start + late)
    return Followed(
        np.array(before, np.int32), np.array(after, np.int32), np.array(gap, np.float64),
        np.array(at, np.int64),
    )  # fmt: skip


def together_in_recall(tags: Lists, recalled: NDArray[np.integer]) -> Lists:
    """The first 10 distinct tags of the results of each of n recalls."""
    rows = []
    for results in recalled.tolist():
        found = dict.fromkeys(
            tag for memory in results if memory >= 0 for tag in tags.row(memory).tolist()
        )
        rows.append(list(found)[:RECALL_COUNTED])
    return Lists.of(rows)
