"""Sentences under a table read well and contradict nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.evaluation.leaderboard.arms import Arm
from hebb_lab.evaluation.leaderboard.notes import _below_ten, notes_of


@pytest.mark.parametrize("reason", ["Use hashing", "Use hashing.", "Use hashing..", "hashing\n."])
def test_a_reason_ends_with_one_full_stop(reason):
    arm = Arm("dense", None, "skipped", reason, None, None, None)
    (note,) = notes_of({"dense": arm}, [], {}, None)
    assert note.endswith("hashing.")


@given(st.floats(0, 10, exclude_max=True))
def test_fewer_than_ten_is_never_printed_as_ten(value):
    text = _below_ten(value)
    assert float(text) < 10
    assert abs(float(text) - value) <= 0.05 + 1e-12
