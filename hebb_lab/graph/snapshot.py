"""A graph layer at one moment, as the matrices that other libraries take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array
    from torch_geometric.data import HeteroData

    from hebb_lab.graph.synapse import SynapseLayer
    from hebb_lab.kernels.arrays import GraphArrays, Snapshots
    from hebb_lab.kernels.parameters import ReadArrays


class MergedRows(NamedTuple):
    """One configuration's weights at one moment: row_ptr [N+1] int64, col int32, weight float64."""

    row_ptr: NDArray[np.int64]
    col: NDArray[np.int32]
    weight: NDArray[np.float64]


def merged_rows(
    config: int, time: int, graph: GraphArrays, found: Snapshots, reads: ReadArrays
) -> MergedRows:
    """The alive edges of one moment, merged over traces and namespaces; columns ascend in a row.

    w(u, v) = Σ over namespaces s and traces k: mix(k) · read_weight(s) · w(u, v, s, k); a namespace
    that is read at 0 is not there. (rules.md §1, merged read.)

    Args:
        config: of ``reads``.
        time: of ``found``.
        graph: with its arrays on the host.
        found: edges as of some times, on the host.
        reads: how configurations read.
    """
    traces = range(int(reads.trace_first[config]), int(reads.trace_stop[config]))
    read = reads.read_weight[config][graph.namespace]  # [E]
    alive = (read > 0) & found.alive[time, :, traces.start : traces.stop].any(axis=1)
    weight = np.zeros(len(alive))
    for k in traces:
        weight += reads.mix[k] * found.weight[time, :, k]
    weight *= read
    slots = np.flatnonzero(alive[graph.edge_id])
    row = np.searchsorted(graph.row_ptr, slots, side="right") - 1
    col = graph.col[slots]
    fresh = np.ones(len(slots), np.bool_)  # else the same neighbour in another namespace
    fresh[1:] = (row[1:] != row[:-1]) | (col[1:] != col[:-1])
    degree = np.bincount(row[fresh], minlength=len(graph.row_ptr) - 1)
    place = np.cumsum(fresh) - 1
    return MergedRows(
        np.concatenate([[0], np.cumsum(degree)]).astype(np.int64),
        col[fresh],
        np.asarray(np.bincount(place, weight[graph.edge_id[slots]], int(fresh.sum())), np.float64),
    )


def snapshot(
    layer: SynapseLayer, time_us: int, config: int = 0, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """The merged weights as of strictly before ``time_us``: a [N, N] torch.sparse_csr tensor.

    Indices are int32, as MKL wants them; rows are senders. Symmetric unless the graph is directed.
    """
    return snapshots(layer, time_us, [config], dtype)[0]


def snapshots(
    layer: SynapseLayer,
    time_us: int,
    configs: Sequence[int] | None = None,
    dtype: torch.dtype = torch.float32,
) -> list[torch.Tensor]:
    """One matrix for each rule set, or for some of them, from one decay sweep; see ``snapshot``."""
    chosen = range(len(layer.rules)) if configs is None else configs
    count = layer.graph.node_count
    return [
        torch.sparse_csr_tensor(
            torch.from_numpy(rows.row_ptr.astype(np.int32)),
            torch.from_numpy(rows.col),
            torch.from_numpy(rows.weight).to(dtype),
            size=(count, count),
        )
        for rows in layer.rows_as_of(chosen, time_us)
    ]


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
