"""Structure by graph."""

import numpy as np
import pytest

from hebb_lab.memory.strategies.lists import Flat
from hebb_lab.memory.strategies.structures.graphs import (
    SLOTS,
    Neighbours,
    by_edges,
    jaccard,
    patterns_of,
    related_alike,
)  # fmt: skip
from hebb_lab.memory.values import EdgeKind
from tests.memory.strategies.small import NOW_US, Link, Small, store, unit, view_of

CAUSED, FOLLOWED = EdgeKind.CAUSED_BY, EdgeKind.FOLLOWED_BY
AWAY, BACK = 1 << (CAUSED - 1), 1 << (CAUSED - 1 + len(EdgeKind))


def view(links, count=6, **more):
    return view_of(*store([Small(unit(1, 0), **more)] * count, links))


def test_counts_of_edges_are_compared_as_multisets():
    counts = np.array([[2, 1, 0], [0, 0, 0], [1, 0, 0]])
    other = np.array([[1, 1, 2], [0, 0, 0], [1, 0, 0]])
    assert jaccard(counts, other) == pytest.approx([2 / 5, 0, 1])


def test_a_profile_counts_edges_by_kind_and_direction():
    links = [Link(0, 1), Link(0, 2), Link(3, 0, FOLLOWED), Link(0, 4, time_us=NOW_US + 1)]
    profile = Neighbours(view(links), np.array([0, 5])).profile()
    assert profile.shape == (2, SLOTS)
    assert profile[0].tolist() == [2, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert not profile[1].any()


def test_a_memory_is_as_alike_as_the_edges_around_it():
    links = [Link(0, 1), Link(2, 3), Link(2, 4), Link(5, 2, FOLLOWED)]
    found = Flat(np.array([0, 0, 0]), np.array([2, 0, 3]), np.zeros(3, np.float32))
    assert by_edges(view(links), np.array([0]), found) == pytest.approx([1 / 3, 1, 0])
    assert by_edges(view(links), np.array([-1]), found).tolist() == [0, 0, 0]


def test_a_pattern_is_the_edges_from_a_to_b_and_back():
    links = [Link(0, 1), Link(1, 0), Link(2, 3), Link(0, 4, FOLLOWED)]
    a, b = np.array([0, 1, 2, 3, 0, -1, 0]), np.array([1, 0, 3, 2, 2, 1, -1])
    got = patterns_of(view(links), a, b).tolist()
    assert got == [AWAY | BACK, AWAY | BACK, AWAY, BACK, 0, 0, 0]


def test_what_has_at_least_the_edges_of_the_pattern_is_related_alike():
    links = [Link(0, 1), Link(0, 2), Link(2, 0), Link(3, 0), Link(0, 4, FOLLOWED)]
    stand_in = np.array([0, 0, -1, 0])
    got = related_alike(view(links), stand_in, np.array([AWAY, AWAY | BACK, AWAY, 0]))
    assert (got.question.tolist(), got.row.tolist()) == ([0, 0, 1], [1, 2, 2])
    assert got.value.tolist() == [1, 1, 1]


def test_bits_of_a_pair_are_all_its_edges():
    near = Neighbours(view([Link(0, 1), Link(1, 0)]), np.array([1]))
    assert [column.tolist() for column in near.bits_to(6)] == [[0], [0], [AWAY | BACK]]
