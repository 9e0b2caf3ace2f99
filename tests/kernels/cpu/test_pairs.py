"""Pairs sorted into edges, held to plain loops."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.kernels.cpu.pairs import (
    adjacency,
    counts_so_far,
    number_edges,
    sort_pairs,
    windows_of_nodes,
)

NODES = 5
WINDOWS = st.lists(
    st.tuples(
        st.lists(st.integers(0, NODES - 1), min_size=0, max_size=4, unique=True),
        st.integers(0, 2),
    ),
    max_size=12,
)  # (members, namespace)


def flat(windows):
    """(node_ptr, node_ids, namespace)."""
    ends = np.cumsum([0] + [len(members) for members, _ in windows])
    ids = [node for members, _ in windows for node in members]
    return ends, np.array(ids, np.int32), np.array([space for _, space in windows], np.int16)


def edges_of(windows):
    pointer, ids, space = flat(windows)
    chosen = np.argsort(space, kind="stable").astype(np.int32)
    count = sum(len(members) * (len(members) - 1) // 2 for members, _ in windows)
    pairs = sort_pairs(chosen, pointer, ids, NODES, count)
    return pairs.window, number_edges(pairs, space)


def by_hand(windows):
    """[(a, b, namespace, window)] by edge, then window."""
    return sorted(
        (*sorted(pair), space, w)
        for w, (members, space) in enumerate(windows)
        for pair in combinations(members, 2)
    )


@given(windows=WINDOWS)
def test_pairs_come_by_first_node_second_node_namespace_and_window(windows):
    window, edges = edges_of(windows)
    of_event = np.repeat(np.arange(len(edges.namespace)), np.diff(edges.pointer))
    columns = (*edges.ends[:, of_event], edges.namespace[of_event], window)
    got = list(zip(*(column.tolist() for column in columns), strict=True))
    assert got == by_hand(windows)
    assert len(edges.namespace) == len({event[:3] for event in got})


@given(windows=WINDOWS)
def test_rows_list_neighbours_in_order_with_their_edges(windows):
    _, edges = edges_of(windows)
    row_ptr, col, edge_id = adjacency(edges.ends, NODES)
    for node in range(NODES):
        row = slice(row_ptr[node], row_ptr[node + 1])
        want = sorted(
            (int(a + b - node), int(space), e)
            for e, (a, b, space) in enumerate(zip(*edges.ends, edges.namespace, strict=True))
            if node in (a, b)
        )
        got = list(zip(col[row].tolist(), edge_id[row].tolist(), strict=True))
        assert got == [(neighbour, e) for neighbour, _, e in want]


@given(windows=WINDOWS, first=st.integers(0, 3))
def test_counts_are_of_windows_up_to_and_with_the_own_in_all_namespaces(windows, first):
    window, edges = edges_of(windows)
    pointer, ids, _ = flat(windows)
    events = by_hand(windows)[first:]
    got = np.empty((3, len(events)))
    if events:
        counts_so_far(first, edges, window, *windows_of_nodes(pointer, ids, NODES), *got)
    for (a, b, _, w), counts in zip(events, got.T.tolist(), strict=True):
        past = [set(members) for members, _ in windows[: w + 1]]
        assert counts == [sum(wanted <= held for held in past) for wanted in ({a, b}, {a}, {b})]


@given(windows=WINDOWS)
def test_every_node_knows_its_windows_in_order(windows):
    pointer, ids, _ = flat(windows)
    held_ptr, held = windows_of_nodes(pointer, ids, NODES)
    for node in range(NODES):
        want = [w for w, (members, _) in enumerate(windows) if node in members]
        assert held[held_ptr[node] : held_ptr[node + 1]].tolist() == want
