"""Layer 1 and the chain as their files hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.associations.table import AssociationGraph
from hebb_lab.graph.cognitive.sequences.links import ChainNodes
from hebb_lab.graph.files.chain import ChainFile
from hebb_lab.graph.files.hebbian import HebbianFile

if TYPE_CHECKING:
    from pathlib import Path

EDGES_A_NODE = 2
"""Directed edges that a store of Spector makes room for, for each memory."""


def associations_to_file(graph: AssociationGraph) -> HebbianFile:
    """Edges with room for as many as Spector would make."""
    room = max(len(graph.neighbor), EDGES_A_NODE * (len(graph.offsets) - 1))
    return HebbianFile(**graph._asdict(), edge_capacity=room)


def associations_of_file(path: Path, value: HebbianFile) -> AssociationGraph:
    """Edges by memory and neighbour.

    Raises:
        InputError: an edge that stands there twice.
    """
    row = np.repeat(np.arange(len(value)), np.diff(value.offsets))
    order = np.lexsort((value.neighbor, row))
    neighbor = value.neighbor[order]
    if ((np.diff(row) == 0) & (np.diff(neighbor) == 0)).any():
        raise InputError(
            "an edge stands there twice", "The file is damaged: save the graphs again", path
        )
    return AssociationGraph(
        value.offsets, neighbor, value.weight[order], value.last_cycle[order],
        value.bridge[order], value.flags[order], value.cycle,
    )  # fmt: skip


def chain_to_file(nodes: ChainNodes) -> ChainFile:
    """All known memories are in use, also those in no chain."""
    return ChainFile(*nodes, len(nodes.previous))


def chain_of_file(value: ChainFile) -> ChainNodes:
    """All nodes that there is room for: how many are in use says nothing of which."""
    return ChainNodes(value.previous, value.next, value.session, value.epoch_seconds)
