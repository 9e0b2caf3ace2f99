"""Steps from touch to touch, held to plain loops."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.cpu.transitions import sort_steps, steps

TOUCHES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=20)


def columns(touches):
    session, node = np.array(touches, np.int32).reshape(-1, 2).T
    return np.ascontiguousarray(session), np.ascontiguousarray(node)


def by_hand(touches):
    last, found = {}, []
    for t, (session, node) in enumerate(touches):
        if session in last and touches[last[session]][1] != node:
            found.append((last[session], t))
        last[session] = t
    return found


@settings(deadline=None)
@given(TOUCHES)
def test_a_step_goes_from_a_touch_to_the_next_of_its_session_on_another_node(touches):
    first, second = steps(*columns(touches), 3)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == by_hand(touches)


@settings(deadline=None)
@given(TOUCHES)
def test_steps_come_by_their_nodes_equal_ones_in_order(touches):
    session, node = columns(touches)
    first, second = steps(session, node, 3)
    pairs = sort_steps(first, second, node, 4)
    a = np.repeat(np.arange(4), np.diff(pairs.stop, prepend=0))
    got = list(zip(a.tolist(), pairs.second.tolist(), pairs.window.tolist(), strict=True))
    assert got == sorted((touches[u][1], touches[v][1], v) for u, v in by_hand(touches))
