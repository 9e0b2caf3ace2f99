"""Walks over edges: the graph's pinned numbers, and all walks counted one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.memory.strategies.walks.walking import around, closeness_of, walk, ways_of
from hebb_lab.memory.values import EdgeKind
from tests.memory.strategies.small import BARE, NOW_US, Link, Small, store, unit, view_of

FORWARD = BARE.change(causal_direction="forward", causal_depth=10)


def anywhere(questions, rows):
    return np.ones(len(rows), bool)


def walked(links, seeds=(0,), rules=FORWARD, passable=anywhere, count=8):
    """For each question: row → (closeness, distance)."""
    state, journal = store([Small(unit(1, 0))] * count, links)
    view = view_of(state, journal, rules)
    got = walk(
        ways_of(view, rules.causal_direction), np.array(seeds, np.int64), count, passable, rules
    )
    reached = [{} for _ in seeds]
    for question, row, closeness, distance in zip(
        *(column.tolist() for column in got), strict=True
    ):
        reached[question][row] = closeness, distance
    return reached


def distances(*args, **more):
    [reached] = walked(*args, **more)
    return {row: distance for row, (_, distance) in reached.items()}


LINE = [Link(row, row + 1) for row in range(4)]


def test_a_chain_of_five_to_depth_2_gives_the_next_two_at_1_and_2():
    assert distances(LINE, rules=FORWARD.change(causal_depth=2)) == {1: 1, 2: 2}


@pytest.mark.parametrize(("depth", "count"), [(4, 4), (2, 2)])
def test_a_chain_from_its_end_is_as_long_as_the_depth(depth, count):
    rules = FORWARD.change(causal_depth=depth, causal_direction="backward")
    assert len(distances(LINE, seeds=(4,), rules=rules)) == count


def test_a_circle_of_three_gives_the_two_others_at_depth_10():
    assert distances([Link(0, 1), Link(1, 2), Link(2, 0)]) == {1: 1, 2: 2}


def test_a_star_gives_all_its_ends():
    assert set(distances([Link(0, row) for row in range(1, 6)])) == {1, 2, 3, 4, 5}


def test_without_a_seed_or_an_edge_nothing_is_reached():
    assert walked(LINE, seeds=(-1, 7)) == [{}, {}]
    assert walked([], seeds=()) == []


def test_a_longer_way_of_surer_edges_is_the_closer_one():
    links = [Link(0, 1, confidence=0.25), Link(0, 2), Link(2, 1)]
    [reached] = walked(links)
    assert reached == {1: (0.5, 2), 2: (1.0, 1)}
    [reached] = walked(links, rules=FORWARD.change(edge_confidence=False))
    assert reached[1] == (1.0, 1)


def test_the_greater_product_goes_on_even_where_it_comes_later():
    links = [Link(0, 1, confidence=0.6), Link(0, 2), Link(2, 1, confidence=0.9), Link(1, 3)]
    [reached] = walked(links)
    assert reached[1] == (pytest.approx(0.6), 1)
    assert reached[3] == (pytest.approx(max(0.6 / 2, 0.9 / 3)), 2)
    [reached] = walked([*links, Link(3, 4), Link(4, 5), Link(5, 6)])
    assert reached[6] == (pytest.approx(max(0.6 / 5, 0.9 / 6)), 6)


@pytest.mark.parametrize(("form", "value"), [("inverse", 0.4), ("linear", 0.48)])
def test_closeness_falls_with_the_distance(form, value):
    rules = FORWARD.change(causal_distance=form, causal_depth=5)
    assert closeness_of(np.array([0.8]), 2, rules) == pytest.approx(value)
    assert (
        closeness_of(np.array([0.8]), 5, FORWARD.change(causal_distance="linear", causal_depth=5))
        == 0
    )


@pytest.mark.parametrize("kind", list(EdgeKind))
def test_each_kind_of_edges_has_its_weight_and_0_is_no_way(kind):
    name = f"weight_{kind.name.lower()}"
    assert walked([Link(0, 1, kind)], rules=FORWARD.change(**{name: 0.5})) == [{1: (0.5, 1)}]
    assert walked([Link(0, 1, kind)], rules=FORWARD.change(**{name: 0.0})) == [{}]


def test_an_edge_of_a_later_time_is_no_way_yet():
    assert walked([Link(0, 1, time_us=NOW_US + 1), Link(0, 2, time_us=NOW_US)]) == [{2: (1.0, 1)}]


def test_a_walk_goes_only_where_it_may():
    closed = {0: 1, 1: 3}  # question → row
    got = walked(
        LINE, (0, 0), passable=lambda q, r: r != np.array([closed[x] for x in q.tolist()], int)
    )
    assert [set(reached) for reached in got] == [set(), {1, 2}]


def test_edges_of_rows_come_with_their_place_and_other_end():
    table = store([Small(unit(1, 0))] * 5, LINE)[0].edges.csr()
    assert [column.tolist() for column in around(table, np.array([2, 4, 0]))] == [
        [0, 2], [3, 1], [2, 0],
    ]  # fmt: skip


EDGES = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), max_size=12, unique=True
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    edges=EDGES, depth=st.integers(1, 5), form=st.sampled_from(["inverse", "linear"]),
    direction=st.sampled_from(["both", "forward", "backward"]), weight=st.sampled_from([1.0, 1.5]),
)  # fmt: skip
def test_closeness_is_the_best_over_all_walks(edges, depth, form, direction, weight):
    links = [
        Link(a, b, EdgeKind(1), (c + 1) / 5)
        for a, b, c in {e[:2]: e for e in edges}.values()
        if a != b
    ]
    rules = FORWARD.change(
        causal_depth=depth,
        causal_distance=form,
        causal_direction=direction,
        weight_caused_by=weight,
    )
    best = {}

    def go(row, product, distance):
        for link in links:
            for a, b, name in (
                (link.source, link.target, "forward"),
                (link.target, link.source, "backward"),
            ):
                if a != row or b == 0 or direction not in (name, "both") or distance == depth:
                    continue
                much = product * float(np.float32(link.confidence)) * weight
                value = float(closeness_of(np.float64(much), distance + 1, rules))
                best[b] = max(best.get(b, 0.0), value)
                go(b, much, distance + 1)

    go(0, 1.0, 0)
    [reached] = walked(links, rules=rules)
    assert {row: value for row, (value, _) in reached.items()} == pytest.approx(best)
