"""Walks through weights that stand still; the rest is in test_conformance_walks."""

import numpy as np

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.arrays import Rows, query_arrays
from hebb_lab.kernels.cpu.walks.standing import spread_rows
from hebb_lab.kernels.parameters import rule_arrays
from tests.kernels.logs import queries_at

# 0 → 1 (twice), 2; 1 → 0; 2 → 0
ROWS = Rows(
    np.array([0, 3, 4, 5]), np.array([1, 1, 2, 0, 0], np.int32),
    np.array([[0.5, 0.5], [0.25, 0.0], [1.0, -1.0], [0.5, 0.5], [1.0, 0.0]]),
)  # fmt: skip


def walked(k=3, **switches):
    rules = [DOCUMENTED.change(spread_decay=1.0, **switches)] * 2
    reads = rule_arrays(rules, ["personal"])[1]
    return spread_rows(ROWS, reads, query_arrays(queries_at([0], [(0, 1.0)], 3)), k, 10**8)


def test_parallel_edges_are_summed_and_count_as_one_neighbour():
    found = walked(hops=1)
    assert found.ids[0, 0].tolist() == [2, 1, -1]
    assert found.scores[0, 0, :2].tolist() == [1.0, 0.75]
    assert found.edges[:, 0].tolist() == [2, 1]


def test_an_edge_of_weight_0_or_less_does_not_exist():
    assert walked(hops=1).ids[1, 0].tolist() == [1, -1, -1]


def test_each_configuration_walks_as_if_alone():
    reads = rule_arrays([DOCUMENTED] * 2, ["personal"])[1]
    asked = query_arrays(queries_at([0], [(0, 1.0), (2, 0.5)], 3))
    both = spread_rows(ROWS, reads, asked, 3, 10**8)
    for c in range(2):
        own = Rows(ROWS.row_ptr, ROWS.col, ROWS.weight[:, c : c + 1])
        alone = spread_rows(own, reads.some([c]), asked, 3, 10**8)
        for part, whole in zip(alone, both, strict=True):
            np.testing.assert_array_equal(part[0], whole[c])
