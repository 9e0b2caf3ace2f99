"""A journal in memory: as `durable`, without a file. What the process forgets is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory import consistent
from hebb_lab.memory.changes import (
    SCALARS,
    Added,
    Change,
    Edges,
    Rewritten,
    Texts,
    Tombstones,
    Updated,
)
from hebb_lab.memory.consistent import BLOCK, OWN_FACTS, check_change, highest_of, no_ids_twice
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids

COLUMN = {name: place for place, name in enumerate(SCALARS)}
NUMBER_BYTES = sum(np.dtype(kind).itemsize for kind in SCALARS.values())
_EdgeKey = tuple[bytes, bytes, int]


class _Said(NamedTuple):
    content: str
    context: str
    entity: str | None
    vector: NDArray[np.float32]  # [d], its own copy


class VolatileJournal:
    """Changes kept in dicts.

    Args:
        dimensions: length of vectors; ConfigError where that is no length.
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions = consistent.check_dimensions(dimensions)
        self._said: dict[bytes, _Said] = {}
        self._numbers: dict[bytes, list[Any]] = {}  # in the order of SCALARS
        self._edges: dict[_EdgeKey, tuple[float, int]] = {}  # in the order of writing
        self._touching: dict[bytes, dict[_EdgeKey, None]] = {}  # id → its edges, both ways
        self._tombstones: dict[bytes, tuple[int, bytes, bytes, str]] = {}
        self._facts: dict[str, Any] = {
            "clock_us": -1, "dimensions": dimensions, "memories": 0, "sequence": 0,
            "highest_id": None,
        }  # fmt: skip

    @property
    def facts(self) -> Mapping[str, Any]:
        """Values that the store keeps for itself."""
        return MappingProxyType(self._facts)

    def commit(self, change: Change) -> None:
        """Keep a change, or nothing of it.

        Raises:
            StoreError: parts that do not fit, an id that is there already.
            MemoryNotFoundError: new numbers or texts of a memory that is not there.
        """
        self._check(change)
        if change.added is not None:
            self._add(change.added)
        if change.rewritten is not None:
            self._say(change.rewritten)
        for updated in change.updated:
            self._update(updated)
        if change.edges is not None:
            self._link(change.edges)
        if change.forgotten is not None:
            self._forget(change.forgotten)
        if change.tombstones is not None:
            stones = change.tombstones
            self._tombstones.update(
                zip(stones.ids.to_bytes(), zip(stones.time_us.tolist(), *stones[2:], strict=True),
                    strict=True)
            )  # fmt: skip
        if change.collected is not None:
            for part in change.collected.to_bytes():
                self._tombstones.pop(part, None)
        self._note(change)

    def _check(self, change: Change) -> None:
        check_change(change, self.dimensions)
        new: set[bytes] = set()
        if change.added is not None:
            no_ids_twice(change.added.ids, self._said)
            new.update(change.added.ids.to_bytes())
        changed = [updated.ids for updated in change.updated]
        if change.rewritten is not None:
            changed.append(change.rewritten.ids)
        for ids in changed:
            for place, part in enumerate(ids.to_bytes()):
                if part not in self._said and part not in new:
                    raise _not_there(ids[place])

    def _add(self, added: Added) -> None:
        self._say(Rewritten(added.ids, added.texts))
        columns = [np.asarray(added.scalars[name], kind).tolist() for name, kind in SCALARS.items()]
        for part, *numbers in zip(added.ids.to_bytes(), *columns, strict=True):
            self._numbers[part] = numbers

    def _say(self, written: Rewritten) -> None:
        texts = written.texts
        said = zip(texts.contents, texts.contexts, texts.entities, texts.vectors.copy(),
                   strict=True)  # fmt: skip
        self._said.update(zip(written.ids.to_bytes(), map(_Said._make, said), strict=True))

    def _update(self, updated: Updated) -> None:
        keys = updated.ids.to_bytes()
        for name, values in updated.scalars.items():
            column = COLUMN[name]
            for part, value in zip(keys, values.astype(SCALARS[name]).tolist(), strict=True):
                self._numbers[part][column] = value

    def _link(self, edges: Edges) -> None:
        keys = zip(edges.source.to_bytes(), edges.target.to_bytes(), edges.kind.tolist(),
                   strict=True)  # fmt: skip
        values = zip(edges.confidence.tolist(), edges.time_us.tolist(), strict=True)
        for key, value in zip(keys, values, strict=True):
            self._edges[key] = value
            self._touching.setdefault(key[0], {})[key] = None
            self._touching.setdefault(key[1], {})[key] = None

    def _forget(self, ids: Ids) -> None:
        for part in ids.to_bytes():
            self._said.pop(part, None)
            self._numbers.pop(part, None)
            for key in self._touching.pop(part, {}):
                del self._edges[key]
                other = key[1] if key[0] == part else key[0]
                self._touching.get(other, {}).pop(key, None)

    def _note(self, change: Change) -> None:
        highest = highest_of(self._facts["highest_id"], change)
        for name, value in change.facts.items():
            if value is None:
                self._facts.pop(name, None)
            else:
                # As a file would hand it back: lists, not tuples, and nobody else's object.
                self._facts[name] = json.loads(json.dumps(value))
        self._facts["highest_id"] = highest
        self._facts["clock_us"] = change.at_us
        self._facts["memories"] = len(self._said)
        self._facts["sequence"] += 1

    def load(self) -> Iterator[Change]:
        """Everything that is kept, in the order of ids; edges and facts come last."""
        if not self._facts["sequence"]:
            return
        at_us = int(self._facts["clock_us"])
        keys = sorted(self._said)
        for first in range(0, len(keys), BLOCK):
            yield Change(at_us, added=self._added(keys[first : first + BLOCK]))
        facts = {name: value for name, value in self._facts.items() if name not in OWN_FACTS}
        yield Change(at_us, edges=self._all_edges(), tombstones=self.tombstones(), facts=facts)

    def _added(self, keys: list[bytes]) -> Added:
        contents, contexts, entities, vectors = zip(*(self._said[key] for key in keys), strict=True)
        columns = zip(*(self._numbers[key] for key in keys), strict=True)
        scalars = {
            name: np.array(column, kind)
            for (name, kind), column in zip(SCALARS.items(), columns, strict=True)
        }
        texts = Texts(contents, contexts, entities, np.stack(vectors))
        return Added(Ids.from_bytes(keys), texts, scalars)

    def _all_edges(self) -> Edges:
        if not self._edges:
            return Edges.none()
        source, target, kind = zip(*self._edges, strict=True)
        confidence, time_us = zip(*self._edges.values(), strict=True)
        return Edges(
            Ids.from_bytes(source), Ids.from_bytes(target), np.array(kind, np.int8),
            np.array(confidence, np.float32), np.array(time_us, np.int64),
        )  # fmt: skip

    def contents(self, ids: Ids) -> list[str]:
        """What memories say.

        Raises:
            MemoryNotFoundError: an id that is not there; it is a KeyError too.
        """
        return [said.content for said in self._said_by(ids)]

    def contexts(self, ids: Ids) -> list[dict[str, Any]]:
        """The contexts of memories.

        Raises:
            MemoryNotFoundError: an id that is not there.
        """
        return [json.loads(said.context) for said in self._said_by(ids)]

    def _said_by(self, ids: Ids) -> Iterator[_Said]:
        for place, part in enumerate(ids.to_bytes()):
            if part not in self._said:
                raise _not_there(ids[place])
            yield self._said[part]

    def tombstones(self) -> Tombstones:
        """All tombstones, in the order of ids."""
        keys = sorted(self._tombstones)
        rows = [self._tombstones[key] for key in keys]
        return Tombstones(
            Ids.from_bytes(keys), np.array([row[0] for row in rows], np.int64),
            [row[1] for row in rows], [row[2] for row in rows], [row[3] for row in rows],
        )  # fmt: skip

    def check(self, *, dangling_edges: str = "keep") -> list[str]:
        """What is wrong: edges to memories that are not there, where the rules refuse them."""
        lost = sum(not (key[0] in self._said and key[1] in self._said) for key in self._edges)
        return [f"{lost} edges dangle"] if lost and dangling_edges == "refuse" else []

    def changed(self) -> bool:
        """Whether another writer has changed it: never."""
        return False

    def settle(self) -> None:
        """Nothing: there is no log before it."""

    def compact(self) -> None:
        """Nothing: what was forgotten is gone."""

    def byte_count(self) -> int:
        """Bytes of texts, vectors and numbers, without what Python adds to them."""
        texts = sum(
            len(said.content.encode()) + len(said.context.encode()) + 4 * self.dimensions
            for said in self._said.values()
        )
        return texts + NUMBER_BYTES * len(self._said) + 45 * len(self._edges)

    def close(self) -> None:
        """Nothing to let go of."""


def _not_there(name: str) -> MemoryNotFoundError:
    return MemoryNotFoundError(f"no memory has the id {name}", "It was forgotten or never written")
