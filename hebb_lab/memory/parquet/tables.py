"""The files of an exported store: their names, columns and version.

- memories.parquet: id (26 characters), every column of SCALARS, content, context (JSON), entity,
  vector ([d] float32; zeros where there is none).
- edges.parquet: source, target, kind, confidence, time_us, in the order of writing.
- tombstones.parquet: id, time_us, salt, digest, reason.
- facts.json: the version of this layout, d, the clock, the facts of the store, rows and SHA-256
  of each file. It is written last.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.memory.changes import SCALARS

if TYPE_CHECKING:
    import polars as pl

FORMAT = "memories of hebb_lab"
VERSION = 1
FACTS = "facts.json"
MEMORIES, EDGES, TOMBSTONES = "memories.parquet", "edges.parquet", "tombstones.parquet"
FILES = (MEMORIES, EDGES, TOMBSTONES)


def schemas(dimensions: int) -> dict[str, dict[str, pl.DataType]]:
    """File → column → type.

    Args:
        dimensions: d.
    """
    import polars as pl

    numbers: dict[Any, Any] = {
        np.int8: pl.Int8, np.int32: pl.Int32, np.int64: pl.Int64, np.float32: pl.Float32,
        np.bool_: pl.Boolean,
    }  # fmt: skip
    scalars = {name: numbers[kind]() for name, kind in SCALARS.items()}
    return {
        MEMORIES: {
            "id": pl.String(), **scalars, "content": pl.String(), "context": pl.String(),
            "entity": pl.String(), "vector": pl.Array(pl.Float32, dimensions),
        },
        EDGES: {
            "source": pl.String(), "target": pl.String(), "kind": pl.Int8(),
            "confidence": pl.Float32(), "time_us": pl.Int64(),
        },
        TOMBSTONES: {
            "id": pl.String(), "time_us": pl.Int64(), "salt": pl.Binary(),
            "digest": pl.Binary(), "reason": pl.String(),
        },
    }  # fmt: skip


def sha256(file: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
