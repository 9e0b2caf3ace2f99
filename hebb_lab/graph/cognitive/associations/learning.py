"""Co-ingestion: what is written together is wired together, in the order of writing.

A memory strengthens its edges to what was written before it: to the memories of its session at
most a window before it, or to the one memory before it; and to those that the data states by
itself (hints), by the count that it states. Each is two directed writes, new → old first. A memory
is not wired to itself.

Under rules that evict at insertion, a row that is full takes a new edge only in place of the least
important of its own, and only if the new one, as a bridge of score 0 without shared neighbours, is
worth strictly more. The other direction minds its own row, so that edges may be one-way. Of several
that are least, the one to the oldest memory goes.
"""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.associations.importance import score, score_at
from hebb_lab.graph.cognitive.associations.table import (
    CO_INGESTED,
    LAST_CYCLE,
    STATED,
    EdgeTable,
)
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, once, pieces_of, step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.associations.importance import Worth
    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories


class Partners(NamedTuple):
    """What each memory is wired to when it is written. Orders: 0 by session, 1 of all memories."""

    order: NDArray[np.int32]  # [2, N] memories, by session and then by time; by time
    place: NDArray[np.int64]  # [2, N] of each memory in it
    start: NDArray[np.int64]  # [2, N] where its session begins
    hint_ptr: NDArray[np.int64]  # [N+1] hints that are learned with each memory
    hint: NDArray[np.int32]  # the earlier memory
    times: NDArray[np.float32]


class Increments(NamedTuple):
    """How C rule sets strengthen."""

    order: NDArray[np.int64]  # [C] row of Partners.order
    window: NDArray[np.int64]  # [C] memories back
    increment: NDArray[np.float64]  # [C]
    cap: NDArray[np.int64]  # [C] degree at which insertion evicts; 0: it does not


def partners_of(memories: Memories) -> Partners:
    """Orders and hints of the memories; a hint is learned when its later memory is written."""
    n = len(memories)
    by_session = np.argsort(memories.session, kind="stable")
    place = np.empty((2, n), np.int64)
    place[0, by_session] = place[1] = np.arange(n)
    sorted_sessions = memories.session[by_session]
    first = np.searchsorted(sorted_sessions, sorted_sessions)
    start = np.zeros((2, n), np.int64)
    start[0, by_session] = first
    hints = memories.hints
    kept = hints.first != hints.second
    one, two = hints.first[kept], hints.second[kept]
    later = np.maximum(one, two)
    by_time = np.argsort(later, kind="stable")
    return Partners(
        np.stack([by_session, np.arange(n)]).astype(np.int32), place, start,
        np.searchsorted(later[by_time], np.arange(n + 1)).astype(np.int64),
        np.minimum(one, two)[by_time].astype(np.int32),
        hints.times[kept][by_time].astype(np.float32),
    )  # fmt: skip


def increments_of(rules: Sequence[CognitiveRules], memories: int) -> Increments:
    """What the rules say on strengthening, as arrays."""
    windows = {"previous_in_session": 1, "previous": 1}
    return Increments(
        np.array([int(each.co_ingestion == "previous") for each in rules], np.int64),
        np.array(
            [
                windows.get(
                    each.co_ingestion,
                    memories if each.session_window is None else each.session_window,
                )
                for each in rules
            ],
            np.int64,
        ),
        np.array([each.hebbian_increment for each in rules]),
        np.array(
            [each.degree_cap if each.eviction_at == "insertion" else 0 for each in rules], np.int64
        ),
    )


def learn(
    table: EdgeTable, partners: Partners, how: Increments, worth: Worth, cycle: NDArray[np.int64],
    first: int, stop: int, dirty: NDArray[np.bool_],
) -> EdgeTable:  # fmt: skip
    """The packed table after memories [first, stop) are written, under all rule sets.

    ``dirty`` [C·N] is set where a row has another set of neighbours than before.
    """
    room = table.length.copy()
    wide = pieces_of(len(how.order), 1)
    in_threads(lambda a, b: _count(a, b, first, stop, partners, how, room), wide)
    grown = EdgeTable.with_room(room)
    rows = pieces_of(len(room), 1 << 16)
    in_threads(lambda a, b: copy_rows(a, b, table, grown), rows)
    in_threads(
        lambda a, b: _insert(a, b, first, stop, partners, how, worth, cycle, grown, dirty), wide
    )
    return packed(grown)


def packed(table: EdgeTable) -> EdgeTable:
    """The table without room to spare."""
    found = EdgeTable.with_room(table.length)
    in_threads(lambda a, b: copy_rows(a, b, table, found), pieces_of(len(table.length), 1 << 16))
    return found


@kernel
def copy_rows(first: int, stop: int, source: Any, target: Any) -> None:
    """Copy rows [first, stop) of a table to where another has room for them."""
    for row in range(first, stop):
        here, there = source.ptr[row], target.ptr[row]
        target.length[row] = source.length[row]
        for k in range(source.length[row]):
            target.neighbor[there + k] = source.neighbor[here + k]
            target.weight[there + k] = source.weight[here + k]
            target.last_cycle[there + k] = source.last_cycle[here + k]
            target.bridge[there + k] = source.bridge[here + k]
            target.flags[there + k] = source.flags[here + k]


@kernel
def _count(
    first_config: int, stop_config: int, first: int, stop: int, partners: Any, how: Any, room: Any
) -> None:
    """Add to the room of each row what may come to it."""
    count = partners.order.shape[1]
    for c in range(first_config, stop_config):
        kind, base = how.order[c], c * count
        for memory in range(first, stop):
            place = partners.place[kind, memory]
            begin = max(partners.start[kind, memory], place - how.window[c])
            for k in range(begin, place):
                room[base + partners.order[kind, k]] += 1
            room[base + memory] += place - begin
            for k in range(partners.hint_ptr[memory], partners.hint_ptr[memory + 1]):
                room[base + partners.hint[k]] += 1
                room[base + memory] += 1


@kernel
def _insert(
    first_config: int, stop_config: int, first: int, stop: int, partners: Any, how: Any,
    worth: Any, cycle: Any, table: Any, dirty: Any,
) -> None:  # fmt: skip
    count = partners.order.shape[1]
    for c in range(first_config, stop_config):
        kind = how.order[c]
        for memory in range(first, stop):
            place = partners.place[kind, memory]
            begin = max(partners.start[kind, memory], place - how.window[c])
            hints = partners.hint_ptr[memory + 1] - partners.hint_ptr[memory]
            for k in range(place - begin + hints):
                if begin + k < place:
                    other, amount = partners.order[kind, begin + k], how.increment[c]
                    flag = np.uint8(CO_INGESTED)
                else:
                    at = partners.hint_ptr[memory] + k - (place - begin)
                    other, amount = partners.hint[at], np.float64(partners.times[at])
                    flag = np.uint8(STATED)
                for turn in range(2):
                    sender, receiver = np.int64(memory), np.int64(other)
                    if turn == 1:
                        sender, receiver = receiver, sender
                    if _strengthen(
                        c, sender, receiver, amount, flag, cycle[c], how.cap[c], worth, table
                    ):
                        dirty[c * count + sender] = True
                        dirty[c * count + receiver] = True


@once
def _strengthen(
    c: int, sender: int, receiver: int, amount: float, flag: Any, cycle: int, cap: int, worth: Any,
    table: Any,
) -> bool:  # fmt: skip
    """One directed write; whether the row has another set of neighbours now."""
    row = c * len(worth.importance) + sender
    begin = table.ptr[row]
    end = begin + table.length[row]
    i = end
    while i > begin and table.neighbor[i - 1] > receiver:
        i -= 1
    now = np.uint16(min(cycle, LAST_CYCLE))
    if i > begin and table.neighbor[i - 1] == receiver:
        table.weight[i - 1] = np.float32(table.weight[i - 1] + amount)
        table.last_cycle[i - 1] = now
        table.flags[i - 1] |= flag
        return False
    if cap > 0 and end - begin >= cap:
        least, worst = _least(c, row, cycle, worth, table)
        if not score(worth, c, amount, ZERO, ZERO, ZERO, sender, receiver) > least:
            return False
        _shift(table, worst + 1, end, ZERO - 1)
        end -= 1
        i -= 1 if worst < i else 0
    _shift(table, i, end, ZERO + 1)
    table.neighbor[i], table.weight[i] = receiver, np.float32(amount)
    table.last_cycle[i], table.bridge[i], table.flags[i] = now, 0, flag
    table.length[row] = end + 1 - begin
    return True


@once
def _least(c: int, row: int, cycle: int, worth: Any, table: Any) -> Any:
    """The least importance of a row's edges, and where it is; the first of several."""
    begin = table.ptr[row]
    least, worst = score_at(table, worth, c, row, begin, cycle), begin
    for i in range(begin + 1, begin + table.length[row]):
        value = score_at(table, worth, c, row, i, cycle)
        if value < least:
            least, worst = value, i
    return least, worst


@step
def _shift(table: Any, begin: int, end: int, by: int) -> None:
    """Move the edges [begin, end) by one place, up or down."""
    for k in range(end - begin):
        i = end - 1 - k if by > 0 else begin + k
        table.neighbor[i + by], table.weight[i + by] = table.neighbor[i], table.weight[i]
        table.last_cycle[i + by], table.bridge[i + by] = table.last_cycle[i], table.bridge[i]
        table.flags[i + by] = table.flags[i]
