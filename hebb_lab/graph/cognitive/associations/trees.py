"""Uniform spanning trees by Wilson's walks, and the edges that every one of them holds."""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, pieces_of, step

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 0


class Undirected(NamedTuple):
    """V vertices and E edges, each edge in both of its rows, which ascend."""

    ptr: NDArray[np.int64]  # [V+1]
    vertex: NDArray[np.int64]  # [2E]
    edge: NDArray[np.int64]  # [2E]
    name: NDArray[np.int64]  # [V] as the caller numbers them, ascending

    @classmethod
    def of(cls, a: NDArray[np.int64], b: NDArray[np.int64], names: int) -> Undirected:
        """From edges between numbers below ``names``; those without an edge are left out."""
        used = np.zeros(names, np.bool_)
        used[a] = used[b] = True
        name = np.flatnonzero(used)
        number = np.cumsum(used) - 1
        ends = np.concatenate([number[a], number[b]])
        others = np.concatenate([number[b], number[a]])
        ptr = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=len(name)))])
        by_row = np.argsort(ends * len(name) + others)  # no two are equal
        vertex, edge = others[by_row], np.tile(np.arange(len(a)), 2)[by_row]
        return cls(ptr.astype(np.int64), vertex.astype(np.int64), edge.astype(np.int64), name)


def cut_edges(graph: Undirected) -> NDArray[np.bool_]:
    """[E] whether the component falls apart without the edge: every spanning tree holds it.

    Depth first; an edge to a child is cut if nothing below the child reaches above it (Tarjan).
    """
    count = len(graph.name)
    seen = np.full(count, -1, np.int64)
    cut = np.zeros(len(graph.edge) // 2, np.bool_)
    _cut(graph, seen, np.empty(count, np.int64), graph.ptr[:-1].copy(),
         np.empty(count + 1, np.int64), np.full(count, -1, np.int64), cut)  # fmt: skip
    return cut


@kernel
def _cut(graph: Any, seen: Any, lowest: Any, at: Any, stack: Any, came_by: Any, cut: Any) -> None:
    clock = ZERO
    for root in range(len(seen)):
        if seen[root] >= 0:
            continue
        height = ZERO
        stack[0] = root
        seen[root] = lowest[root] = clock
        clock += 1
        while height >= 0:
            vertex = stack[height]
            if at[vertex] < graph.ptr[vertex + 1]:
                other, edge = graph.vertex[at[vertex]], graph.edge[at[vertex]]
                at[vertex] += 1
                if edge == came_by[vertex]:
                    continue
                if seen[other] >= 0:
                    lowest[vertex] = min(lowest[vertex], seen[other])
                    continue
                seen[other] = lowest[other] = clock
                clock += 1
                came_by[other] = edge
                height += 1
                stack[height] = other
            else:
                height -= 1
                if height >= 0:
                    below = stack[height]
                    lowest[below] = min(lowest[below], lowest[vertex])
                    if lowest[vertex] > seen[below]:
                        cut[came_by[vertex]] = True


def without(graph: Undirected, cut: NDArray[np.bool_]) -> Undirected:
    """The graph without some edges; vertices and the numbers of edges stay."""
    kept = ~cut[graph.edge]
    before = np.concatenate([[0], np.cumsum(kept)])
    return Undirected(before[graph.ptr], graph.vertex[kept], graph.edge[kept], graph.name)


def tree_shares(
    graph: Undirected, memories: int, trees: NDArray[np.int64], cycle: NDArray[np.int64]
) -> NDArray[np.float64]:
    """[E] share of sampled spanning trees that hold the edge.

    A vertex is row c · memories + m of rule set c, of which trees[c] are sampled, seeded by
    (0, cycle, tree, first memory of the part). Cut edges are in every tree; what is left between
    them falls into parts, each with trees of its own, which is the same law.
    """
    cut = cut_edges(graph)
    held = np.zeros(len(cut), np.int64)
    inner = without(graph, cut)
    count = len(graph.name)
    part = np.full(count, -1, np.int64)
    order, bounds = np.empty(count, np.int64), np.empty(count + 1, np.int64)
    parts = _parts(inner, part, order, bounds)
    in_threads(
        lambda first, stop: _wilson(
            first, stop, inner, order, bounds, memories, trees, cycle,
            np.full(count, -1, np.int64), np.empty(count, np.int64), held,
        ),
        pieces_of(parts, max(1, parts // 4)),
    )  # fmt: skip
    config = graph.name[graph.vertex] // memories  # of either end
    most = np.zeros(len(cut), np.int64)
    most[graph.edge] = trees[config]
    return np.where(cut, 1.0, held / np.maximum(most, 1))


@kernel
def _parts(graph: Any, part: Any, order: Any, bounds: Any) -> int:
    """Number the components; ``order`` lists their vertices one component after the other."""
    found, end = ZERO, ZERO
    for root in range(len(part)):
        if part[root] >= 0:
            continue
        bounds[found] = end
        part[root], order[end] = found, root
        begin = end
        end += 1
        while begin < end:
            vertex = order[begin]
            begin += 1
            for i in range(graph.ptr[vertex], graph.ptr[vertex + 1]):
                other = graph.vertex[i]
                if part[other] < 0:
                    part[other], order[end] = found, other
                    end += 1
        found += 1
    bounds[found] = end
    return found


@step
def _mixed(state: Any) -> Any:
    """SplitMix64's output for a state."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _wilson(
    first: int, stop: int, graph: Any, order: Any, bounds: Any, memories: int, trees: Any,
    cycle: Any, stamp: Any, after: Any, held: Any,
) -> None:  # fmt: skip
    golden = np.uint64(0x9E3779B97F4A7C15)
    tree_stamp = ZERO
    for p in range(first, stop):
        root = order[bounds[p]]
        if bounds[p + 1] - bounds[p] < 2:
            continue
        c, memory = graph.name[root] // memories, graph.name[root] % memories
        for tree in range(trees[c]):
            state = _mixed(np.uint64(SEED) + golden * np.uint64(cycle[c] + 1))
            state = _mixed(state + golden * np.uint64(tree + 1))
            state = _mixed(state + golden * np.uint64(memory + 1))
            stamp[root] = tree_stamp
            for k in range(bounds[p] + 1, bounds[p + 1]):
                vertex = order[k]
                while stamp[vertex] != tree_stamp:  # walk until the tree is met; loops fall away
                    state += golden
                    degree = graph.ptr[vertex + 1] - graph.ptr[vertex]
                    draw = np.int64(_mixed(state) >> np.uint64(11)) % degree
                    after[vertex] = graph.ptr[vertex] + draw
                    vertex = graph.vertex[after[vertex]]
                vertex = order[k]
                while stamp[vertex] != tree_stamp:
                    stamp[vertex] = tree_stamp
                    held[graph.edge[after[vertex]]] += 1
                    vertex = graph.vertex[after[vertex]]
            tree_stamp += 1
