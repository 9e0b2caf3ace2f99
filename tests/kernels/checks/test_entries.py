"""The first wrong entry, and how many there are; the rest is in test_graphs."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.checks.entries import (
    all_good,
    ascends,
    check_ascending,
    check_ids,
    check_length,
    check_pointer,
    number_good,
)


def test_the_first_wrong_entry_is_named_and_the_others_are_counted():
    with pytest.raises(InputError, match=r"^entry 1 of the cats is old \(2 in all\)\. Feed it\.$"):
        all_good("cats", "is old", np.array([True, False, True, False]), "Feed it")
    with pytest.raises(InputError, match=r"^entry 0 of the cats is old\. Mend or leave out"):
        all_good("cats", "is old", np.array([False]))


def test_a_setting_is_shown_with_its_value():
    with pytest.raises(ConfigError, match=r"^a rate is -2\.0\. Raise it\.$"):
        number_good("rate", np.array([[1.0, -2.0]]), np.array([[True, False]]), "Raise it")


def test_entries_ascend_within_their_segments():
    values, pointer = np.array([3, 3, 1, 2, 0]), np.array([0, 0, 2, 4, 5, 5])
    assert ascends(values, pointer, strictly=False).tolist() == [True] * 5
    assert ascends(values, pointer, strictly=True).tolist() == [True, False, True, True, True]
    assert ascends(values[:0], np.zeros(3, np.int64), strictly=True).tolist() == []


def test_what_is_in_order_passes():
    check_ids("nodes", np.array([-1, 2]), 3, least=-1)
    check_ids("nodes", np.zeros(0, np.int32), 0)
    check_ascending("times", np.array([4, 4, 5]))
    check_pointer("rows", np.array([0, 0, 4]), 2, 4)
    check_length("size", np.zeros(3), 3)


def test_a_pointer_without_an_entry_is_refused():
    with pytest.raises(InputError, match="pointer of the rows has 0 entries, not 1"):
        check_pointer("rows", np.zeros(0, np.int64), -1, 0)
