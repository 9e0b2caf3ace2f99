"""Stored graphs, read into what layers learned, and how researchers look at them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.hypergraph import Hypergraph
from hebb_lab.graph.cognitive.directory.registry import (
    HYPEREDGE_TYPES,
    ROLES,
    TypeRegistry,
)
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.graph.files.chain import read_chain
from hebb_lab.graph.files.coactivation import read_co_activation
from hebb_lab.graph.files.entities import read_entity_directory
from hebb_lab.graph.files.hebbian import read_hebbian
from hebb_lab.graph.files.hyperedges import read_hyperedges
from hebb_lab.graph.files.registry import read_registry
from hebb_lab.graph.stored.associations import associations_of_file, chain_of_file
from hebb_lab.graph.stored.directory import directory_of_file, types_of_file
from hebb_lab.graph.stored.hyperedges import put_atoms
from hebb_lab.graph.stored.layout import files_in
from hebb_lab.graph.stored.tags import StoredTags, tags_of_file
from hebb_lab.records import Lists
from hebb_lab.records.known_types import ENTITY_TYPES, RELATION_TYPES

if TYPE_CHECKING:
    from hebb_lab.graph.cognitive.associations.table import AssociationGraph
    from hebb_lab.graph.cognitive.directory.directory import EntityDirectory
    from hebb_lab.graph.cognitive.sequences.links import ChainNodes

_KNOWN_TYPES = {
    "entity_types": ENTITY_TYPES, "relation_types": RELATION_TYPES,
    "hyperedge_types": HYPEREDGE_TYPES, "roles": ROLES,
}  # fmt: skip


@dataclass(frozen=True)
class StoredGraphs:
    """What all layers had learned of N memories, which are numbered in the order of writing.

    Args:
        folder: whence.
        associations: layer 1; ``to_scipy()`` and ``to_torch()`` give its weights.
        chain: who stands before and after each memory.
        tags: pairs and directed edges by name.
        directory: entities with names, types, links, merges and relations; ``find``,
            ``memories_of``, ``traverse`` ask it.
        hypergraph: hyperedges with roles and types; ``of_entity`` and ``co_occurring`` ask it.
    """

    folder: Path
    associations: AssociationGraph
    chain: ChainNodes
    tags: StoredTags
    directory: EntityDirectory
    hypergraph: Hypergraph

    def chains(self) -> Lists:
        """The sequences of two and more memories, by their first memory.

        Raises:
            InputError: pointers that lead back, or past the one that they come from.
        """
        following, previous = self.chain.following, self.chain.previous
        linked = np.flatnonzero(following >= 0)
        rows: list[list[int]] = []
        if (previous[following[linked]] == linked).all():
            after = following.tolist()
            for first in np.flatnonzero((previous < 0) & (following >= 0)).tolist():
                row = [first]
                while after[row[-1]] >= 0:  # ends: no memory follows two
                    row.append(after[row[-1]])
                rows.append(row)
        if sum(map(len, rows)) - len(rows) < len(linked):
            raise InputError(
                "the chain leads back, or two memories lead to one",
                "The file is damaged: save the graphs again", self.folder,
            )  # fmt: skip
        return Lists.of(rows)

    def incidence(self) -> Any:
        """[E, H] scipy.sparse.csr_array of float32: the weight of a hyperedge at its entities.

        An entity that was pushed out of a hyperedge is not at it. Column h is the hyperedge whose
        id is ``hypergraph.atoms.number[h]``.
        """
        from scipy.sparse import csr_array

        atoms = self.hypergraph.atoms
        ptr, rows = atoms.incidence()
        return csr_array((atoms.weight[rows], rows, ptr), shape=(len(ptr) - 1, len(atoms)))


def read_graphs(folder: str | Path, rules: CognitiveRules | None = None) -> StoredGraphs:
    """Read the graphs of a folder, in either format.

    Args:
        folder: that `save_graphs` wrote to, or one of Spector's with its files.
        rules: caps and weights, which no file holds, for who writes on; None: the page's.

    Raises:
        InputError: no folder, a graph that is missing, there twice or broken, or graphs that do
            not fit each other.
    """
    folder, rules = Path(folder), rules or CognitiveRules()
    files = files_in(folder)
    types = {part: _types(files.get(part), known) for part, known in _KNOWN_TYPES.items()}
    graph = associations_of_file(files["associations"], read_hebbian(files["associations"]))
    stored_chain = read_chain(files["chain"])
    memories = max(len(graph.offsets) - 1, len(stored_chain))
    directory = directory_of_file(
        files["directory"], read_entity_directory(files["directory"]), types["entity_types"],
        types["relation_types"], rules, memories,
    )  # fmt: skip
    hypergraph = Hypergraph(rules)
    hypergraph.kinds, hypergraph.roles = types["hyperedge_types"], types["roles"]
    for part, atoms in (("hyperedges", hypergraph.atoms), ("relations", directory.relations)):
        if part in files:
            value = read_hyperedges(files[part])
            put_atoms(atoms, files[part], value, len(directory), memories)
    if len(directory.relations.entity) != 2 * len(directory.relations):
        raise InputError(
            "a relation has two ends, and here one has not",
            "The file is damaged: save the graphs again", files["relations"],
        )  # fmt: skip
    tags = tags_of_file(files["tags"], read_co_activation(files["tags"]))
    return StoredGraphs(folder, graph, chain_of_file(stored_chain), tags, directory, hypergraph)


def _types(path: Path | None, known: tuple[str, ...]) -> TypeRegistry:
    return TypeRegistry(known) if path is None else types_of_file(read_registry(path))
