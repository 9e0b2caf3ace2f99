"""Local numbers: in the order of entering, whatever the size of the table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.cpu.compile import kernel
from hebb_lab.kernels.cpu.walks.numbers import (
    FIRST_SIZE,
    OWN,
    SMALL,
    begin_numbers,
    enter,
    forget,
    make_room,
    number_of,
    slot_of,
)
from hebb_lab.kernels.cpu.walks.workspace import FACTOR, HEADS, MASK, workspace

MANY = 1 << 20  # nodes: the table grows


@kernel
def _number(asked, batch, space, found):
    """Number the nodes, making room for a batch of them at a time; how many there are."""
    reached = np.int64(0)
    begin_numbers(space)
    for i in range(len(asked)):
        if i % batch == 0:
            make_room(reached, batch, space)
        node = np.int64(asked[i])
        at = slot_of(node, space.table, space.clock[MASK], space.clock[FACTOR])
        found[i] = number_of(space.table[at])
        if found[i] < 0:
            enter(node, reached, at, space.table, space.nodes)
            found[i], reached = reached, reached + 1
    return reached


@kernel
def _forget(reached, space):
    forget(reached, space)


def space_of(nodes):
    return workspace(nodes, np.zeros(0, np.int16), HEADS, 1, 1, False)


def first_seen(asked):
    numbers = {}
    return [numbers.setdefault(node, len(numbers)) for node in asked]


@pytest.fixture(scope="module")
def large():
    return space_of(MANY)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(st.integers(0, MANY - 1), st.integers(0, 40)), max_size=300),
    st.integers(1, 200),
)
def test_nodes_are_numbered_as_they_come_and_forgotten(large, asked, batch):
    found = np.empty(len(asked), np.int64)
    reached = _number(np.array(asked, np.int32), batch, large, found)
    assert found.tolist() == first_seen(asked)
    assert large.nodes[:reached].tolist() == list(dict.fromkeys(asked))
    _forget(reached, large)
    assert not large.table.any()


@pytest.mark.parametrize("step", [1, 1 << 10, 1 << 16])
def test_a_table_grows_with_what_is_asked_of_it_and_begins_small_again(large, step):
    asked = (np.arange(60_000, dtype=np.int64) * step % MANY).astype(np.int32)
    found = np.empty(len(asked), np.int64)
    reached = _number(asked, 500, large, found)
    assert found.tolist() == first_seen(asked.tolist())
    assert FIRST_SIZE < large.clock[MASK] + 1 <= len(large.table)
    _forget(reached, large)
    assert not large.table.any()
    _number(asked[:0], 1, large, found)
    assert large.clock[MASK] + 1 == FIRST_SIZE


def test_a_table_as_large_as_the_graph_holds_each_node_at_its_own_place():
    space = space_of(MANY)
    asked = np.arange(MANY, dtype=np.int32)[::-1].copy()
    found = np.empty(len(asked), np.int64)
    reached = _number(asked, MANY, space, found)
    assert (reached, space.clock[FACTOR]) == (MANY, OWN)
    np.testing.assert_array_equal(found, np.arange(MANY))
    _forget(reached, space)
    assert not space.table.any()


@pytest.mark.parametrize("nodes", [1, 2, 7, 40, SMALL])
def test_a_small_graph_has_its_whole_table_at_once(nodes):
    space = space_of(nodes)
    asked = np.array([nodes - 1, 0, nodes - 1], np.int32)
    found = np.empty(3, np.int64)
    reached = _number(asked, 1, space, found)
    assert found.tolist() == first_seen(asked.tolist())
    assert space.clock[FACTOR] == OWN
    _forget(reached, space)
    assert not space.table.any()
