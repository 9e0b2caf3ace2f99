"""Memories are learned in order, with a cycle of consolidation after so many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hebb_lab.graph.cognitive.directory.directory import EntityDirectory
    from hebb_lab.graph.cognitive.directory.stream import Stream

LEARNED = (
    "cycle_memories", "mention_weight", "mention_again", "mention_decay", "mention_prune_below",
    "merge_distance", "merge_min_length",
)  # fmt: skip
"""Switches on which the links and the merges of a directory depend."""


def pieces(known: int, until: int, cycle: int) -> Iterator[tuple[int, int, bool]]:
    """[known, until) in pieces that end where a cycle is due, and whether it is due.

    >>> list(pieces(3, 9, 4))
    [(3, 4, True), (4, 8, True), (8, 9, False)]
    """
    while known < until:
        stop = min(until, known - known % cycle + cycle)
        yield known, stop, stop % cycle == 0
        known = stop


def learn(
    directory: EntityDirectory, stream: Stream, first: int, stop: int, *, relations: bool = True,
    subjects: bool = False,
) -> None:  # fmt: skip
    """What memories [first, stop) mention, and then the relations that they state.

    With ``subjects`` a memory is linked to its subject alone, the entity that it mentions first.
    """
    directory.know(stream.arrived(stop))
    ptr = stream.mentions.ptr[first : stop + 1]
    memory = np.repeat(np.arange(first, stop, dtype=np.int32), np.diff(ptr))
    mentioned = stream.mentions.ids[ptr[0] : ptr[-1]]
    if subjects:
        first_of = (ptr[:-1] - ptr[0])[np.diff(ptr) > 0]
        mentioned, memory = mentioned[first_of], memory[first_of]
    directory.write(mentioned, memory)
    if relations:
        said = stream.said(first, stop)
        directory.write_relations(said.source, said.target, said.kind, said.memory)
