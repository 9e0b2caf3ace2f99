"""Tags by their hashes in a file, and by their names in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.tagging.counts import PairTable
from hebb_lab.graph.cognitive.tagging.edges import EdgeTable
from hebb_lab.graph.files.coactivation import BANDIT, CoActivationFile
from hebb_lab.graph.files.encoding.hashes import tag_hash
from hebb_lab.graph.files.encoding.slots import slot_count

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import polars as pl
    from numpy.typing import NDArray


@dataclass(frozen=True)
class StoredTags:
    """Counts of T tags that were together, and edges from tags to tags that follow.

    Args:
        names: [T]; one whose name the file does not have is called by its hash, as 0x….
        pairs: by first and second tag, first < second.
        edges: by source and target.
    """

    names: tuple[str, ...]
    pairs: PairTable
    edges: EdgeTable

    def pairs_frame(self) -> pl.DataFrame:
        """One row a pair: first, second (names), times."""
        return self._frame(self.pairs._asdict(), ("first", "second"))

    def edges_frame(self) -> pl.DataFrame:
        """One row an edge: source, target (names), weight, last_ms, changes."""
        return self._frame(self.edges._asdict(), ("source", "target"))

    def _frame(self, columns: dict[str, Any], named: tuple[str, str]) -> pl.DataFrame:
        import polars as pl

        name = [self.names[tag] for tag in columns[named[0]]]
        other = [self.names[tag] for tag in columns[named[1]]]
        data = {**columns, named[0]: name, named[1]: other}
        return pl.DataFrame(data, schema_overrides=dict.fromkeys(named, pl.String))


def tags_to_file(
    names: Sequence[str], carried: NDArray[np.integer], pairs: PairTable, edges: EdgeTable
) -> CoActivationFile:
    """Counts and edges as a file holds them.

    Args:
        names: of all tags.
        carried: tags that some known memory carries; others are named where a pair or an edge
            has them, so that a file says nothing of what was written later.
        pairs: of the layer.
        edges: of the layer.

    Raises:
        InputError: two tags with one hash.
    """
    ends = (pairs.first, pairs.second, edges.source, edges.target)
    named = np.unique(np.concatenate([carried, *ends]).astype(np.int64))
    hashes = np.zeros(len(names), np.int64)
    seen: dict[int, str] = {}
    for tag in named.tolist():
        hashes[tag] = number = tag_hash(names[tag])
        if number in seen:
            raise InputError(
                f"the tags '{seen[number]}' and '{names[tag]}' have the same hash",
                "Files tell tags apart by their hashes: rename one",
            )
        seen[number] = names[tag]
    a, b = np.sort(np.stack([hashes[pairs.first], hashes[pairs.second]]), axis=0)
    source, target = hashes[edges.source], hashes[edges.target]
    p, e = np.lexsort((b, a)), np.lexsort((target, source))
    return CoActivationFile(
        a[p], b[p], pairs.times[p], source[e], target[e], edges.weight[e], edges.last_ms[e],
        edges.changes[e], hashes[named], tuple(names[tag] for tag in named.tolist()),
        np.zeros(0, BANDIT), slot_count(len(p)), slot_count(len(e)),
    )  # fmt: skip


def tags_of_file(path: Path, value: CoActivationFile) -> StoredTags:
    """Counts and edges by names.

    Raises:
        InputError: two names with one hash, or a pair or an edge of a tag and itself.
    """
    place: dict[int, int] = {}
    for number, name in zip(value.tag_hash.tolist(), value.tag_names, strict=True):
        if number in place:
            raise InputError(f"a hash has two names, the second is '{name}'", _DAMAGED, path)
        place[number] = len(place)
    names = list(value.tag_names)
    ends = (value.pair_a, value.pair_b, value.source, value.target)
    for number in np.unique(np.concatenate(ends)).tolist():
        if number not in place:
            place[number] = len(place)
            names.append(f"0x{number & (1 << 64) - 1:016x}")
    a, b, source, target = (
        np.array([place[number] for number in end.tolist()], np.int32) for end in ends
    )
    if (a == b).any() or (source == target).any():
        raise InputError("a tag goes with itself", _DAMAGED, path)
    first, second = np.minimum(a, b), np.maximum(a, b)
    p, e = np.lexsort((second, first)), np.lexsort((target, source))
    return StoredTags(
        tuple(names), PairTable(first[p], second[p], value.pair_count[p]),
        EdgeTable(
            source[e], target[e], value.weight[e], value.last_ms[e], value.activations[e]
        ),
    )  # fmt: skip


_DAMAGED = "The file is damaged: save the graphs again"
