"""The durable journal: SQLite in WAL mode, a mark of acknowledged commits, a lock."""

from hebb_lab.memory.durable.journal import DurableJournal
from hebb_lab.memory.durable.salvage import Salvaged, salvage

__all__ = ["DurableJournal", "Salvaged", "salvage"]
