"""Who may choose for whom."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import InputError
from hebb_lab.lifecycles.protocol.parts import parts_of
from tests.lifecycles.made import START_US, asked, items, story


def made(test, practice, *, ordered, groups=None):
    own = items(2)
    exam = asked(own, [0] * len(test), [START_US + at for at in test])
    trained = asked(own, [1] * len(practice), [START_US + at for at in practice], "p")
    if groups is not None:
        exam.groups[:], trained.groups[:] = groups
    return story(own, exam, trained, ordered=ordered)


def parted(told, count=3):
    return parts_of(told, count, np.random.default_rng(0))


TIMES = st.lists(st.integers(0, 9), min_size=1, max_size=12)


@given(TIMES, TIMES, st.integers(2, 5))
def test_in_time_nothing_is_chosen_by_what_was_not_before_and_each_question_is_answered_once(
    test, practice, count
):
    told = made(test, practice, ordered=True)
    if len(set(test)) == 1:
        return
    try:
        parts = parted(told, count)
    except InputError:  # one block took them all
        assert len(set(test)) < len(test)
        return
    assert (sum(part.test.astype(int) for part in parts) == 1).all()
    assert not parts[0].practice.any()
    for before, part in pairwise(parts):
        first = told.exam.time_us[part.test].min()
        assert told.exam.time_us[before.test].max() < first
        assert (part.practice == (told.practice.time_us < first)).all()


def test_blocks_are_even_and_equal_times_stay_together():
    even = parted(made([0, 1, 2, 3, 4, 5], [0, 2, 4], ordered=True))
    assert [part.name for part in even] == ["block 1 of 3", "block 2 of 3", "block 3 of 3"]
    assert [int(part.test.sum()) for part in even] == [2, 2, 2]
    assert [int(part.practice.sum()) for part in even] == [0, 1, 2]
    assert [p.test.tolist() for p in parted(made([0, 0, 0, 0, 0, 9], [], ordered=True))] == [
        [True] * 5 + [False], [False] * 5 + [True],
    ]  # fmt: skip


@given(st.lists(st.sampled_from("abcde"), min_size=2, max_size=12), st.data())
def test_no_cluster_chooses_for_itself_and_all_others_do(test, data):
    practice = data.draw(st.lists(st.sampled_from("abcde"), max_size=12))
    told = made([0] * len(test), [0] * len(practice), ordered=False, groups=(test, practice))
    if len({*test, *practice}) < 2:
        return
    parts = parted(told)
    assert (sum(part.test.astype(int) for part in parts) == 1).all()
    for part in parts:
        own = {group for group, here in zip(test, part.test, strict=True) if here}
        elsewhere = {group for group, here in zip(test, part.test, strict=True) if not here}
        chose = {group for group, may in zip(practice, part.practice, strict=True) if may}
        assert not own & chose
        assert elsewhere & set(practice) <= chose


@pytest.mark.parametrize(
    ("ordered", "said"), [(True, "of one time"), (False, "all questions are of one")]
)
def test_where_nobody_else_could_choose_it_is_said(ordered, said):
    told = made([0, 0], [0, 0], ordered=ordered, groups=(["a", "a"], ["a", "a"]))
    with pytest.raises(InputError, match=said):
        parted(told)
