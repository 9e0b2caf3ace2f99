"""What practice needed before the test."""

from dataclasses import replace

import numpy as np

from hebb_lab.lifecycles.protocol.overlap import shared_of
from hebb_lab.lifecycles.protocol.said import question_frame
from tests.lifecycles.made import START_US, asked, items, story


def paper(own, wanted, times, name="q", entities=None):
    made = asked(own, [0] * len(wanted), [START_US + at for at in times], name)
    return replace(made, needed=[np.array(each, np.int64) for each in wanted],
                   entities=entities or made.entities)  # fmt: skip


def test_only_what_practice_of_the_same_scope_needed_before_is_shared():
    own = items(6)
    practice = paper(own, [[0], [1], [2, 4], [3]], [0, 5, 0, 0], "p", ["e", "e", "e", "other"])
    exam = paper(own, [[0], [1], [2, 5], [3], [], [-1, 4], [0, 2]], [5] * 7)
    found = shared_of(story(own, exam, practice))
    # known; not before; one of two; another scope; nothing needed; what is not there; both
    np.testing.assert_array_equal(found, [1.0, 0.0, 0.5, 0.0, np.nan, 1.0, 1.0])
    frame = question_frame(story(own, exam, practice))
    assert frame["shared"].to_list() == [1.0, 0.0, 0.5, 0.0, None, 1.0, 1.0, *[None] * 4]


def test_an_agents_steps_are_practice_too():
    own = items(2)
    exam = paper(own, [[0], [0]], [0, 5])
    steps = paper(own, [[0]], [3], "s")
    assert shared_of(story(own, exam, steps=steps)).tolist() == [0.0, 1.0]
