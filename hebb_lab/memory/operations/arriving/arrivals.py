"""What is handed to ``remember`` as checked columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.limits import (
    LATEST_US,
    Problem,
    content_problem,
    entity_problem,
    kind_problem,
    link_problem,
    listed,
    share_problem,
    written_context,
)
from hebb_lab.memory.operations.arriving.vectors import taken_array, taken_vectors
from hebb_lab.memory.values import Batch, Draft, Link

if TYPE_CHECKING:
    from numpy.typing import NDArray

Problems = dict[int, Problem]  # place → the first thing that is wrong with it


class Arrivals(NamedTuple):
    """n memories as they come in, checked; a row that is refused holds anything.

    Args:
        contents, contexts, entities: [n]; contexts are JSON.
        vectors: [n, d] float32, zeros where none was given.
        importance: [n] float32.
        kinds: [n] int8.
        time_us: [n] int64.
        links: place → edges that it brings.
    """

    contents: Sequence[str]
    contexts: list[str]
    entities: Sequence[str | None]
    vectors: NDArray[np.float32]
    importance: NDArray[np.float32]
    kinds: NDArray[np.int8]
    time_us: NDArray[np.int64]
    links: Mapping[int, Sequence[Link]]


def as_batch(drafts: Draft | Sequence[Draft] | Batch) -> Batch:
    """Drafts as columns.

    Raises:
        InputError: something that is no draft; columns of unequal length.
    """
    if isinstance(drafts, Batch):
        _check_lengths(drafts)
        return drafts
    each: list[Any] = [drafts] if isinstance(drafts, Draft) else listed(
        drafts, "memories", "Give a Draft, a list of them or a Batch"
    )  # fmt: skip
    for place, draft in enumerate(each):
        if not isinstance(draft, Draft):
            raise InputError(
                f"memory {place} is no Draft but {type(draft).__name__}", "Give Draft(content, …)"
            )
    columns: dict[str, Any] = {
        "vectors": [draft.vector for draft in each],
        "importance": [draft.importance for draft in each],
        "kinds": [draft.kind for draft in each],
    }
    return Batch(
        contents=[draft.content for draft in each],
        contexts=[draft.context for draft in each],
        entities=[draft.entity_id for draft in each],
        links=_links({place: draft.links for place, draft in enumerate(each) if draft.links}),
        **columns,
    )


def _links(links: Any) -> Mapping[int, Sequence[Link]]:
    """Links by place, which are lists; an InputError names the place of another thing."""
    if not isinstance(links, Mapping):
        raise InputError("links of a batch are no mapping", "Give place → links")
    for place, some in links.items():
        listed(some, f"links of memory {place}", "Give a list of Links")
    return links


def _is_column(value: Any) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _check_lengths(batch: Batch) -> None:
    columns: dict[str, Any] = {
        "contexts": batch.contexts, "vectors": batch.vectors, "time_us": batch.time_us,
        "entities": None if isinstance(batch.entities, str) else batch.entities,
        "importance": batch.importance if _is_column(batch.importance) else None,
        "kinds": batch.kinds if _is_column(batch.kinds) else None,
    }  # fmt: skip
    if isinstance(batch.contents, str) or not isinstance(batch.contents, Sized):
        raise InputError("contents are one text or no list", "Give a list of texts")
    count = len(batch)
    for name, column in columns.items():
        if column is not None and not isinstance(column, Sized):
            raise InputError(f"{name} of a batch are no list", "Give one for each")
        if column is not None and len(column) != count:
            raise InputError(
                f"a batch has {len(column)} of {name} for {count} contents", "Give one for each"
            )
    if strange := [place for place in _links(batch.links) if not 0 <= place < count]:
        raise InputError(
            f"links are given for place {strange[0]} of {count} memories", "Give places from 0 up"
        )


def checked_arrivals(
    batch: Batch, dimensions: int, at_us: int, floor_us: int | None
) -> tuple[Arrivals, Problems]:
    """A batch as columns of their types, and what is wrong with which of its memories.

    Args:
        batch: see `as_batch`.
        dimensions: d of the store.
        at_us: of the call.
        floor_us: no time may lie before it, nor before one that stands earlier in the batch; None
            where the clock may go back.

    Raises:
        InputError: vectors that are no [n, d], times that are no whole numbers.
    """
    found: Problems = {}
    contents, contexts = batch.contents, _contexts(batch, found)
    for place, content in enumerate(contents):
        if problem := content_problem(content):
            found.setdefault(place, problem)
    entities = _entities(batch, found)
    importance, kinds = _importance(batch, found), _kinds(batch, found)
    vectors = _vectors(batch, dimensions, found)
    time_us = _times(batch, at_us, floor_us, found)
    for place, links in batch.links.items():
        for link in links:
            if problem := link_problem(link, place, len(batch)):
                found.setdefault(place, problem)
    return (
        Arrivals(contents, contexts, entities, vectors, importance, kinds, time_us, batch.links),
        found,
    )


def _contexts(batch: Batch, found: Problems) -> list[str]:
    if batch.contexts is None:
        return ["{}"] * len(batch)
    made: list[str] = []
    for place, context in enumerate(batch.contexts):
        written = written_context(context)
        if isinstance(written, Problem):
            found.setdefault(place, written)
            written = "{}"
        made.append(written)
    return made


def _entities(batch: Batch, found: Problems) -> Sequence[str | None]:
    entities = batch.entities
    if entities is None or isinstance(entities, str):
        if problem := entity_problem(entities):
            found.update({place: problem for place in range(len(batch)) if place not in found})
        return [entities] * len(batch)
    known: dict[Any, Problem | None] = {}
    for place, entity in enumerate(entities):
        key = entity if isinstance(entity, str) else None
        if key is None or key not in known:
            known[key] = entity_problem(entity)
        if problem := known[key]:
            found.setdefault(place, problem)
    return entities


def _importance(batch: Batch, found: Problems) -> NDArray[np.float32]:
    given = batch.importance
    if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in "fiu":
        with np.errstate(invalid="ignore"):
            bad = np.flatnonzero(~((given >= 0) & (given <= 1)))
        for place in bad.tolist():
            found.setdefault(
                place, Problem(f"importance {given[place]} is not in [0, 1]", "Give 0 to 1")
            )
        made = given.astype(np.float32)
        made[bad] = 0
        return made
    values: Any = given if _is_column(given) else [given] * len(batch)
    made = np.zeros(len(batch), np.float32)
    for place, value in enumerate(values):
        if problem := share_problem(value, "importance"):
            found.setdefault(place, problem)
        else:
            made[place] = value
    return made


def _kinds(batch: Batch, found: Problems) -> NDArray[np.int8]:
    values: Any = batch.kinds if _is_column(batch.kinds) else [batch.kinds] * len(batch)
    made = np.ones(len(batch), np.int8)
    for place, value in enumerate(values.tolist() if isinstance(values, np.ndarray) else values):
        if problem := kind_problem(value):
            found.setdefault(place, problem)
        else:
            made[place] = value
    return made


def _vectors(batch: Batch, dimensions: int, found: Problems) -> NDArray[np.float32]:
    given: Any = batch.vectors
    if given is None:
        return np.zeros((len(batch), dimensions), np.float32)
    made, bad = (
        taken_array(given, len(batch), dimensions)
        if isinstance(given, np.ndarray)
        else taken_vectors(given, dimensions)
    )
    for place, problem in bad.items():
        found.setdefault(place, problem)
    return made


def _times(batch: Batch, at_us: int, floor_us: int | None, found: Problems) -> NDArray[np.int64]:
    if batch.time_us is None:
        return np.full(len(batch), at_us, np.int64)
    given = np.asarray(batch.time_us)
    if given.dtype.kind not in "iu" or given.ndim != 1:
        raise InputError("time_us are no whole numbers", "Give µs since 1970, int64")
    wrong = (given < 0) | (given > at_us) | (given > LATEST_US)
    if floor_us is not None and len(given):
        before = np.maximum.accumulate(np.append(floor_us, given))[:-1]
        wrong |= given < before
    for place in np.flatnonzero(wrong).tolist():
        found.setdefault(
            place,
            Problem(
                f"the time {given[place]} lies before the one before it or the store's clock,"
                f" or after that of the call, {at_us}",
                "Give ascending times up to that of the call",
            ),
        )
    return np.where(wrong, at_us, given).astype(np.int64)
