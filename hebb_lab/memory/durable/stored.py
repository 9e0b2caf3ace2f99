"""What a journal in a file holds, as it is read."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from types import MappingProxyType
from typing import Any

from hebb_lab.memory.changes import Change, Tombstones
from hebb_lab.memory.durable import opening
from hebb_lab.memory.durable.files.connecting import moment, readable
from hebb_lab.memory.durable.files.faults import damaged, named
from hebb_lab.memory.durable.loading import changes
from hebb_lab.memory.durable.rows import reading
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.ids import Ids

LOG = logging.getLogger(__name__)


class StoredJournal:
    """The reading half of `DurableJournal`.

    Args:
        opened: the store.
    """

    def __init__(self, opened: opening.Opened) -> None:
        self.folder = opened.folder
        self._connection, self._process = opened.db, os.getpid()
        self._lock, self._mark = opened.lock, opened.mark
        self._facts = opened.facts
        self._keep = opened.keep
        self._found = opened.losses
        self._left_out: list[str] = []

    @property
    def _db(self) -> sqlite3.Connection:
        """The connection: of the process that made it, and of no copy that fork makes of that."""
        if os.getpid() != self._process:
            raise StoreError(
                f"the store was opened by process {self._process}, of which this is a copy",
                "Open it in this process, and close it there before if both write", self.folder,
            )  # fmt: skip
        return self._connection

    @property
    def dimensions(self) -> int:
        """Length of vectors."""
        return int(self._facts["dimensions"])

    @property
    def facts(self) -> Mapping[str, Any]:
        """Values that the store keeps for itself; the journal's own are in `OWN_FACTS`."""
        self._catch_up()
        return MappingProxyType(self._facts)

    @property
    def losses(self) -> tuple[str, ...]:
        """What opening and loading found damaged (damaged=keep)."""
        return (*self._found, *self._left_out)

    def _catch_up(self) -> bool:
        """Have the facts follow the database after a commit whose end was not seen."""
        return True

    def load(self) -> Iterator[Change]:
        """Everything that is kept, of one moment, in the order of ids; edges and facts come last.

        Raises:
            DamagedStoreError: a row that does not fit its checksum, rows that are missing.
        """
        self._left_out = []
        with named(self.folder), closing(readable(self.folder)) as db, moment(db):
            facts, _ = opening.checked_facts(db, self.folder, self.dimensions, keep=self._keep)
            yield from changes(db, facts, self._bad, keep=self._keep)
        if self._lock is None:
            self._facts = facts

    def _bad(self, problem: str) -> None:
        if not self._keep:
            raise damaged(problem, self.folder)
        if problem not in self._left_out:
            self._left_out.append(problem)
            LOG.warning("%s: %s", self.folder, problem)

    def changed(self) -> bool:
        """Whether commits came after what was loaded last."""
        self._catch_up()
        with named(self.folder):
            return self._is_behind()

    def _is_behind(self) -> bool:
        row = self._db.execute("SELECT value FROM facts WHERE name = 'sequence'").fetchone()
        return row is not None and int(row[0]) != self._facts["sequence"]

    def contents(self, ids: Ids) -> list[str]:
        """What memories say.

        Raises:
            MemoryNotFoundError: an id that is not there; it is a KeyError too.
            DamagedStoreError: a row that does not fit its checksum.
        """
        return [content for content, _ in self._texts(ids)]

    def contexts(self, ids: Ids) -> list[dict[str, Any]]:
        """The contexts of memories; raises as `contents` does."""
        return [json.loads(context) for _, context in self._texts(ids)]

    def _texts(self, ids: Ids) -> Iterator[tuple[str, str]]:
        self._catch_up()
        with named(self.folder):
            yield from reading.texts(self._db, ids, self.dimensions, self.folder)

    def tombstones(self) -> Tombstones:
        """All tombstones, in the order of ids."""
        with named(self.folder):
            rows = self._db.execute(reading.TOMBSTONES).fetchall()
        return reading.tombstones_of(rows, self._bad)

    def byte_count(self) -> int:
        """Bytes of all its files."""
        return sum(file.stat().st_size for file in self.folder.iterdir() if file.is_file())
