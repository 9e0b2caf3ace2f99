"""The thorough check of a store: every page, every index, every row, every reference."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from hebb_lab.memory.durable.files.connecting import moment, readable
from hebb_lab.memory.durable.files.faults import named
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.durable.inspecting import inspect
from hebb_lab.memory.durable.loading import changes
from hebb_lab.memory.durable.opening import checked_facts
from hebb_lab.memory.errors import StoreError

_COUNTS = {
    "texts belong to no memory": "SELECT count(*) FROM texts WHERE content IS NOT NULL"
    " AND place NOT IN (SELECT place FROM memories)",
    "edges start at a memory that is not there": "SELECT count(*) FROM edges"
    " WHERE source NOT IN (SELECT id FROM memories)",
    "memories have a tombstone and are still there": "SELECT count(*) FROM tombstones"
    " WHERE id IN (SELECT id FROM memories)",
}
_DANGLING = "SELECT count(*) FROM edges WHERE target NOT IN (SELECT id FROM memories)"


def problems(
    folder: Path, unfinished: tuple[str, ...] = (), *, dangling_edges: str = "keep"
) -> list[str]:
    """What is wrong with a store, as sentences.

    Args:
        folder: of it.
        unfinished: what the journal has left to do.
        dangling_edges: refuse: an edge to a memory that is not there is a problem.
    """
    found = list(unfinished)
    try:
        found += inspect(folder, keep=True).losses
        with named(folder), closing(readable(folder)) as db, moment(db):
            found += _integrity(db)
            facts, losses = checked_facts(db, folder, None, keep=True)
            found += losses
            if facts["sequence"] and not Mark(folder).path.exists():
                found.append("the mark of acknowledged commits is missing, so commits may be too")
            for _ in changes(db, facts, found.append, keep=True):
                pass
            counts = dict(_COUNTS)
            if dangling_edges == "refuse":
                counts["edges lead to a memory that is not there"] = _DANGLING
            found += _counted(db, counts)
    except StoreError as error:
        found.append(error.problem)
    return list(dict.fromkeys(found))


def _integrity(db: sqlite3.Connection) -> list[str]:
    try:
        rows = [str(row[0], "utf-8") for row in db.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        return [f"the database is malformed ({error})"]
    return [f"the database is malformed ({row})" for row in rows if row != "ok"]


def _counted(db: sqlite3.Connection, counts: dict[str, str]) -> list[str]:
    found = []
    for problem, query in counts.items():
        try:
            (count,) = db.execute(query).fetchone()
        except sqlite3.DatabaseError as error:
            found.append(f"the database is malformed ({error})")
        else:
            found += [f"{count} {problem}"] if count else []
    return found
