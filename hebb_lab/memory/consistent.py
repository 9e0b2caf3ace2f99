"""What a journal asks of a change before it keeps any of it; the same for every journal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hebb_lab.errors import ConfigError
from hebb_lab.memory.changes import SCALARS, Change, Edges, Texts, Tombstones
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.ids import Ids

OWN_FACTS = ("clock_us", "dimensions", "memories", "sequence")
"""Facts that a journal keeps by itself: time of the last change, d, how many memories, commits.

``highest_id`` too, but a change may bring it: the higher one stays. It is what the next id must
lie above, so that no id of a forgotten memory is ever given again.
"""
BLOCK = 8192  # memories of one change that is loaded
SALT_BYTES, DIGEST_BYTES = 16, 32


def check_dimensions(dimensions: Any) -> int:
    """A length of vectors as an int.

    Raises:
        ConfigError: none from 1 to 65,536; a bool, text or a broken number is none.
    """
    whole = isinstance(dimensions, (int, np.integer)) and not isinstance(dimensions, bool)
    if not whole:
        raise ConfigError(f"dimensions={dimensions!r} is no whole number", "Give 1 to 65536")
    if not 1 <= dimensions <= 65_536:
        raise ConfigError(f"dimensions={dimensions} is out of range", "Give 1 to 65536")
    return int(dimensions)


def check_change(change: Change, dimensions: int) -> None:
    """Refuse a change whose parts do not fit each other.

    Args:
        change: not yet kept.
        dimensions: d of the store.

    Raises:
        StoreError: columns of unequal length, a column that is missing or unknown, vectors that
            are not [n, d] float32, a number that is not finite, a fact that is no JSON.
    """
    if change.added is not None:
        _check_texts("added", change.added.texts, len(change.added.ids), dimensions)
        _check_scalars("added", change.added.scalars, len(change.added.ids))
        if len(change.added.scalars) != len(SCALARS):
            missing = ", ".join(sorted(SCALARS.keys() - change.added.scalars.keys()))
            raise _wrong("added", f"is without {missing}")
        _check_once("added", change.added.ids)
    if change.rewritten is not None:
        _check_texts("rewritten", change.rewritten.texts, len(change.rewritten.ids), dimensions)
        _check_once("rewritten", change.rewritten.ids)
    for updated in change.updated:
        _check_scalars("updated", updated.scalars, len(updated.ids))
    if change.edges is not None:
        _check_edges(change.edges)
    if change.tombstones is not None:
        _check_tombstones(change.tombstones)
    if change.facts:
        _check_facts(change.facts)


def highest_of(before: str | None, change: Change) -> str | None:
    """The highest id that a store has ever held, as 32 hexadecimal digits.

    Args:
        before: the same before the change.
        change: what may bring higher ones.
    """
    found = [one for one in (before, change.facts.get("highest_id")) if one is not None]
    if change.added is not None and len(change.added.ids):
        array = change.added.ids.array
        top = array[array[:, 0] == array[:, 0].max()]
        found.append(f"{int(top[0, 0]):016x}{int(top[:, 1].max()):016x}")
    return max(found, default=None)


def _wrong(part: str, problem: str) -> StoreError:
    return StoreError(f"the part {part!r} of a change {problem}", "Nothing of it was kept")


def _check_lengths(part: str, count: int, **columns: Sized) -> None:
    for name, column in columns.items():
        if len(column) != count:
            raise _wrong(part, f"has {len(column)} of {name} for {count} rows")


def _check_once(part: str, ids: Ids) -> None:
    if len(set(ids.to_bytes())) < len(ids):
        raise _wrong(part, "has an id twice")


def _check_texts(part: str, texts: Texts, count: int, dimensions: int) -> None:
    _check_lengths(
        part, count, contents=texts.contents, contexts=texts.contexts, entities=texts.entities
    )
    vectors = texts.vectors
    if vectors.shape != (count, dimensions) or vectors.dtype != np.float32:
        raise _wrong(
            part,
            f"has vectors {list(vectors.shape)} {vectors.dtype}, not [{count}, {dimensions}]"
            " float32",
        )


def _check_scalars(part: str, scalars: Mapping[str, NDArray[Any]], count: int) -> None:
    if unknown := scalars.keys() - SCALARS.keys():
        raise _wrong(part, f"has the unknown column {min(unknown)}")
    for name, column in scalars.items():
        if column.shape != (count,):
            raise _wrong(part, f"has {name} of shape {list(column.shape)} for {count} rows")
        if SCALARS[name] is np.float32 and not np.isfinite(column).all():
            raise _wrong(part, f"has a {name} that is not finite")


def _check_edges(edges: Edges) -> None:
    _check_lengths(
        "edges", len(edges.source), target=edges.target, kind=edges.kind,
        confidence=edges.confidence, time_us=edges.time_us,
    )  # fmt: skip
    if not np.isfinite(edges.confidence).all():
        raise _wrong("edges", "has a confidence that is not finite")


def _check_tombstones(stones: Tombstones) -> None:
    _check_lengths(
        "tombstones", len(stones.ids), time_us=stones.time_us, salt=stones.salt,
        digest=stones.digest, reason=stones.reason,
    )  # fmt: skip
    for salt, digest in zip(stones.salt, stones.digest, strict=True):
        if len(salt) != SALT_BYTES or len(digest) != DIGEST_BYTES:
            raise _wrong("tombstones", f"has a salt of {len(salt)} or a digest of {len(digest)}")


def _check_facts(facts: Mapping[str, Any]) -> None:
    for name in facts:
        if name in OWN_FACTS:
            raise _wrong("facts", f"has {name}, which the journal keeps by itself")
    try:
        json.dumps(dict(facts), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise _wrong("facts", f"is no JSON ({error})") from None


def no_ids_twice(ids: Ids, known: Any) -> None:
    """Refuse new memories whose ids are there already.

    Args:
        ids: of the new ones.
        known: what says ``in`` of 16 bytes.

    Raises:
        StoreError: it names the first such id.
    """
    for place, part in enumerate(ids.to_bytes()):
        if part in known:
            raise StoreError(f"id {ids[place]} is there already", "Nothing was kept; give new ids")
