"""The durable journal: a folder with a SQLite database in WAL mode, a mark and a lock."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

from hebb_lab.errors import ConfigError
from hebb_lab.memory.changes import Change
from hebb_lab.memory.consistent import check_change
from hebb_lab.memory.durable import auditing, opening, settling
from hebb_lab.memory.durable.files.connecting import Transaction, identity
from hebb_lab.memory.durable.files.faults import named, opened_to_read
from hebb_lab.memory.durable.rows import writing
from hebb_lab.memory.durable.stored import StoredJournal
from hebb_lab.memory.errors import DamagedStoreError, StoreBusyError, StoreError

LOG = logging.getLogger(__name__)
_IN_THE_WAL = "the WAL was not yet brought into the database; it has what was forgotten"


class DurableJournal(StoredJournal):
    """Changes in a file; `open` makes one. One thread at a time uses it.

    A commit is acknowledged when its transaction is in the WAL and the mark says so: both on the
    disk (durability=full) or both with the operating system (normal).

    Args:
        opened: the store.
    """

    def __init__(self, opened: opening.Opened) -> None:
        super().__init__(opened)
        self._in_doubt: int | None = None  # commits before one whose end was not seen
        self._unsettled: str | None = None
        self._uncompacted: str | None = None
        self._identity = identity(self.folder)

    @classmethod
    def open(
        cls, path: str | Path, dimensions: int | None = None, *, mode: str = "write",
        damaged: str = "refuse", durability: str = "full",
    ) -> DurableJournal:  # fmt: skip
        """Open a store, or make one.

        Args:
            path: its folder.
            dimensions: length of vectors; None: as the store has it.
            mode: write (one at a time) or read (any number, beside a writer too).
            damaged: refuse what is damaged, or keep what is whole and count the rest in
                ``losses``.
            durability: full: a commit is on the disk when it returns; normal: with the operating
                system: a power cut may take the last ones, which the next opening warns of and
                tells in ``losses``.

        Raises:
            StoreBusyError: another writer has it open.
            StoreReadOnlyError: nothing can be written there.
            DamagedStoreError: a file that is malformed, or commits that are missing.
            StoreError: no store, one of a newer version.
            ConfigError: dimensions that are not the store's, an unknown name.
        """
        names = {"mode": (mode, ("write", "read")), "damaged": (damaged, ("refuse", "keep")),
                 "durability": (durability, ("full", "normal"))}  # fmt: skip
        for name, (value, choices) in names.items():
            if value not in choices:
                raise ConfigError(f"{name}={value!r} is no choice", f"Use {' or '.join(choices)}")
        keep, folder = damaged == "keep", Path(path).absolute()
        if mode == "read":
            journal = cls(opening.to_read(folder, dimensions, keep=keep))
        else:
            synced = durability == "full"
            journal = cls(opening.to_write(folder, dimensions, keep=keep, synced=synced))
            journal._finish()
        for loss in journal._found:
            LOG.warning("%s: %s", path, loss)
        return journal

    @property
    def unfinished(self) -> tuple[str, ...]:
        """What is left to do after a forgetting, and why; tried again at every commit."""
        return tuple(one for one in (self._unsettled, self._uncompacted) if one is not None)

    def commit(self, change: Change) -> None:
        """Keep a change: when this returns it is durable, when it raises nothing of it is kept.

        An interruption (KeyboardInterrupt, or what a signal's handler raises) may come after it
        was kept: ``facts["sequence"]`` tells, and has grown by one then.

        Raises:
            StoreFullError, StoreReadOnlyError, StoreBusyError, DamagedStoreError: see `named`.
            StoreError: parts that do not fit, an id that is there already.
            MemoryNotFoundError: new numbers or texts of a memory that is not there.
        """
        self._check_writable()
        check_change(change, self.dimensions)
        self._catch_up()
        before = self._unsettled
        self._in_doubt = self._facts["sequence"]
        try:
            if change.forgotten is not None or change.rewritten is not None:
                self._unsettled = before or _IN_THE_WAL
            with named(self.folder), Transaction(self._db):
                self._check_alone()
                facts = writing.write(self._db, change, self._facts)
            self._facts = facts
            self._in_doubt = None
            self._acknowledge()
            if self._unsettled is not None:
                self._settle()
        except BaseException:
            with suppress(StoreError):  # else the next call asks again, and tells
                if not self._catch_up():
                    self._unsettled = before
            raise

    def _check_alone(self) -> None:
        """Refuse to write where the files, or what is in them, are no longer those of this writer.

        Raises:
            DamagedStoreError: the database was deleted, moved or replaced.
            StoreBusyError: somebody else has written to it.
        """
        if identity(self.folder) != self._identity:
            raise DamagedStoreError(
                "the database was deleted, moved or replaced while it was open",
                "Put its folder back, or open it where it is now", self.folder,
            )  # fmt: skip
        if self._is_behind():
            raise StoreBusyError(
                "another writer has changed this store", "Open it again", self.folder
            )

    def _catch_up(self) -> bool:
        """Ask the database whether a commit is kept whose end was not seen.

        Returns:
            Whether one is, or none was in doubt.
        """
        if self._in_doubt is None:
            return True
        with named(self.folder):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            facts, _ = opening.checked_facts(
                self._db, self.folder, self.dimensions, keep=self._keep
            )
        kept = bool(facts["sequence"] > self._in_doubt)
        if kept:
            self._facts = facts
            self._acknowledge()
        self._in_doubt = None
        return kept

    def _acknowledge(self) -> None:
        try:
            self._mark.write(self._facts["sequence"])
        except OSError as error:
            # The commit is durable; what is behind is only what would tell that it went missing.
            LOG.warning("%s: the mark could not be moved on (%s)", self.folder, error.strerror)

    def _settle(self) -> None:
        before = self._unsettled
        self._unsettled = settling.settle(self._db)  # interrupted here, it stays to be done
        if self._unsettled is None and not self._mark.synced:
            self._mark.on_disk = self._facts["sequence"]
            self._acknowledge()
        if self._unsettled is not None and self._unsettled != before:
            LOG.warning("%s: %s", self.folder, self._unsettled)

    def _finish(self) -> None:
        """What a process that was killed may have left undone."""
        self._settle()
        with named(self.folder):
            if settling.is_due(self._db):
                self.compact()

    def compact(self) -> None:
        """Give back what is free: nothing that was forgotten is left in any file.

        Where it cannot be done now, `unfinished` says why; the forgetting is complete without it.

        Raises:
            StoreReadOnlyError: it was opened for reading.
            DamagedStoreError: the database is malformed.
        """
        self._check_writable()
        self._catch_up()
        self._in_doubt = self._facts["sequence"]  # interrupted, it may leave a transaction open
        self._unsettled = self._unsettled or _IN_THE_WAL
        with named(self.folder):
            self._uncompacted = settling.compact(self._db, self.folder)
        if self._uncompacted is not None:
            LOG.warning("%s: %s", self.folder, self._uncompacted)
        self._in_doubt = None
        self._settle()

    def settle(self) -> None:
        """Bring the WAL into the database, so that `byte_count` is of what is kept."""
        self._check_writable()
        self._settle()

    def _check_writable(self) -> None:
        if self._lock is None:
            raise opened_to_read(self.folder)

    def check(self, *, dangling_edges: str = "keep") -> list[str]:
        """Everything that is wrong with the files, as sentences; nothing is changed.

        Args:
            dangling_edges: refuse: an edge to a memory that is not there is a problem too.
        """
        return auditing.problems(self.folder, self.unfinished, dangling_edges=dangling_edges)

    def close(self) -> None:
        """Let go of files and locks; the WAL goes into the database."""
        if os.getpid() != self._process:  # a copy that fork made: nothing here is its own
            return
        if self._unsettled is not None or (self._lock is not None and not self._mark.synced):
            self._settle()
        self._db.close()
        self._mark.close()
        if self._lock is not None:
            self._lock.release()
