"""Local numbers: the nodes that a query reaches are 0, 1, 2, … in the order in which it does.

What a walk holds then follows its frontier and not the number of nodes. The numbers lie in a hash
table that is as large as the frontier asks for, so that a small query stays in the processor's
caches whatever the size of the graph; once it is as large as the graph, a node is its own place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import part, step
from hebb_lab.kernels.cpu.intrinsics import prefetch
from hebb_lab.kernels.cpu.walks.workspace import FACTOR, MASK, Workspace

LOW = (1 << 32) - 1
GOLDEN = 2_654_435_769  # 2³² divided by the golden ratio: neighbouring nodes lie far apart
OWN = 1 << 32  # the factor that leaves a node as it is
FIRST_SIZE = 1 << 10
SPARSE = 4  # entries for each node: with two, every fourth node finds its place taken
SMALL = 1 << 14  # a table that need never grow: 128 KiB


@step
def first_slot(node: int, mask: int, factor: int) -> int:
    """Where in the table a node is, if no other one had been there before it."""
    return ((node * factor) >> 32) & mask


@step
def slot_of(node: int, table: Any, mask: int, factor: int) -> int:
    """Where in the table the node is, or would be: an entry is (number + 1, node), or 0."""
    at = first_slot(node, mask, factor)
    while table[at] != 0 and table[at] & LOW != node:
        at = (at + 1) & mask
    return at


@step
def fetch_entry(node: int, table: Any, mask: int, factor: int) -> None:
    """Ask the memory for the node's entry, some turns of a loop before it is needed."""
    prefetch(table, first_slot(np.int64(node), mask, factor))


@step
def number_of(held: int) -> int:
    """The local number in an entry of the table; −1 in an empty one."""
    return (held >> 32) - 1


@step
def enter(node: int, number: int, at: int, table: Any, nodes: Any) -> None:
    """Give a node that has none the next number."""
    table[at], nodes[number] = ((number + 1) << 32) | node, node


@step
def begin_numbers(space: Workspace) -> None:
    """Before a query: a small table, or the whole one where it is small anyway."""
    size = len(space.table)
    space.clock[MASK] = (size if size <= SMALL else FIRST_SIZE) - 1
    space.clock[FACTOR] = OWN if size <= SMALL else GOLDEN


@step
def make_room(reached: int, more: int, space: Workspace) -> None:
    """See to it that ``more`` nodes than ``reached`` can get numbers in a table mostly free."""
    if space.clock[FACTOR] != OWN and SPARSE * (reached + more) > space.clock[MASK] + 1:
        _grow(reached, reached + more, space)


@part
def _grow(reached: int, most: int, space: Workspace) -> None:
    """A larger table, with what was in it."""
    table, nodes = space.table, space.nodes
    size = space.clock[MASK] + 1
    while size < SPARSE * most and size < len(table):
        size *= 2
    forget(reached, space)
    mask, factor = size - 1, OWN if size == len(table) else GOLDEN
    space.clock[MASK], space.clock[FACTOR] = mask, factor
    for number in range(reached):
        node = np.int64(nodes[number])
        enter(node, number, slot_of(node, table, mask, factor), table, nodes)


@step
def forget(reached: int, space: Workspace) -> None:
    """Take the local numbers back."""
    table, nodes = space.table, space.nodes
    if space.clock[FACTOR] == OWN:
        for number in range(reached):
            table[nodes[number]] = 0
    else:
        for at in range(space.clock[MASK] + 1):
            table[at] = 0
