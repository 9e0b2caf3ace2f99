"""Workspaces of walks, on the host build: kept from walk to walk, and small ones."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import Rows
from hebb_lab.kernels.cuda import walks
from hebb_lab.kernels.cuda.buffers import Zeros
from hebb_lab.kernels.cuda.traces import replay
from hebb_lab.kernels.cuda.walks import Walks
from hebb_lab.kernels.parameters import rule_arrays
from tests.kernels.backends import HOST, REFERENCE, made
from tests.kernels.comparing import assert_same_found, near
from tests.kernels.cuda.host.build import compiler
from tests.kernels.cuda.host.launch import HostLauncher
from tests.kernels.logs import START_US, asked, case_of, hub

pytestmark = pytest.mark.skipif(compiler() is None, reason="no g++ to build the kernels with")
DAY_US = 86_400_000_000
RULES = [DOCUMENTED, OBSERVED.change(frontier=3), DOCUMENTED.change(normalisation="source_row")]


def example():
    queries = asked(*((START_US + d * DAY_US, [(d, 1.0), (0, 0.5)], [2, 2]) for d in range(12)))
    return case_of(hub(), RULES, 75), queries


def all_walks(own, launcher):
    case, queries = example()
    state = replay(case.graph, case.traces, False, launcher=launcher)
    given = (case.graph, state, case.traces, case.reads, queries, 12)
    weight = np.random.default_rng(0).random((len(case.graph.col), len(RULES))) - 0.1
    rows = Rows(case.graph.row_ptr, case.graph.col, weight)
    yield own.spread(*given)
    yield own.personalised_pagerank(*given, 0.15, 1e-5)
    yield own.spread_rows(rows, case.reads, queries, 12)


@pytest.mark.parametrize("threads", [1, 6])
def test_walks_leave_their_zeros_as_zeros_for_the_next(threads):
    launcher = HostLauncher("float64", threads)
    own = Walks(launcher, 10**7)
    fresh = [found for _ in range(2) for found in all_walks(own, launcher)]
    assert not own._zeros.take(launcher, 1).any()
    for one, other in zip(fresh[:3], fresh[3:], strict=True):
        assert_same_found(other, one, HOST)


def test_zeros_are_kept_until_more_are_needed():
    zeros, launcher = Zeros(), HostLauncher("float64")
    first = zeros.take(launcher, 10)
    assert zeros.take(launcher, 10) is not first, "nobody else has them"
    zeros.give_back(first)
    assert zeros.take(launcher, 7) is first
    zeros.give_back(first)
    assert zeros.take(launcher, 11).numel() == 11


def test_a_frontier_that_is_read_in_many_parts_carries_the_same_energies(monkeypatch):
    launcher = HostLauncher("float64")
    whole = list(all_walks(Walks(launcher, 10**7), launcher))
    monkeypatch.setattr(walks, "SLOTS_AT_ONCE", 1)  # the longest row, and no more
    for one, other in zip(whole, all_walks(Walks(launcher, 10**7), launcher), strict=True):
        assert_same_found(other, one, HOST)


def power_law(rng, nodes, configs):
    """Rows of up to 3,000 slots, towards low ids more often than not, parallel edges among them."""
    degrees = np.minimum((rng.pareto(1.3, nodes) * 4).astype(int) + 1, 3000)
    col = np.concatenate([np.sort((rng.random(d) ** 2 * nodes).astype(int)) for d in degrees])
    weight = rng.random((len(col), configs)) - 0.1
    return Rows(np.cumsum([0, *degrees], dtype=np.int64), col.astype(np.int32), weight)


@pytest.mark.parametrize("threads", [1, 4, 7])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_hubs_of_thousands_and_lists_of_thousands(threads, precision):
    """Rows that a whole block sums, frontiers in several parts, selection by several digits."""
    rng = np.random.default_rng(0)
    rules = [
        DOCUMENTED, DOCUMENTED.change(hops=3, frontier=100, normalisation="source_row"),
        DOCUMENTED.change(hops=3), DOCUMENTED.change(hops=1, frontier=5),
    ]  # fmt: skip
    rows, (_, reads) = power_law(rng, 4000, len(rules)), rule_arrays(rules, ("personal",))
    queries = asked(
        *(
            (9, [(node, 1.0) for node in rng.integers(0, 4000, 3).tolist()], barred)
            for barred in rng.integers(0, 4000, (3, 20)).tolist()
        )
    )
    own = Walks(HostLauncher(precision, threads), 10**8)
    for k in (1, 50, 5000):
        want = made(REFERENCE).spread_rows(rows, reads, queries, k)
        name = f"{HOST} {precision}"
        got = own.spread_rows(rows, reads, queries, k)
        if precision == "float64":
            assert_same_found(got, want, name)
        else:  # near ties among thousands may swap: the scores are the same
            np.testing.assert_allclose(got.scores, want.scores, rtol=near(name))


def test_a_walk_for_nothing_but_its_pairs_counts_them():
    case, queries = example()
    backend = made(HOST)
    state = backend.replay(case.graph, case.traces)
    walk = backend.walk(case.graph, state, case.traces, case.reads)
    some = [walk.spread(queries, k) for k in (0, 5)]
    np.testing.assert_array_equal(some[0].edges, some[1].edges)
    assert some[0].ids.shape == (3, 12, 0)
