"""The directory of entities as EDIR and its names hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.directory import EntityDirectory
from hebb_lab.graph.cognitive.directory.names import Names, folded
from hebb_lab.graph.cognitive.directory.registry import TypeRegistry
from hebb_lab.graph.files.encoding.hashes import java_string_hash
from hebb_lab.graph.files.entities import EntityDirectoryFile
from hebb_lab.graph.files.names import NamesFile
from hebb_lab.graph.files.registry import RegistryFile

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules

_DAMAGED = "The file is damaged: save the graphs again"


def types_to_file(types: TypeRegistry, most: int) -> RegistryFile:
    """The types with the ids [0, most), as a file holds them."""
    held = [(name, number) for name, number in types.items() if number < most]
    return RegistryFile(
        tuple(name for name, _ in held), np.array([number for _, number in held], np.int32)
    )


def types_of_file(value: RegistryFile) -> TypeRegistry:
    """The types of a file.

    Raises:
        InputError: two types that differ in outer spaces alone.
    """
    return TypeRegistry.of_ids(dict(zip(value.names, value.ids.tolist(), strict=True)))


def directory_to_file(directory: EntityDirectory) -> EntityDirectoryFile:
    """Entities, their links and their names. Names stand in lower case, as they are looked up."""
    n, canonical = len(directory), directory.canonical
    names = directory.names.folded[:n]
    own = np.arange(n, dtype=np.int32)
    return EntityDirectoryFile(
        np.array(directory.names.kinds[:n], np.int32),
        np.array([java_string_hash(name) for name in names], np.int64),
        np.where(canonical == own, np.int32(-1), canonical),
        directory.links.ptr.astype(np.int64), directory.links.memory.astype(np.int32),
        directory.links.weight, NamesFile(tuple(names), own),
    )  # fmt: skip


def directory_of_file(
    path: Path, value: EntityDirectoryFile, types: TypeRegistry, kinds: TypeRegistry,
    rules: CognitiveRules, memories: int,
) -> EntityDirectory:  # fmt: skip
    """The directory of a file, without relations.

    Args:
        path: the file, for errors.
        value: what it holds.
        types: of entities.
        kinds: of relations.
        rules: what holds when it is asked, or learns on.
        memories: that there are.

    Raises:
        InputError: entities merged in a circle, two of one name, an entity linked to a memory
            twice or to one that there is not.
    """
    directory = EntityDirectory(rules, _names(path, value, types), kinds)
    directory.know(len(value))
    directory.merging.canonical = _canonical(path, value.merged_into)
    directory.merging.count = int((value.merged_into >= 0).sum())
    entity = np.repeat(np.arange(len(value), dtype=np.int64), np.diff(value.offsets))
    order = np.lexsort((value.memory, entity))
    memory = value.memory[order]
    if ((np.diff(entity[order]) == 0) & (np.diff(memory) == 0)).any():
        raise InputError("an entity is linked to one memory twice", _DAMAGED, path)
    if (memory >= memories).any():
        raise InputError(
            f"it names memory {int(memory.max())}, and there are {memories}", _DAMAGED, path
        )
    links = directory.links
    links.ptr, links.memory = value.offsets.astype(np.int32), memory
    links.weight = value.weight[order]
    if len(links):  # a file of the code may leave links at an entity that was merged
        links.relabel(directory.canonical)
    return directory


def _names(path: Path, value: EntityDirectoryFile, types: TypeRegistry) -> Names:
    """Each entity by the first name that the file has for it, by its number where it has none."""
    first: dict[int, str] = {}
    others = []
    for name, entity in zip(value.names.names, value.names.ids.tolist(), strict=True):
        if entity in first:
            others.append((name, entity))
        else:
            first[entity] = name
    names = Names()
    for entity in range(len(value)):
        name = first.get(entity, f"entity {entity}")
        if not folded(name):
            raise InputError(f"entity {entity} has a blank name", _DAMAGED, path)
        if names.intern(name) != entity:
            raise InputError(f"two entities have the name '{folded(name)}'", _DAMAGED, path)
    for name, entity in others:
        if names.alias(name, entity) != entity:
            raise InputError(f"two entities have the name '{folded(name)}'", _DAMAGED, path)
    names.types, names.kinds = types, value.kind.tolist()
    return names


def _canonical(path: Path, merged_into: NDArray[np.int32]) -> NDArray[np.int32]:
    """The end of each chain of merges, found by doubling the way that is looked ahead."""
    own = np.arange(len(merged_into), dtype=np.int32)
    canonical = np.where(merged_into < 0, own, merged_into)
    if (merged_into == own).any():
        raise InputError("an entity is merged into itself", _DAMAGED, path)
    for _ in range(len(own).bit_length()):
        canonical = canonical[canonical]
    if (merged_into[canonical] >= 0).any():
        raise InputError("entities are merged into each other in a circle", _DAMAGED, path)
    return canonical
