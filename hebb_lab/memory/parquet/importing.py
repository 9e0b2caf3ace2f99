"""Parquet files as changes, each row looked at before it is believed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.changes import SCALARS, Added, Change, Edges, Texts, Tombstones
from hebb_lab.memory.consistent import BLOCK, DIGEST_BYTES, SALT_BYTES
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import CONTEXT_BYTES, Problem, content_problem, entity_problem
from hebb_lab.memory.parquet.tables import (
    EDGES,
    FACTS,
    FILES,
    FORMAT,
    MEMORIES,
    TOMBSTONES,
    VERSION,
    schemas,
    sha256,
)
from hebb_lab.memory.values import EdgeKind, Kind

if TYPE_CHECKING:
    import polars as pl

NORM_TOLERANCE = 1e-3
_LEAST = {"created_us": 0, "updated_us": 0, "accessed_us": 0, "access_count": 0, "clock": 0}


def imported(folder: str | Path) -> Iterator[Change]:
    """What an exported store holds, as changes that only add.

    Args:
        folder: that ``export`` wrote.

    Raises:
        StoreError: a file that is missing, altered or of a newer version; a column of another
            type; a row that is out of range or whose id came before, by file and row.
    """
    place = Path(folder)
    facts = _facts(place)
    frames = _Frames(place, int(facts["dimensions"]))
    clock_us, seen = int(facts["clock_us"]), set[bytes]()
    for first, frame in frames.of(MEMORIES):
        yield Change(clock_us, added=_added(frame, place / MEMORIES, first, seen))
    for first, frame in frames.of(EDGES):
        yield Change(clock_us, edges=_edges(frame, place / EDGES, first))
    for first, frame in frames.of(TOMBSTONES):
        yield Change(clock_us, tombstones=_tombstones(frame, place / TOMBSTONES, first))
    if clock_us >= 0:
        yield Change(clock_us, facts=facts["facts"])


def dimensions_of(folder: str | Path) -> int:
    """Length of vectors of an exported store."""
    return int(_facts(Path(folder), look_inside=False)["dimensions"])


def _facts(place: Path, *, look_inside: bool = True) -> dict[str, Any]:
    file = place / FACTS
    try:
        facts = json.loads(file.read_text(encoding="utf-8"))
        known = facts["format"] == FORMAT
        int(facts["clock_us"]), dict(facts["facts"])
        version, sums, size = int(facts["version"]), dict(facts["sha256"]), facts["dimensions"]
    except FileNotFoundError:
        raise StoreError(
            "there is no exported store", f"Give a folder with {FACTS}", place
        ) from None
    except (ValueError, KeyError, TypeError, OSError):
        raise StoreError("the file is none of an exported store", "Export it anew", file) from None
    if not known or not isinstance(size, int) or size < 1:
        raise StoreError("the file is none of an exported store", "Export it anew", file)
    if version > VERSION:
        raise StoreError(
            f"the layout is of version {version}, this program knows up to {VERSION}",
            "Update hebb_lab", file,
        )  # fmt: skip
    for name in FILES if look_inside else ():
        if not (place / name).is_file():
            raise StoreError(f"{name} is missing", "Export it anew", place)
        if sha256(place / name) != sums.get(name):
            raise StoreError("the file is not as it was exported", "Export it anew", place / name)
    return dict(facts)


class _Frames:
    """The files of an exported store, read in blocks of rows."""

    def __init__(self, place: Path, dimensions: int) -> None:
        self._place, self._types = place, schemas(dimensions)

    def of(self, name: str) -> Iterator[tuple[int, pl.DataFrame]]:
        """Blocks of one file: its first row and the frame."""
        import polars as pl

        file = self._place / name
        try:
            lazy = pl.scan_parquet(file)
            found = dict(lazy.collect_schema())
        except (pl.exceptions.PolarsError, OSError) as error:
            raise StoreError(f"the file is no Parquet ({error})", "Export it anew", file) from None
        for column, kind in self._types[name].items():
            if found.get(column) != kind:
                raise StoreError(
                    f"the column {column} is {found.get(column)}, not {kind}",
                    "Export it anew",
                    file,
                )
        first = 0
        while len(frame := lazy.slice(first, BLOCK).collect()):
            yield first, frame
            first += BLOCK


def _refuse(bad: Any, problem: str, file: Path, first: int) -> None:
    """Raise for the first row of a block that is bad.

    Args:
        bad: [n] bool.
        problem: what is wrong with it.
        file: where.
        first: row of the block in the file, from 0.
    """
    rows = np.flatnonzero(np.asarray(bad, bool))
    if len(rows):
        raise StoreError(problem, "Export it anew, or mend the row", file, first + int(rows[0]) + 1)


def _column(frame: pl.DataFrame, name: str, file: Path, first: int) -> Any:
    """A column without gaps."""
    column = frame[name]
    _refuse(column.is_null().to_numpy(), f"{name} is empty", file, first)
    return column


def _ids(frame: pl.DataFrame, name: str, file: Path, first: int) -> Ids:
    texts = _column(frame, name, file, first).to_list()
    try:
        return Ids.parse(texts)
    except InputError:
        _refuse([not _is_id(text) for text in texts], f"{name} is no id", file, first)
        raise


def _is_id(text: str) -> bool:
    try:
        return len(Ids.parse([text])) == 1
    except InputError:
        return False


def _added(frame: pl.DataFrame, file: Path, first: int, seen: set[bytes]) -> Added:
    ids = _ids(frame, "id", file, first)
    twice = []
    for part in ids.to_bytes():
        twice.append(part in seen)
        seen.add(part)
    _refuse(twice, "the id came before", file, first)
    scalars = {
        name: _column(frame, name, file, first).to_numpy().astype(kind)
        for name, kind in SCALARS.items()
    }
    for name, least in _LEAST.items():
        _refuse(scalars[name] < least, f"{name} is below {least}", file, first)
    for name in ("importance", "decay_score"):
        _refuse(
            ~np.isfinite(scalars[name]) | (scalars[name] < 0), f"{name} is no share", file, first
        )
    _refuse(scalars["importance"] > 1, "importance is above 1", file, first)
    kinds = [int(kind) for kind in Kind]
    _refuse(~np.isin(scalars["kind"], kinds), "the kind is unknown", file, first)
    return Added(ids, _texts(frame, file, first), scalars)


def _texts(frame: pl.DataFrame, file: Path, first: int) -> Texts:
    contexts = _column(frame, "context", file, first).to_list()
    _refuse(
        [not _is_context(one) for one in contexts],
        "context is no JSON object of 16 KiB",
        file,
        first,
    )
    vectors = _column(frame, "vector", file, first).to_numpy()
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1)
    unit = np.abs(norms - 1) <= NORM_TOLERANCE
    _refuse(~(unit | (norms == 0)), "vector is not of length 1", file, first)
    contents = _column(frame, "content", file, first).to_list()
    entities = frame["entity"].to_list()
    for one, problem in zip((contents, entities), (content_problem, entity_problem), strict=True):
        found = [problem(text) for text in one]
        _refuse([bad is not None for bad in found], _first(found), file, first)
    return Texts(contents, contexts, entities, vectors.astype(np.float32))


def _first(found: Sequence[Problem | None]) -> str:
    return next((bad.problem for bad in found if bad is not None), "")


def _is_context(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict) and len(text.encode()) <= CONTEXT_BYTES
    except ValueError:
        return False


def _edges(frame: pl.DataFrame, file: Path, first: int) -> Edges:
    kind, confidence, time_us = (
        _column(frame, name, file, first).to_numpy() for name in ("kind", "confidence", "time_us")
    )
    kinds = [int(one) for one in EdgeKind]
    _refuse(~np.isin(kind, kinds), "the kind is unknown", file, first)
    _refuse(~((confidence >= 0) & (confidence <= 1)), "confidence is no share", file, first)
    source, target = (_ids(frame, name, file, first) for name in ("source", "target"))
    _refuse((source.array == target.array).all(axis=1), "the edge leads to itself", file, first)
    return Edges(source, target, kind, confidence, time_us)


def _tombstones(frame: pl.DataFrame, file: Path, first: int) -> Tombstones:
    salt, digest, reason = (
        _column(frame, name, file, first).to_list() for name in ("salt", "digest", "reason")
    )
    _refuse([len(one) != SALT_BYTES for one in salt], "salt is not 16 bytes", file, first)
    _refuse([len(one) != DIGEST_BYTES for one in digest], "digest is not 32 bytes", file, first)
    time_us = _column(frame, "time_us", file, first).to_numpy()
    return Tombstones(_ids(frame, "id", file, first), time_us, salt, digest, reason)
