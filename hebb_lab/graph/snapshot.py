"""A graph layer at one moment, as the matrices that other libraries take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from torch_geometric.data import HeteroData

    from hebb_lab.graph.synapse import SynapseLayer


def snapshot(
    layer: SynapseLayer, time_us: int, config: int = 0, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """The merged weights as of strictly before ``time_us``: a [N, N] torch.sparse_csr tensor.

    Indices are int32, as MKL wants them; rows are senders. Symmetric unless the graph is directed.
    """
    rows = layer.adjacency(config, time_us)
    count = layer.graph.node_count
    pointer = np.concatenate([[0], np.cumsum([len(rows.get(n, {})) for n in range(count)])])
    entries = [pair for n in range(count) for pair in sorted(rows.get(n, {}).items())]
    return torch.sparse_csr_tensor(
        torch.from_numpy(pointer.astype(np.int32)),
        torch.tensor([target for target, _ in entries], dtype=torch.int32),
        torch.tensor([weight for _, weight in entries], dtype=dtype),
        size=(count, count),
    )


def to_scipy(matrix: torch.Tensor) -> csr_array:
    """A sparse_csr tensor as scipy.sparse.csr_array, sharing memory."""
    from scipy.sparse import csr_array

    parts = (matrix.values(), matrix.col_indices(), matrix.crow_indices())
    return csr_array(tuple(part.numpy() for part in parts), shape=tuple(matrix.shape))


def to_cupy(matrix: torch.Tensor) -> Any:
    """A sparse_csr tensor on a GPU as cupyx.scipy.sparse.csr_matrix, by DLPack, no copy.

    Raises:
        MissingExtraError: CuPy is not installed.
    """
    from hebb_lab.errors import MissingExtraError

    try:
        import cupy
        from cupyx.scipy.sparse import csr_matrix
    except ImportError as error:
        raise MissingExtraError(
            "CuPy is not installed", "Install the extra: pip install 'hebb_lab[gpu]'"
        ) from error
    parts = (matrix.values(), matrix.col_indices(), matrix.crow_indices())
    return csr_matrix(tuple(cupy.from_dlpack(part) for part in parts), shape=tuple(matrix.shape))


def to_pyg(matrix: torch.Tensor, nodes: tuple[str, ...]) -> HeteroData:
    """A sparse_csr tensor as torch_geometric HeteroData.

    One node type ``node`` with ``num_nodes`` and ``name``, one edge type
    ``(node, synapse, node)`` with ``edge_index`` [2, E] int64 and ``edge_weight`` [E].
    """
    from torch_geometric.data import HeteroData

    degree = matrix.crow_indices().long().diff()
    data = HeteroData()
    data["node"].num_nodes = len(nodes)
    data["node"].name = list(nodes)
    source = torch.repeat_interleave(torch.arange(len(nodes)), degree)
    edges = data["node", "synapse", "node"]
    edges.edge_index = torch.stack([source, matrix.col_indices().long()])
    edges.edge_weight = matrix.values()
    return data
