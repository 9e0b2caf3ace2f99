"""Bridge scores: pinned graphs, three methods, and what is computed anew."""

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations import bridges
from hebb_lab.graph.cognitive.associations.bridges import (
    Bridging,
    bridging_of,
    heuristic_score,
    score_bridges,
)
from hebb_lab.graph.cognitive.associations.table import EdgeTable
from hebb_lab.graph.cognitive.rules import CognitiveRules

K4 = [(a, b) for a in range(4) for b in range(a)]
DIAMOND = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5)]


def table_of(count, edges, one_way=()):
    rows = [set() for _ in range(count)]
    for a, b in edges:
        rows[a].add(b)
        rows[b].add(a)
    for a, b in one_way:
        rows[a].add(b)
    table = EdgeTable.with_room(np.array([len(row) for row in rows]))
    table.length[:] = [len(row) for row in rows]
    table.neighbor[:] = [b for row in rows for b in sorted(row)]
    table.bridge[:] = 0
    return table


def scores(count, edges, method, one_way=(), cycle=1):
    table = table_of(count, edges, one_way)
    rules = [CognitiveRules(bridge_score=method)]
    score_bridges(
        table, bridging_of(rules), np.array([cycle]), np.array([True]), np.ones(count, np.bool_)
    )
    sender = np.repeat(np.arange(count), table.length)
    ends = zip(sender.tolist(), table.neighbor.tolist(), strict=True)
    return dict(zip(ends, table.bridge.tolist(), strict=True))


@pytest.mark.parametrize("method", ["exact", "trees"])
def test_every_edge_of_a_path_is_a_bridge(method):
    assert set(scores(4, [(0, 1), (1, 2), (2, 3)], method).values()) == {255}


@pytest.mark.parametrize("method", ["exact", "trees"])
def test_no_edge_of_four_that_all_know_each_other_is_a_bridge(method):
    assert max(scores(4, K4, method).values()) < 255


def test_four_that_all_know_each_other_have_half_the_score_exactly():
    assert set(scores(4, K4, "exact").values()) == {128}


@pytest.mark.parametrize("method", ["exact", "trees"])
def test_the_tails_of_a_diamond_are_bridges_and_its_sides_are_not(method):
    found = scores(6, DIAMOND, method)
    tails = {(0, 1), (1, 0), (4, 5), (5, 4)}
    assert {e for e, value in found.items() if value == 255} == tails


def test_a_side_of_a_diamond_has_three_quarters():
    assert scores(6, DIAMOND, "exact")[1, 2] == 191


@pytest.mark.parametrize("method", ["exact", "trees", "heuristic"])
def test_two_memories_alone_are_a_bridge(method):
    assert scores(2, [(0, 1)], method) == {(0, 1): 255, (1, 0): 255}


@pytest.mark.parametrize("method", ["exact", "trees", "heuristic"])
def test_memories_without_edges_have_no_scores(method):
    assert scores(3, [], method) == {}


@pytest.mark.parametrize(
    ("shared", "one", "other", "expected"),
    [(0, 5, 5, 255), (5, 5, 5, 0), (2, 5, 5, 153), (0, 1, 1, 255)],
)
def test_the_heuristic_has_the_pinned_values(shared, one, other, expected):
    assert heuristic_score(shared, one, other) == expected


def test_the_heuristic_of_a_graph_is_the_formula_of_each_edge():
    found = scores(4, [*K4, (0, 1)], "heuristic")
    assert set(found.values()) == {heuristic_score(2, 3, 3)}


@pytest.mark.parametrize("method", ["exact", "trees"])
def test_an_edge_of_one_direction_is_an_edge(method):
    both = scores(6, DIAMOND, method)
    some = scores(6, DIAMOND[1:], method, one_way=[(1, 0)])
    assert some == {e: value for e, value in both.items() if e != (0, 1)}


def test_each_component_has_trees_of_its_own():
    two = [*K4, *((a + 4, b + 4) for a, b in K4)]
    found = scores(8, two, "trees")
    for first in (0, 4):
        total = sum(v for (a, b), v in found.items() if first <= a < first + 4)
        assert total / 255 / 2 == pytest.approx(3, abs=0.05)  # edges of a tree of 4


def test_trees_are_sampled_anew_in_each_cycle_and_the_same_for_the_same_cycle():
    assert scores(4, K4, "trees", cycle=3) == scores(4, K4, "trees", cycle=3)
    assert len({tuple(scores(4, K4, "trees", cycle=c).values()) for c in range(1, 9)}) > 1


def test_only_components_that_changed_are_computed_anew(monkeypatch):
    asked = []

    def counted(a, b, vertices):
        asked.append(sorted(zip(a.tolist(), b.tolist(), strict=True)))
        return np.ones(len(a))

    monkeypatch.setattr(bridges, "effective_resistance", counted)
    table = table_of(8, [*K4, (4, 5), (6, 7)])
    dirty = np.zeros(8, np.bool_)
    dirty[5] = True
    how = Bridging(np.array([0]), np.array([15]))
    score_bridges(table, how, np.array([1]), np.array([True]), dirty)
    assert asked == [[(4, 5)]]
    assert not dirty.any()
    score_bridges(table, how, np.array([2]), np.array([True]), dirty)
    assert len(asked) == 1


def test_rule_sets_that_are_not_due_keep_their_scores():
    table = table_of(4, [(0, 1), (2, 3)])  # two rule sets over two memories
    table.neighbor[:] = [1, 0, 1, 0]
    dirty = np.ones(4, np.bool_)
    how = Bridging(np.array([0, 0]), np.array([15, 15]))
    score_bridges(table, how, np.array([1, 0]), np.array([True, False]), dirty)
    assert table.bridge.tolist() == [255, 255, 0, 0]
    assert dirty.tolist() == [False, False, True, True]
