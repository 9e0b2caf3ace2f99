"""Workspaces wait in a pool, and come to the moment that is asked about."""

import numpy as np
import pytest

from hebb_lab.kernels.cpu.walks.pool import NEVER, Pool, come_to, turn_back
from hebb_lab.kernels.cpu.walks.rows import SPACE
from hebb_lab.kernels.cpu.walks.workspace import EPOCH, NOW, SEEN, USED, WHOLE, workspace

NOON, LINES = 12, 20


def standing(whole=0, used=6):
    """A workspace that has seen three events and made rows at noon."""
    space = workspace(5, np.array([0, 1, 0], np.int16), LINES, 2, 2, True)
    space.present[:, :SPACE] = 1
    space.clock[[SEEN, EPOCH, USED, WHOLE, NOW]] = 3, 8, used, whole, NOON
    return space


def test_what_was_given_back_last_is_taken_first():
    pool = Pool(list)
    one, other = pool.take(), pool.take()
    assert one is not other
    pool.give_back(one)
    pool.give_back(other)
    assert pool.take() is other
    assert pool.take() is one


def test_a_pool_holds_no_more_than_were_taken_at_once():
    made = []
    pool = Pool(lambda: made.append(0))
    for _ in range(9):
        things = [pool.take() for _ in range(3)]
        for thing in things:
            pool.give_back(thing)
    assert len(made) == 3


def test_a_later_moment_is_gone_on_to():
    space = standing()
    come_to(space, NOON + 1, whole=False)
    assert space.clock[[SEEN, EPOCH, NOW]].tolist() == [3, 8, NOON]


def test_the_rows_of_the_same_moment_stay():
    space = standing()
    come_to(space, NOON, whole=False)
    assert space.clock[[SEEN, EPOCH, NOW]].tolist() == [3, 8, NOON]


@pytest.mark.parametrize("whole", [False, True])
def test_the_engine_of_a_moment_is_not_changed_in_its_midst(whole):
    space = standing(whole=int(not whole))
    come_to(space, NOON, whole)
    assert space.clock[[SEEN, NOW]].tolist() == [3, NEVER]


def test_rows_beyond_a_shorter_arena_are_made_anew():
    space = standing(used=LINES)
    short = space._replace(columns=space.columns[:6], lines=space.lines[:6])
    come_to(short, NOON, whole=False)
    assert space.clock[NOW] == NEVER


def test_an_earlier_moment_begins_with_no_event_seen():
    space = standing()
    come_to(space, NOON - 1, whole=False)
    assert space.clock[[SEEN, EPOCH, USED, WHOLE, NOW]].tolist() == [0, 9, 0, 0, NEVER]
    assert (space.present[:, :SPACE] == -1).all()
    assert space.present[:, SPACE].tolist() == [0, 1, 0]


def test_a_workspace_that_is_turned_back_is_as_a_new_one_but_for_its_number_of_moments():
    space, new = standing(), workspace(5, np.array([0, 1, 0], np.int16), LINES, 2, 2, True)
    turn_back(space)
    np.testing.assert_array_equal(space.present, new.present)
    assert space.clock[[SEEN, NOW]].tolist() == new.clock[[SEEN, NOW]].tolist()
