"""The same questions answered with other libraries."""

import time

import igraph
import numpy as np
from scipy.sparse import csr_array

DAY_US = 86_400_000_000


class ScipySpread:
    """Spreading activation by products of sparse matrices, each as of its query's time.

    The structure of the matrix is that of the whole graph; a snapshot only fills in the weights,
    so that nothing is sorted per query.

    Args:
        graph: of ``kernels.arrays.graph_arrays``.
        weight: after each event, [M], decayed since by the rules' half-life.
        rules: a fixed half-life, no floor, no pruning, no hub factor, one namespace.
    """

    def __init__(self, graph, weight, rules):
        self.graph = graph
        self.weight = weight
        self.rules = rules
        self.product_seconds = 0.0

    def spread(self, queries, k):
        """Scores of the best k nodes for each query, [Q, k], descending; 0 past the end."""
        graph, self.product_seconds = self.graph, 0.0
        times = graph.time[graph.by_time]
        last = np.full(len(graph.namespace), -1, np.int64)
        position, best = 0, np.zeros((len(queries), k))
        for q in range(len(queries)):
            now = queries.time_us[q]
            upto = np.searchsorted(times, now)  # strictly before
            events = graph.by_time[position:upto]
            last[graph.edge_of[events]] = events
            position = upto
            matrix = self._snapshot(last, now)
            seeds = slice(queries.seed_ptr[q], queries.seed_ptr[q + 1])
            energy = np.zeros(matrix.shape[0])
            np.add.at(energy, queries.seed_ids[seeds], queries.seed_energy[seeds])
            began = time.perf_counter()
            score = np.zeros_like(energy)
            for _ in range(self.rules.hops):
                energy = self.rules.spread_decay * (matrix @ energy)
                score += energy
            self.product_seconds += time.perf_counter() - began
            best[q] = np.sort(np.partition(score, -k)[-k:])[::-1]
        return best

    def _snapshot(self, last, now):
        graph, rules = self.graph, self.rules
        half_life_us = rules.half_life_personal_days * DAY_US
        faded = self.weight[last] * np.exp2((graph.time[last] - now) / half_life_us)
        merged = np.where(last >= 0, faded * rules.read_personal, 0.0)
        size = len(graph.row_ptr) - 1
        return csr_array((merged[graph.edge_id], graph.col, graph.row_ptr), shape=(size, size))


class IgraphPagerank:
    """Personalised PageRank of igraph (PRPACK) on one snapshot.

    Args:
        rows: node → neighbour → weight, symmetric.
        size: number of nodes.
    """

    def __init__(self, rows, size):
        edges = [(a, b, w) for a, row in rows.items() for b, w in row.items() if a < b and w > 0]
        self.graph = igraph.Graph(size, [(a, b) for a, b, _ in edges])
        self.weights = [w for _, _, w in edges]
        self.size = size

    def ranks(self, queries, restart=0.15):
        """The probability of each node for each query, [Q, N]."""
        ranks = np.zeros((len(queries), self.size))
        for q in range(len(queries)):
            seeds = slice(queries.seed_ptr[q], queries.seed_ptr[q + 1])
            home = np.zeros(self.size)
            np.add.at(home, queries.seed_ids[seeds], queries.seed_energy[seeds])
            ranks[q] = self.graph.personalized_pagerank(
                damping=1 - restart, reset=home, weights=self.weights, implementation="prpack"
            )
        return ranks
