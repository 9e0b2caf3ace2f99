"""Sentences under a table read well and contradict nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.evaluation.leaderboard.arms import Arm
from hebb_lab.evaluation.leaderboard.notes import _below_ten, notes_of, tie_bands


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


def test_only_tie_bands_wider_than_a_hundredth_are_told_and_eight_are_named():
    bands = {"narrow": [0.5, 0.51], "none": None, **{f"w{i}": [0.25, 0.5] for i in range(10)}}
    (told,) = tie_bands([{"metric": "R@10", "arm": a, "tie_band": b} for a, b in bands.items()])
    assert told.startswith("Order of equal scores can move R@10 by more than 0.01: w0 0.250 to ")
    assert told.endswith("w7 0.250 to 0.500 and 2 more arms.")
    assert "narrow" not in told
    assert tie_bands([]) == []


def test_arms_with_fitted_half_lives_are_listed_by_where_these_come_from():
    def arm(name, fitted):
        return Arm(name, None, "ok", None, None, None, None, fitted=fitted)

    arms = {
        name: arm(name, fitted) for name, fitted in (("a", "m (7)"), ("b", None), ("c", "m (7)"))
    }
    assert "Half-lives fitted by m (7): a, c." in notes_of(arms, [], {}, None)


def test_arms_with_half_lives_that_the_fitted_log_does_not_tell_are_named_with_why():
    def arm(name, *said):
        return Arm(name, None, "ok", None, None, None, None, fitted="m", unidentified=said)

    arms = {"a": arm("a", "personal, 868 days: not identifiable above 4.4 days"), "b": arm("b")}
    said = "of a, others fit it as well: personal, 868 days: not identifiable above 4.4 days."
    assert f"The fitted log does not identify a half-life {said}" in notes_of(arms, [], {}, None)
    assert sum("does not identify" in note for note in notes_of(arms, [], {}, None)) == 1
