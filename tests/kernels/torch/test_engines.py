"""The two engines of a walk, and walks in parts, find the same."""

import numpy as np
import pytest
import torch

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.arrays import Rows, query_arrays
from hebb_lab.kernels.parameters import rule_arrays
from hebb_lab.kernels.torch import hop, pagerank, walk
from hebb_lab.kernels.torch.hop import Standing
from hebb_lab.kernels.torch.traces.replay import replay
from tests.kernels.comparing import assert_same_found
from tests.kernels.logs import DAY_US, START_US, asked, case_of, hub, queries_at

CPU = torch.device("cpu")
FIXED = DOCUMENTED.change(half_life="fixed")
RULES = [
    DOCUMENTED, DOCUMENTED.change(hops=3, frontier=4), FIXED.change(hops=1),
    FIXED.change(decay_shape="two_time_scales", normalisation="source_row", hops=3),
]  # fmt: skip


def rows(nodes=60, entries=900, seed=0):
    """Directed, with doubled entries and weights below 0."""
    rng = np.random.default_rng(seed)
    sender, target = rng.integers(0, nodes, entries), rng.integers(0, nodes // 2, entries)
    order = np.lexsort((target, sender))
    pointer = np.concatenate([[0], np.cumsum(np.bincount(sender, minlength=nodes))])
    weight = rng.uniform(-0.2, 1.0, (entries, len(RULES)))
    return Rows(pointer, target[order].astype(np.int32), weight)


def questions(count=20, nodes=60, seed=0):
    rng = np.random.default_rng(seed)
    seeds = [
        list(enumerate(rng.random(3).tolist(), int(n))) for n in rng.integers(0, nodes - 3, count)
    ]
    return asked(*[(START_US + i * DAY_US, own, [i]) for i, own in enumerate(seeds)])


def spread_rows(engine, memory_bytes=10**8):
    reads = rule_arrays(RULES, ["personal"])[1]
    return walk.spread_rows(
        rows(), reads, questions(), 12, device=CPU, memory_bytes=memory_bytes, engine=engine
    )


def spread(engine, times, memory_bytes=10**8, dtype=torch.float64):
    case = case_of(hub(), RULES, 75)
    state = replay(case.graph, case.traces, False, device=CPU, dtype=dtype)
    queries = query_arrays(queries_at(times, [(0, 1.0), (3, 0.6)], 75, exclude=[2]))
    return walk.spread(
        case.graph, state, case.traces, case.reads, queries, 12, device=CPU, dtype=dtype,
        memory_bytes=memory_bytes, engine=engine,
    )  # fmt: skip


def last_moment():
    return max(window[0] for window in hub())


def test_dense_and_sparse_find_the_same_in_rows_that_stand_still():
    found = spread_rows("dense")
    assert (found.edges > 0).any()
    assert_same_found(found, spread_rows("sparse"), "torch")


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_dense_and_sparse_find_the_same_as_of_each_moment(dtype):
    end = last_moment()
    times = [end - 5 * DAY_US, end, end, end + DAY_US, end + 90 * DAY_US]
    found = spread("dense", times, dtype=dtype)
    assert (found.edges > 0).any()
    assert_same_found(found, spread("sparse", times, dtype=dtype), "torch")


def test_many_queries_of_one_matrix_are_walked_densely(monkeypatch):
    walked = []

    def dense(world, frontier):
        walked.append(len(torch.unique(frontier.key // world.nodes)))
        return hop.dense(world, frontier)

    monkeypatch.setattr(walk, "dense", dense)
    end = last_moment()
    found = spread("auto", [end - 9 * DAY_US, *[end + 1] * 30])
    assert walked
    assert min(walked) > 20
    assert_same_found(found, spread("sparse", [end - 9 * DAY_US, *[end + 1] * 30]), "torch")


@pytest.mark.parametrize("engine", ["auto", "sparse"])
@pytest.mark.parametrize("memory_bytes", [1, 30_000])
def test_walks_in_parts_find_what_one_walk_finds(engine, memory_bytes):
    for whole, part in zip(spread_rows(engine), spread_rows(engine, memory_bytes), strict=True):
        np.testing.assert_array_equal(whole, part)


def test_a_single_query_beyond_memory_is_read_in_runs_of_rows():
    source = Standing(rows(), CPU)
    reads = rule_arrays(RULES, ["personal"])[1]
    queries = questions(1)
    large, small = (
        walk.world_of(source, reads, queries, CPU, memory) for memory in (10**9, 40_000)
    )
    seeds = walk.seeds_of(queries, large)
    for world in (large, small):
        first = hop.Frontier(*walk.summed(*hop.sparse(world, seeds)[0]))
        parts = hop.sparse(world, first)
        assert (len(parts) > 1) == (world is small)
        key, energy = (torch.cat(part) for part in zip(*parts, strict=True))
        total = walk.summed(key, energy)
        if world is large:
            want = total
    assert torch.equal(total[0], want[0])
    assert torch.allclose(total[1], want[1], rtol=1e-13)


def test_pagerank_in_parts_is_pagerank():
    case = case_of(hub(), [FIXED, DOCUMENTED], 75)
    state = replay(case.graph, case.traces, False, device=CPU, dtype=torch.float64)
    times = [last_moment() + i * DAY_US for i in range(9)]
    queries = query_arrays(queries_at(times, [(0, 1.0), (3, 0.6)], 75, exclude=[2]))
    whole, parts = (
        pagerank.personalised_pagerank(
            case.graph, state, case.traces, case.reads, queries, 12, 0.15, 1e-6, device=CPU,
            dtype=torch.float64, memory_bytes=memory,
        )
        for memory in (10**8, 200_000)
    )  # fmt: skip
    assert (whole.ids >= 0).any()
    assert_same_found(parts, whole, "torch")
