"""A store as Parquet files, written block by block."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hebb_lab.memory.changes import SCALARS, Added, Change, Edges, Journal, Tombstones
from hebb_lab.memory.consistent import BLOCK, OWN_FACTS
from hebb_lab.memory.errors import StoreError
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

if TYPE_CHECKING:
    import polars as pl


def export(journal: Journal, folder: str | Path) -> None:
    """Write everything that a journal keeps, of one moment, into a folder.

    Args:
        journal: what is read; a damaged row raises as its ``load`` does.
        folder: made where it is missing; it must hold no store already.

    Raises:
        StoreError: the folder holds an exported store, or cannot be written.
    """
    place = Path(folder)
    if any((place / name).exists() for name in (FACTS, *FILES)):
        raise StoreError("the folder holds an exported store already", "Give a new one", place)
    try:
        place.mkdir(parents=True, exist_ok=True)
        _write(journal, place)
    except OSError as error:
        raise StoreError(
            f"the folder cannot be written ({error.strerror})", "Give another one", place
        ) from error


def _write(journal: Journal, place: Path) -> None:
    parts = _Parts(journal.load())
    types = schemas(journal.dimensions)
    frames: dict[str, Callable[[], Iterator[pl.DataFrame]]] = {
        MEMORIES: lambda: (_memories(one, types[MEMORIES]) for one in parts.added()),
        EDGES: lambda: (_edges(one, types[EDGES]) for one in parts.edges()),
        TOMBSTONES: lambda: (_tombstones(one, types[TOMBSTONES]) for one in parts.tombstones()),
    }
    rows = {name: _sink(frames[name](), types[name], place / name) for name in FILES}
    facts = {
        "format": FORMAT, "version": VERSION, "dimensions": journal.dimensions,
        "clock_us": parts.clock_us,
        "facts": {name: value for name, value in parts.facts.items() if name not in OWN_FACTS},
        "rows": rows, "sha256": {name: sha256(place / name) for name in FILES},
    }  # fmt: skip
    (place / FACTS).write_text(json.dumps(facts, indent=1, ensure_ascii=False), encoding="utf-8")


class _Parts:
    """The changes of a load, sorted by what they bring, as they come: memories, edges, the rest."""

    def __init__(self, changes: Iterator[Change]) -> None:
        self.clock_us = -1
        self.facts: dict[str, Any] = {}
        self._changes = changes
        self._waiting: Change | None = None
        self._stones: list[Tombstones] = []

    def _next(self) -> Change | None:
        change, self._waiting = self._waiting or next(self._changes, None), None
        if change is not None:
            self.clock_us = change.at_us
        return change

    def added(self) -> Iterator[Added]:
        """New memories, until something else comes."""
        while (change := self._next()) is not None:
            if change.added is None:
                self._waiting = change
                return
            yield change.added

    def edges(self) -> Iterator[Edges]:
        """Edges, until the end; tombstones and facts wait."""
        while (change := self._next()) is not None:
            if change.edges is not None:
                yield change.edges
            if change.tombstones is not None:
                self._stones.append(change.tombstones)
            self.facts.update(change.facts)

    def tombstones(self) -> Iterator[Tombstones]:
        """Tombstones."""
        yield from self._stones


def _sink(frames: Iterator[pl.DataFrame], types: dict[str, pl.DataType], file: Path) -> int:
    """Write frames as row groups, one at a time; how many rows."""
    import polars as pl
    from polars.io.plugins import register_io_source

    count, raised = 0, []

    def source(*_: Any) -> Iterator[pl.DataFrame]:
        nonlocal count
        yield pl.DataFrame(schema=types)
        try:
            for frame in frames:
                count += len(frame)
                yield frame
        except Exception as error:
            # What polars raises for it says neither which nor where.
            raised.append(error)
            raise

    try:
        lazy = register_io_source(source, schema=types)
        lazy.sink_parquet(file, compression="zstd", row_group_size=BLOCK)
    except pl.exceptions.PolarsError as error:
        raise (
            raised[0]
            if raised
            else StoreError(
                f"the file cannot be written ({error})", "See whether there is room", file
            )
        ) from error
    return count


def _memories(added: Added, types: dict[str, pl.DataType]) -> pl.DataFrame:
    import polars as pl

    texts = added.texts
    columns: dict[str, Any] = {
        "id": list(added.ids), **{name: added.scalars[name] for name in SCALARS},
        "content": list(texts.contents), "context": list(texts.contexts),
        "entity": list(texts.entities),
    }  # fmt: skip
    frame = pl.DataFrame(columns, schema={name: types[name] for name in columns})
    return frame.with_columns(pl.Series("vector", texts.vectors, dtype=types["vector"]))


def _edges(edges: Edges, types: dict[str, pl.DataType]) -> pl.DataFrame:
    import polars as pl

    columns: dict[str, Any] = {
        "source": list(edges.source), "target": list(edges.target), "kind": edges.kind,
        "confidence": edges.confidence, "time_us": edges.time_us,
    }  # fmt: skip
    return pl.DataFrame(columns, schema=types)


def _tombstones(stones: Tombstones, types: dict[str, pl.DataType]) -> pl.DataFrame:
    import polars as pl

    columns: dict[str, Any] = {
        "id": list(stones.ids), "time_us": stones.time_us, "salt": list(stones.salt),
        "digest": list(stones.digest), "reason": list(stones.reason),
    }  # fmt: skip
    return pl.DataFrame(columns, schema=types)
