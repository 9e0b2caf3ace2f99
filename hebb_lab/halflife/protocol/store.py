"""The files of a half-life run: cases.parquet, rows.parquet, curves.json and result.json."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.runs import as_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.halflife.protocol.judge import Judged
    from hebb_lab.runs import RunWriter

COLUMNS: dict[str, Any] = {"part": pl.String, "value": pl.Float64}
"""What a model keeps until all are done: its losses of the cases, then its p of the rows."""
CASES, ROWS = "cases", "rows"
EDGES = "edges.parquet"


def kept(judged: Judged) -> pl.DataFrame:
    """The rows that the writer keeps of a model, in COLUMNS."""
    parts: list[tuple[str, NDArray[Any]]] = [
        (CASES, judged.losses), (ROWS, judged.probabilities),
    ]  # fmt: skip
    return pl.concat(
        pl.DataFrame({"part": [name] * len(values), "value": values}, schema=COLUMNS)
        for name, values in parts
    )


def assemble(
    writer: RunWriter, models: Sequence[str], frames: Mapping[str, pl.DataFrame],
    result: Mapping[str, Any], curves: Mapping[str, Any], files: Mapping[str, str],
) -> dict[str, Any]:  # fmt: skip
    """Put the models together.

    Args:
        writer: holds what each model kept.
        models: all of them, in the order of tables.
        frames: ``cases`` and ``rows`` → the columns that are no model's.
        result: result.json without status and models.
        curves: what figures need beside the models'.
        files: further files, name → content.
    """
    entries = writer.entries(models)
    whole = [entry["arm"] for entry in entries if entry["status"] == "ok"]
    values = {name: writer.rows(name) for name in whole}
    for part, frame in frames.items():
        columns = [v.filter(part=part)["value"].alias(name) for name, v in values.items()]
        path = writer.partial / f"{part}.parquet"
        frame.with_columns(columns).write_parquet(path, compression="zstd")
    for name in whole:
        if writer.file_of(name, EDGES).is_file():
            shutil.copyfile(writer.file_of(name, EDGES), writer.partial / EDGES)
    shown = {entry["arm"]: entry.pop("shown", {}) for entry in entries}
    more = {**files, "curves.json": as_json({**curves, "models": shown})}
    return writer.conclude({**result, "models": entries}, entries, more)
