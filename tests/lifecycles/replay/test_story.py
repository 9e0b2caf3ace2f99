"""Moments at which questions are asked."""

from hebb_lab.lifecycles.replay.story import DAY_US
from tests.lifecycles.made import START_US, asked, items


def test_questions_of_one_time_are_one_moment_and_moments_stand_in_order():
    own = items()
    times = [START_US + 2 * DAY_US, START_US, START_US + 2 * DAY_US]
    moments = asked(own, [0, 1, 2], times).moments()
    assert [(at, rows.tolist()) for at, rows in moments] == [
        (START_US, [1]), (START_US + 2 * DAY_US, [0, 2]),
    ]  # fmt: skip
    assert asked(own, [], []).moments() == []
