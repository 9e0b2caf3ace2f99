"""Ids that sort as they were written."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ulid import ULID

from hebb_lab.errors import InputError
from hebb_lab.memory.ids import Ids, made_ids

TIMES = st.lists(st.integers(0, 50_000), min_size=1, max_size=30)


def made(times, last=None, seed=0):
    return made_ids(np.array(times, np.int64), last, np.random.default_rng(seed))


@given(TIMES, TIMES)
def test_ids_ascend_whatever_the_clock_does_within_a_batch_and_after_it(first, second):
    one = made(first)
    both = list(one) + list(made(second, one.array[-1], seed=1))
    assert both == sorted(set(both))


@given(st.lists(st.integers(0, 2**53), min_size=1, max_size=20).map(sorted))
def test_an_id_holds_the_millisecond_of_its_writing(times):
    found = [round(ULID.from_str(text).timestamp * 1000) for text in made(times)]
    assert found == [time // 1000 for time in times]


def test_ids_are_the_same_for_the_same_chance_and_differ_for_another():
    assert list(made([5_000, 9_000])) == list(made([5_000, 9_000]))
    assert set(made([5_000, 9_000])).isdisjoint(made([5_000, 9_000], seed=1))


def test_the_text_form_is_the_librarys_and_goes_back():
    texts = [str(ULID()) for _ in range(20)]
    ids = Ids.parse(texts)
    assert list(ids) == texts
    assert ids.to_bytes() == [ULID.from_str(text).bytes for text in texts]
    assert list(Ids.from_bytes(ids.to_bytes())[3:5]) == texts[3:5]
    assert ids[7] == texts[7]


def test_a_run_of_one_millisecond_that_begins_at_the_last_id_goes_on_across_the_halves():
    last = np.array([(5 << 16) | 7, 2**64 - 1], np.uint64)
    ids = made([5_000, 5_000], last)
    assert ids.array.tolist() == [[(5 << 16) | 8, 0], [(5 << 16) | 8, 1]]


@pytest.mark.parametrize("wrong", ["", "no id", "01ARZ3NDEKTSV4RRFFQ69G5FA", None, 7])
def test_what_is_no_id_is_refused_with_its_text(wrong):
    with pytest.raises(InputError, match="is no id of a memory"):
        Ids.parse([wrong])


def test_a_time_that_no_id_can_hold_is_refused():
    for time_us in (-1, (1 << 48) * 1000):
        with pytest.raises(InputError, match="outside 1970"):
            made([time_us])


def test_no_ids_are_no_ids():
    assert (
        len(Ids.none())
        == len(Ids.parse([]))
        == len(made_ids(np.zeros(0, np.int64), None, None))
        == 0
    )
