"""Everything that a database holds, as changes that only add."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from hebb_lab.memory.changes import Change
from hebb_lab.memory.consistent import OWN_FACTS
from hebb_lab.memory.durable.rows import reading, rescue
from hebb_lab.memory.durable.rows.reading import Bad


def changes(
    db: sqlite3.Connection, facts: Mapping[str, Any], bad: Bad, *, keep: bool
) -> Iterator[Change]:
    """Memories in the order of ids, then edges in that of writing, then tombstones and facts.

    Args:
        db: in a transaction that reads.
        facts: of the store, in the same transaction.
        bad: is told of each row that is left out; it may raise.
        keep: rows behind a malformed page are looked for.
    """
    at_us, whole = int(facts["clock_us"]), 0
    for rows in rescue.blocks(db, rescue.MEMORIES, bad, keep=keep):
        added = reading.added_of(rows, int(facts["dimensions"]), bad)
        if added is not None:
            whole += len(added.ids)
            yield Change(at_us, added=added)
    if whole != facts["memories"]:
        bad(f"{facts['memories'] - whole} of {facts['memories']} memories are missing")
    for rows in rescue.blocks(db, rescue.ALL_EDGES, bad, keep=keep):
        yield Change(at_us, edges=reading.edges_of(rows, bad))
    stones = [row for rows in rescue.blocks(db, rescue.ALL_TOMBSTONES, bad, keep=keep)
              for row in rows]  # fmt: skip
    if facts["sequence"]:
        kept = {name: value for name, value in facts.items() if name not in OWN_FACTS}
        yield Change(at_us, tombstones=reading.tombstones_of(stones, bad), facts=kept)
