"""The durable journal: SQLite in WAL mode, a mark of acknowledged commits, a lock."""

from hebb_lab.memory.durable.journal import DurableJournal

__all__ = ["DurableJournal"]
