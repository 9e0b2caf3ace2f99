"""get and insights: what a store holds, without touching it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import checked_most, entity_problem, raised, share_problem
from hebb_lab.memory.values import Kind, Memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


def rows_there(state: State, ids: Ids) -> NDArray[np.int64]:
    """Rows [n] of ids.

    Raises:
        MemoryNotFoundError: it names the first id that no memory has, or has any more.
    """
    rows = state.rows_of(ids)
    if len(rows) and int(rows.min()) < 0:
        raise MemoryNotFoundError(
            f"no memory has the id {ids[int(np.argmax(rows < 0))]}",
            "It was forgotten or never written; lineage(id) tells which. A reader that was opened"
            " before it was written calls refresh() first",
        )
    return rows


def memories_of(state: State, journal: Journal, ids: Ids | Sequence[str]) -> list[Memory]:
    """Memories as they are now; nothing is reinforced.

    Args:
        state: of the store.
        journal: where their texts are.
        ids: any, repeated ones too.

    Raises:
        MemoryNotFoundError: an id that is not there.
    """
    parsed = Ids.parse(ids)
    return memories_in(state, journal, rows_there(state, parsed))


def memories_in(state: State, journal: Journal, rows: NDArray[np.int64]) -> list[Memory]:
    """The memories of living rows."""
    ids = state.ids_of(rows)
    names = [None if number < 0 else state.entities[number] for number in state.entity[rows]]
    columns = {
        name: state.column(name)[rows].tolist()
        for name in ("importance", "kind", "created_us", "updated_us", "accessed_us",
                     "access_count", "decay_score", "superseded", "stale", "clock")
    }  # fmt: skip
    columns["kind"] = [Kind(value) for value in columns["kind"]]
    texts = zip(ids, journal.contents(ids), journal.contexts(ids), names, strict=True)
    numbers = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return [
        Memory(id=name, content=content, context=context, entity_id=entity, **row)
        for (name, content, context, entity), row in zip(texts, numbers, strict=True)
    ]


def insights_in(
    state: State, rules: MemoryRules, entity: str | None, least_importance: float, most: int
) -> NDArray[np.int64]:
    """Rows of insights, the most important first, then the newest.

    Superseded ones are left out unless superseded_recalled, stale ones unless stale_recalled.
    insights_sorted=after cuts to ``most`` in the order of ids before it sorts, as the code does.

    Args:
        state: of the store.
        rules: of the store.
        entity: only of this one; None for all.
        least_importance: less important ones are left out, by the importance that they have, which
            does not decay.
        most: how many at most.

    Raises:
        InputError: ``most`` below 1, an importance outside [0, 1], an entity that none has.
    """
    most = checked_most(most, "most")
    if problem := share_problem(least_importance, "least_importance") or entity_problem(entity):
        raise raised(problem)
    chosen = state.alive & (state.column("kind") == Kind.INSIGHT)
    chosen &= state.column("importance") >= np.float32(least_importance)
    if not rules.superseded_recalled:
        chosen &= ~state.column("superseded")
    if not rules.stale_recalled:
        chosen &= ~state.column("stale")
    if entity is not None:
        number = state.entity_number(entity)
        chosen &= (state.entity == number) & (number >= 0)
    rows = by_id(state, np.flatnonzero(chosen))
    if rules.insights_sorted == "after":
        rows = rows[:most]
    newest = rows[::-1]
    order = np.argsort(-state.column("importance")[newest], kind="stable")
    return newest[order][:most]


def by_id(state: State, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows in the order of their ids."""
    array = state.ids_of(rows).array
    return rows[np.lexsort((array[:, 1], array[:, 0]))]
