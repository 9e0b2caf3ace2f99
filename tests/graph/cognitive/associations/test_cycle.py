"""Decay, floor, pruning and cap, each by itself."""

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations.cycle import consolidate, fading_of
from hebb_lab.graph.cognitive.associations.importance import worth_of
from hebb_lab.graph.cognitive.associations.modulator import MemoryState
from hebb_lab.graph.cognitive.associations.table import FLOORED, STATED, EdgeTable
from hebb_lab.graph.cognitive.published import DOCUMENTED

STATE = MemoryState(np.ones(4), np.zeros(4), np.zeros(4), np.zeros(4, np.bool_))


def triangle(weight, bridge=0):
    table = EdgeTable.with_room(np.array([2, 2, 2, 0]))
    table.length[:] = [2, 2, 2, 0]
    table.neighbor[:] = [1, 2, 0, 2, 0, 1]
    table.weight[:], table.bridge[:], table.last_cycle[:] = weight, bridge, 0
    table.flags[:] = STATED
    return table


def after(table, dirty=None, due=True, **switches):
    rules = [DOCUMENTED.change(**switches)]
    return consolidate(
        table, fading_of(rules, np.full((1, 4), rules[0].hebbian_decay)), worth_of(rules, STATE),
        np.array([1]), np.array([due]), np.zeros(4, np.bool_) if dirty is None else dirty,
    )  # fmt: skip


def test_weights_fade_by_the_factor():
    assert after(triangle(2.0)).weight == pytest.approx(1.8)


def test_an_edge_exactly_at_the_limit_stays():
    table = after(triangle(1.0), hebbian_decay=0.5, hebbian_prune_below=0.5)
    assert len(table.weight) == 6


def test_a_weak_edge_goes_and_makes_both_rows_dirty():
    dirty = np.zeros(4, np.bool_)
    weights = np.array([0.1, 1, 0.1, 1, 1, 1], np.float32)  # 0 to 1 and back
    table = after(triangle(weights), dirty)
    assert table.length.tolist() == [1, 1, 2, 0]
    assert dirty.tolist() == [True, True, False, False]


@pytest.mark.parametrize(("bridge", "stays"), [(223, False), (224, True)])
def test_a_bridge_is_protected_from_224_on(bridge, stays):
    table = after(triangle(0.1, bridge))
    assert len(table.weight) == (6 if stays else 0)
    if stays:
        assert (table.weight == np.float32(0.1)).all()
        assert (table.flags == STATED | FLOORED).all()


def test_an_edge_that_is_strong_again_is_no_longer_floored():
    table = triangle(5.0, 255)
    table.flags[:] = STATED | FLOORED
    assert (after(table).flags == STATED).all()


def test_rule_sets_that_are_not_due_do_not_fade():
    assert (after(triangle(0.05), due=False).weight == np.float32(0.05)).all()


def test_an_edge_goes_when_either_end_gives_it_up():
    weights = np.array([3, 2, 3, 5, 2, 5], np.float32)  # 0–1: 3, 0–2: 2, 1–2: 5
    table = after(triangle(weights), degree_cap=1)
    assert table.length.tolist() == [0, 1, 1, 0]
    assert table.neighbor.tolist() == [2, 1]


def test_of_equal_edges_the_one_to_the_later_memory_is_kept():
    table = after(triangle(1.0), degree_cap=1)
    assert table.length.tolist() == [0, 1, 1, 0]
