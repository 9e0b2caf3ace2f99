"""What a Parquet file says of itself, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import polars as pl

PARQUET_MAGIC = b"PAR1"
DAMAGED_PARQUET = "the Parquet file is damaged or cut off"
DAMAGED_PARQUET_CURE = "Write it anew, or copy it again whole"


def parquet_columns(path: Path) -> dict[str, pl.DataType]:
    """The columns and types of a Parquet file; empty when it cannot be read."""
    try:
        return dict(pl.read_parquet_schema(path))
    except (OSError, pl.exceptions.PolarsError):
        return {}
