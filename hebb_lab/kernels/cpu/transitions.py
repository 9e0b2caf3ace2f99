"""Which touch followed which, sorted into edges: the directed twin of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, kernel
from hebb_lab.kernels.cpu.pairs import SortedPairs, by_first_node, starts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]


def steps(session: Ids, node: Ids, sessions: int) -> tuple[Ids, Ids]:
    """(first, second): positions of consecutive touches of different nodes in one session.

    Args:
        session: [T] of each touch.
        node: [T].
        sessions: how many.

    Returns:
        [P] each, ``second`` ascending.
    """
    none = np.zeros(0, np.int32)
    count = _steps(session, node, np.full(sessions, -1, np.int32), none, none)
    first, second = np.empty(count, np.int32), np.empty(count, np.int32)
    _steps(session, node, np.full(sessions, -1, np.int32), first, second)
    return first, second


def sort_steps(first: Ids, second: Ids, node: Ids, nodes: int) -> SortedPairs:
    """Steps by (node of the first, node of the second), equal ones in the order they came in.

    The window of each is the position of its second touch.

    Args:
        first: [P].
        second: [P].
        node: [T] of each touch.
        nodes: N.
    """
    firsts, seconds = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    none = np.zeros(0, np.int32)
    _by_second(first, second, node, firsts, seconds, none, none)
    firsts, seconds = starts_of(firsts), starts_of(seconds)
    left, event = np.empty(len(first), np.int32), np.empty(len(first), np.int32)
    _by_second(first, second, node, firsts, seconds, left, event)
    return by_first_node(firsts, seconds, left, event)


@kernel
def _steps(session: Any, node: Any, last: Any, first: Any, second: Any) -> int:
    """The number of steps; where there is room for them, the steps."""
    count, fill = ZERO, len(first) > 0
    for t in range(len(session)):
        before = last[session[t]]
        last[session[t]] = t
        if before >= 0 and node[before] != node[t]:
            if fill:
                first[count], second[count] = before, t
            count += 1
    return count


@kernel
def _by_second(
    first: Any, second: Any, node: Any, firsts: Any, seconds: Any, left: Any, event: Any
) -> None:
    """Count steps by node, or, with room for them, put them in the order of their second node."""
    fill = len(left) > 0
    for i in range(len(first)):
        a, b = node[first[i]], node[second[i]]
        if fill:
            left[seconds[b]], event[seconds[b]] = a, second[i]
        else:
            firsts[a] += 1
        seconds[b] += 1
