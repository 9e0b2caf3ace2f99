"""The state as what other libraries take: a polars table, tensors, a graph of PyG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.changes import SCALARS
from hebb_lab.memory.values import EdgeKind

if TYPE_CHECKING:
    import polars as pl
    import torch
    from numpy.typing import NDArray
    from torch_geometric.data import HeteroData

    from hebb_lab.memory.ids import Ids
    from hebb_lab.memory.state.memories import State

_DIGITS = np.frombuffer(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", np.uint8)  # Crockford's base 32
_LETTERS = 26  # of a ULID, five bits each; the first has but three


def id_texts(ids: Ids) -> NDArray[np.str_]:
    """The text form of many ids at once, [n]; as the library writes each."""
    high, low = ids.array[:, 0], ids.array[:, 1]
    letters = np.empty((len(ids), _LETTERS), np.uint8)
    for place in range(_LETTERS):
        shift = 5 * (_LETTERS - 1 - place)  # bits to the right of this letter
        bits = low >> np.uint64(shift) if shift < 64 else high >> np.uint64(shift - 64)
        if 59 < shift < 64:  # the letter that has bits of both halves
            bits = bits | (high << np.uint64(64 - shift))
        letters[:, place] = _DIGITS[bits & np.uint64(31)]
    return letters.view(f"S{_LETTERS}").ravel().astype(f"U{_LETTERS}")


def frame_of(state: State) -> pl.DataFrame:
    """Memories as a table, in the order of rows: id, entity_id, all numbers; kinds as numbers."""
    import polars as pl

    rows = np.flatnonzero(state.alive)
    names = np.array([*state.entities, None], object)  # −1 is the last
    return pl.DataFrame({
        "id": id_texts(state.ids_of(rows)),
        "entity_id": pl.Series(names[state.entity[rows]].tolist(), dtype=pl.String),
        **{name: state.column(name)[rows] for name in SCALARS},
    })  # fmt: skip


def tensors_of(state: State, device: str) -> dict[str, torch.Tensor]:
    """Columns [count], rows of forgotten memories included, and ``vectors`` [count, d].

    On the CPU columns share memory with the state until memories are added; vectors are a copy.
    """
    import torch

    columns = {name: state.column(name) for name in SCALARS}
    columns |= {"alive": state.alive, "has_vector": state.has_vector, "entity": state.entity}
    made = {name: torch.from_numpy(column).to(device) for name, column in columns.items()}
    blocks = [torch.from_numpy(block).to(device) for _, block in state.vectors.blocks()]
    empty = torch.empty(0, state.dimensions, device=device)
    return {**made, "vectors": torch.cat([empty, *blocks])}


def to_pyg(state: State) -> HeteroData:
    """Memories and their edges as torch_geometric HeteroData.

    One node type ``memory`` with ``num_nodes`` (all rows) and ``alive``; for each kind of edges
    ``(memory, <kind>, memory)`` with ``edge_index`` [2, E] int64 and ``confidence`` [E].
    """
    import torch
    from torch_geometric.data import HeteroData

    data = HeteroData()
    data["memory"].num_nodes = state.count
    data["memory"].alive = torch.from_numpy(state.alive.copy())
    for kind in EdgeKind:
        ptr, col, edge = state.edges.csr((kind,))
        source = np.repeat(np.arange(state.count), np.diff(ptr))
        relation = data["memory", kind.name.lower(), "memory"]
        relation.edge_index = torch.from_numpy(np.stack([source, col]))
        relation.confidence = torch.from_numpy(state.edges.confidence[edge])
    return data
