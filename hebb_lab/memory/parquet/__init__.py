"""A store as Parquet files, and back."""

from hebb_lab.memory.parquet.exporting import export
from hebb_lab.memory.parquet.importing import imported

__all__ = ["export", "imported"]
