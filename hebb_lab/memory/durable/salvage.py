"""What is whole in a damaged store, in a new one; what is lost, by name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from hebb_lab.memory.changes import Added, Change, Edges, Texts
from hebb_lab.memory.durable.files.connecting import connected
from hebb_lab.memory.durable.files.faults import check_folder, lost, named
from hebb_lab.memory.durable.files.head import set_right
from hebb_lab.memory.durable.files.within import check_empty, made_within
from hebb_lab.memory.durable.inspecting import inspect
from hebb_lab.memory.durable.journal import DurableJournal
from hebb_lab.memory.durable.loading import changes
from hebb_lab.memory.durable.opening import checked_facts, nothing_there
from hebb_lab.memory.errors import DamagedStoreError
from hebb_lab.memory.ids import Ids

_HEAD = "the head of the database was damaged; it was read with the one that it must have"


class Salvaged(NamedTuple):
    """What became of a damaged store.

    Args:
        kept: memories in the new one.
        losses: what is not there, as sentences.
    """

    kept: int
    losses: tuple[str, ...]


def salvage(path: str | Path, out: str | Path) -> Salvaged:
    """Copy what is whole into a new store; the damaged one stays as it is.

    The database is read with its WAL and without it, and the later of the two is taken: a WAL
    that broke in its middle lays old pages over newer ones. What has a tombstone is not brought
    back. A head of the database that is not as it must be is set right in a copy, beside the new
    store while this runs.

    Args:
        path: folder of the damaged store.
        out: folder of the new one; it must be empty or missing.

    Raises:
        StoreError: ``out`` is not empty, or no folder is there.
        DamagedStoreError: nothing can be read; the cure is what was kept elsewhere.
    """
    folder, new = Path(path), Path(out)
    check_empty(new)
    check_folder(folder)
    if not folder.exists():
        raise nothing_there(folder)
    try:
        with named(folder), set_right(folder, new.parent) as place:
            losses = [] if place == folder else [_HEAD]
            losses += _seen_damage(place)
            with made_within(new) as made:
                return _copied(place, made, losses)
    except DamagedStoreError as error:
        raise lost(error.problem, folder) from error


def _copied(folder: Path, new: Path, losses: list[str]) -> Salvaged:
    access = _later(folder)
    with _opened(folder, access) as db:
        db.execute("BEGIN")  # one moment; never ended, which a malformed page could hinder
        facts, missing = checked_facts(db, folder, None, keep=True)
        losses += missing
        gone = _forgotten(db)
        journal = DurableJournal.open(new, int(facts["dimensions"]))
        try:
            kept: set[bytes] = set()
            for change in changes(db, facts, losses.append, keep=True):
                there = _without(change, gone)
                if there.added is not None:
                    kept.update(there.added.ids.to_bytes())
                elif there.edges is not None and len(kept) < facts["memories"]:
                    there = _with_ends(there, there.edges, kept, losses)
                journal.commit(there)
        finally:
            journal.close()
    return Salvaged(len(kept), tuple(dict.fromkeys(losses)))


def _seen_damage(folder: Path) -> list[str]:
    try:
        return list(inspect(folder, keep=True).losses)
    except DamagedStoreError as error:
        return [error.problem]


def _opened(folder: Path, access: str) -> closing[sqlite3.Connection]:
    return closing(connected(folder, access, lenient=True))


def _later(folder: Path) -> str:
    """The access through which the database shows more commits."""
    found = {access: _sequence(folder, access) for access in ("ro", "alone")}
    best = max(found, key=lambda access: found[access])
    if found[best] < 0:
        raise lost("nothing of the database can be read", folder)
    return best


def _sequence(folder: Path, access: str) -> int:
    try:
        with _opened(folder, access) as db:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            row = db.execute("SELECT value FROM facts WHERE name = 'sequence'").fetchone()
            return int(row[0]) if row else 0
    except sqlite3.DatabaseError:
        return 0 if _has_memories(folder, access) else -1


def _has_memories(folder: Path, access: str) -> bool:
    """Whether the table of memories can be read at least where it begins."""
    try:
        with _opened(folder, access) as db:
            db.execute("SELECT id FROM memories LIMIT 1").fetchone()
    except sqlite3.DatabaseError:
        return False
    return True


def _forgotten(db: sqlite3.Connection) -> set[Any]:
    try:
        return {row[0] for row in db.execute("SELECT id FROM tombstones")}
    except sqlite3.DatabaseError:
        return set()


def _without(change: Change, gone: set[Any]) -> Change:
    """The change without new memories that were forgotten."""
    added = change.added
    if added is None or gone.isdisjoint(added.ids.to_bytes()):
        return change
    rows = [row for row, part in enumerate(added.ids.to_bytes()) if part not in gone]
    said = added.texts
    texts = Texts(
        [said.contents[row] for row in rows], [said.contexts[row] for row in rows],
        [said.entities[row] for row in rows], said.vectors[rows],
    )  # fmt: skip
    scalars = {name: column[rows] for name, column in added.scalars.items()}
    return Change(change.at_us, added=Added(Ids(added.ids.array[rows]), texts, scalars))


def _with_ends(change: Change, edges: Edges, kept: set[bytes], losses: list[str]) -> Change:
    """The change without edges of memories that are lost."""
    ends = zip(edges.source.to_bytes(), edges.target.to_bytes(), strict=True)
    rows = [row for row, pair in enumerate(ends) if kept.issuperset(pair)]
    if len(rows) < len(edges.source):
        losses.append(f"{len(edges.source) - len(rows)} edges of memories that are lost")
    left = Edges(
        Ids(edges.source.array[rows]), Ids(edges.target.array[rows]), edges.kind[rows],
        edges.confidence[rows], edges.time_us[rows],
    )  # fmt: skip
    return Change(change.at_us, edges=left)
