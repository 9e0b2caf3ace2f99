"""The layout of a run folder, shared by the writer and the reader.

runs/<experiment>/<id>.partial/     arms/<arm>.{json,parquet,trec,traceback.txt}, log.txt
runs/<experiment>/<id>/             config.yaml env.json report.json result.json leaderboard.*
                                    figures/, and of an ablation per_query.parquet run.trec
                                    qrels.trec, of a half-life experiment rows.parquet
                                    cases.parquet curves.json half_lives.yaml
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from pathlib import Path

PARTIAL, REPLACED = ".partial", ".replaced"

PER_QUERY_SCHEMA: dict[str, Any] = {
    "task": pl.String,
    "arm": pl.String,
    "query_id": pl.String,
    "cluster": pl.Int64,  # session, commit or conversation: the unit of the bootstrap
    "ranks": pl.List(pl.Int32),  # of the relevant nodes, best first; 0 = not retrieved
    "grades": pl.List(pl.Int32),  # parallel to ranks
    "gold_tokens": pl.List(pl.Int32),  # tokens up to and including that rank; 0 = not retrieved
    "optimistic": pl.List(pl.Int32),  # ranks in the best order of equal scores, parallel to ranks
    "pessimistic": pl.List(pl.Int32),  # in the worst order
    "returned": pl.Int32,
    "tokens": pl.Float64,  # injected at the cut 10
    "tie": pl.Boolean,  # equal scores on both sides of the cut 10
    "edges": pl.Int64,  # read while answering; 0 where no graph is walked, null: not counted
}
"""One row is one query of one task under one arm."""

RESULT_KEYS = ("experiment", "run_id", "status", "dataset", "seed")
"""What result.json of every kind of run has; ``kinds.Kind.keys`` are those of one kind."""


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    data = content.encode() if isinstance(content, str) else content
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def as_json(value: Any) -> str:
    """JSON text with a final newline; NaN and infinities are refused, they are not JSON."""
    return json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
