"""Plain tables of touches."""

from hebb_lab.telemetry.readers.table.reader import TableReader

__all__ = ["TableReader"]
