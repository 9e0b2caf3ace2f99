"""Two hops through weights that stand still, with the libraries that people would use instead.

Each peer is handed its matrix beforehand, the senders' hub factor and the factor of a hop already
in it, and sums both hops; none takes the best k. Ours does all of that in its time.
"""

import numpy as np
import torch
from scipy.sparse import csr_array

HOPS = 2


def scaled_weights(rows, rules):
    """Weight × factor of a hop × hub factor of the sender, [S]; and what each slot's sender is."""
    degree = np.diff(rows.row_ptr)
    hub = np.sqrt(np.minimum(1.0, rules.hub_degree / np.maximum(degree, 1)))
    sender = np.repeat(np.arange(len(degree), dtype=np.int32), degree)
    weight = rows.weight[:, 0]
    return (weight * (rules.spread_decay * hub)[sender]).astype(weight.dtype), sender


def sending(rows, rules):
    """The matrix whose row is the sender."""
    weight, _ = scaled_weights(rows, rules)
    size = len(rows.row_ptr) - 1
    return csr_array((weight, rows.col, rows.row_ptr.astype(np.int32)), shape=(size, size))


def receiving(rows, rules):
    """The matrix whose row is the receiver, of the same structure: the graph is undirected."""
    degree = np.diff(rows.row_ptr)
    hub = np.sqrt(np.minimum(1.0, rules.hub_degree / np.maximum(degree, 1)))
    weight = rows.weight[:, 0]
    data = (weight * (rules.spread_decay * hub)[rows.col]).astype(weight.dtype)
    size = len(degree)
    return csr_array((data, rows.col, rows.row_ptr.astype(np.int32)), shape=(size, size))


def frontier_of(queries, nodes, dtype):
    """The seeds' energies as a sparse matrix [Q, N]."""
    count = len(queries.time)
    return csr_array(
        (queries.seed_energy.astype(dtype), queries.seed_ids, queries.seed_ptr.astype(np.int32)),
        shape=(count, nodes),
    )


class ScipySparse:
    """CSR × sparse frontier (SpGEMM)."""

    def __init__(self, rows, rules, queries):
        self.matrix = sending(rows, rules)
        self.start = frontier_of(queries, self.matrix.shape[0], self.matrix.dtype)

    def products(self):
        """What arrives in each of the two hops, not summed."""
        first = self.start @ self.matrix
        return first, first @ self.matrix

    def spread(self):
        """The energy of all nodes, sparse [Q, N]."""
        first, second = self.products()
        return first + second


class GraphBlas:
    """The same with SuiteSparse through python-graphblas."""

    def __init__(self, rows, rules, queries):
        import graphblas

        self.plus_times = graphblas.semiring.plus_times
        self.plus = graphblas.binary.plus
        matrix = sending(rows, rules)
        start = frontier_of(queries, matrix.shape[0], matrix.dtype)
        self.matrix, self.start = map(graphblas.io.from_scipy_sparse, (matrix, start))

    def products(self):
        """What arrives in each of the two hops, not summed."""
        first = self.start.mxm(self.matrix, self.plus_times).new()
        second = first.mxm(self.matrix, self.plus_times).new()
        second.wait()
        return first, second

    def spread(self):
        """The energy of all nodes, sparse [Q, N]."""
        first, second = self.products()
        both = first.ewise_add(second, self.plus).new()
        both.wait()
        return both

    def as_scipy(self, answer):
        """An answer as SciPy's matrix."""
        import graphblas

        return csr_array(graphblas.io.to_scipy_sparse(answer, "csr"))


class ScipyDense:
    """CSR × dense frontier [N, Q]."""

    def __init__(self, rows, rules, queries):
        self.matrix = receiving(rows, rules)
        start = frontier_of(queries, self.matrix.shape[0], self.matrix.dtype)
        self.start = np.ascontiguousarray(start.toarray().T)

    def spread(self):
        """The energy of all nodes, dense [N, Q]."""
        first = self.matrix @ self.start
        return first + self.matrix @ first


class PygSpmm(ScipyDense):
    """torch_geometric.utils.spmm: a torch CSR matrix × dense frontier."""

    def __init__(self, rows, rules, queries):
        super().__init__(rows, rules, queries)
        whole = self.matrix
        parts = (whole.indptr.astype(np.int32), whole.indices, whole.data)
        self.matrix = torch.sparse_csr_tensor(*map(torch.from_numpy, parts), size=whole.shape)
        self.start = torch.from_numpy(self.start)

    def spread(self):
        """The energy of all nodes, dense [N, Q]."""
        from torch_geometric.utils import spmm

        first = spmm(self.matrix, self.start)
        return first + spmm(self.matrix, first)


class PygMessages:
    """torch_geometric.nn.MessagePassing with weighted messages, as its tutorials write it."""

    def __init__(self, rows, rules, queries):
        from torch_geometric.nn import MessagePassing

        class Spread(MessagePassing):
            def forward(self, x, edge_index, edge_weight):
                return self.propagate(edge_index, x=x, edge_weight=edge_weight)

            def message(self, x_j, edge_weight):
                return edge_weight.view(-1, 1) * x_j

        self.layer = Spread(aggr="add")
        weight, sender = scaled_weights(rows, rules)
        self.edge_weight = torch.from_numpy(weight)
        self.edge_index = torch.from_numpy(np.stack([sender, rows.col]).astype(np.int64))
        start = frontier_of(queries, len(rows.row_ptr) - 1, weight.dtype)
        self.start = torch.from_numpy(np.ascontiguousarray(start.toarray().T))

    @staticmethod
    def bytes_needed(edges, queries):
        """One message an edge and query in float32, with its copy in the sum, and the frontiers."""
        return edges * queries * 4 * 2.5

    def spread(self):
        """The energy of all nodes, dense [N, Q]."""
        with torch.no_grad():
            first = self.layer(self.start, self.edge_index, self.edge_weight)
            return first + self.layer(first, self.edge_index, self.edge_weight)


def best_scores(answer, queries, k):
    """Scores of the best k nodes without the seeds, [Q, k] descending, of any peer's answer."""
    best = np.zeros((len(queries.time), k))
    for q in range(len(queries.time)):
        if isinstance(answer, csr_array):
            row = answer[[q]].tocoo()
            ids, values = row.coords[1], row.data
        else:
            values = np.asarray(answer[:, q])
            ids = np.arange(len(values))
        barred = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        values = np.sort(values[~np.isin(ids, barred)])[::-1][:k]
        best[q, : len(values)] = values
    return best


def top_k(answer, k):
    """Ids and scores of the best k of each row of a sparse matrix: what a user would add."""
    found = []
    for q in range(answer.shape[0]):
        part = slice(answer.indptr[q], answer.indptr[q + 1])
        values, ids = answer.data[part], answer.indices[part]
        some = np.argpartition(values, -k)[-k:] if len(values) > k else np.arange(len(values))
        order = some[np.lexsort((ids[some], values[some]))[::-1]]
        found.append((ids[order], values[order]))
    return found
