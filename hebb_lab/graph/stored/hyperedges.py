"""Atoms of entities, hyperedges and relations, as HYEG holds them.

HYEG has no room for two things that an atom has. That an entity was pushed out of a hyperedge for
want of room (it is named there still and leads there no more) is the role + 256, for roles take a
byte. At which memory an atom was last used is its time: of equal times nothing tells it apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.files.hyperedges import HyperedgeFile

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.atoms import Atoms

LEFT = 256
_DAMAGED = "The file is damaged: save the graphs again"


def atoms_to_file(atoms: Atoms, time_us: NDArray[np.int64]) -> HyperedgeFile:
    """Atoms as a file holds them: one record for each id that was ever given.

    Args:
        atoms: of the layer.
        time_us: of the memories; an atom has that of the memory which used it last.
    """
    n, live = atoms.next_number, atoms.number
    columns = {name: np.zeros(n, np.int32) for name in ("kind", "count", "offset")}
    weight, memory = np.zeros(n, np.float32), np.full(n, -1, np.int32)
    time_ms = np.zeros(n, np.int64)
    columns["kind"][live], weight[live], memory[live] = atoms.kind, atoms.weight, atoms.memory
    columns["count"][live], columns["offset"][live] = np.diff(atoms.ptr), atoms.ptr[:-1]
    timed = atoms.used >= 0
    time_ms[live[timed]] = time_us[atoms.used[timed]] // 1000
    role = np.where(atoms.takes_part, 0, LEFT).astype(np.int32) + atoms.role
    return HyperedgeFile(
        np.arange(n, dtype=np.int32), columns["kind"], weight, columns["count"], columns["offset"],
        memory, time_ms, atoms.entity.astype(np.int32), role, atoms.entities,
        max(n, 2 * atoms.entities),
    )  # fmt: skip


def put_atoms(atoms: Atoms, path: Path, value: HyperedgeFile, entities: int, memories: int) -> None:
    """Fill atoms that hold none with those of a file. Incidence is counted from them when asked.

    Args:
        atoms: without any.
        path: the file, for errors.
        value: what it holds.
        entities: that there are.
        memories: that there are.

    Raises:
        InputError: an id, an entity, a memory or a role that cannot be.
    """
    live = np.flatnonzero(value.vertex_count > 0)
    live = live[np.argsort(value.id[live], kind="stable")]
    number, size = value.id[live], value.vertex_count[live].astype(np.int64)
    total = int(size.sum())
    if total > len(value.entity):  # shared vertices could ask for any amount of memory
        _refuse(path, f"hyperedges have {total} vertices and the file {len(value.entity)}")
    ptr = np.concatenate([[0], np.cumsum(size)])
    at = np.repeat(value.vertex_offset[live] - ptr[:-1], size) + np.arange(total)
    entity, role, memory = value.entity[at], value.role[at], value.memory[live]
    if (np.diff(number) == 0).any():
        _refuse(path, "two hyperedges have one id")
    if len(number) and number[-1] >= len(value):
        _refuse(path, f"it has a hyperedge {number[-1]}, and gave {len(value)} ids")
    if (entity >= entities).any():
        _refuse(path, f"it names entity {int(entity.max())}, and the directory has {entities}")
    if (memory >= memories).any():
        _refuse(path, f"it names memory {int(memory.max())}, and there are {memories}")
    if (role >= 2 * LEFT).any():
        _refuse(path, f"it has a role {int(role.max())}, and roles fit in a byte")
    atom = np.repeat(np.arange(len(live)), size)
    key = np.sort(atom.astype(np.int64) << 32 | entity)
    if (np.diff(key) == 0).any():
        _refuse(path, "an entity stands in a hyperedge twice")
    atoms.grow(entities)
    atoms.next_number = len(value)
    atoms.ptr, atoms.entity = ptr.astype(np.int32), entity
    atoms.role, atoms.takes_part = (role % LEFT).astype(np.uint8), role < LEFT
    atoms.number, atoms.kind = number, value.kind[live]
    atoms.weight, atoms.memory, atoms.used = value.weight[live], memory, memory.copy()


def _refuse(path: Path, problem: str) -> None:
    raise InputError(problem, _DAMAGED, path)
