"""Which arms are brought out."""

import pytest

from hebb_lab.plots.roles import highlighted, look, roles

GROUPS = {"bm25": "floor", "a": "x", "b": "x", "c": "x", "oracle": "ceilings"}


def test_the_best_is_sought_among_mechanisms_only():
    found = roles(GROUPS, {"bm25": 0.9, "a": 0.1, "b": 0.3, "c": 0.2, "oracle": 1.0}, "a")
    assert found == {"bm25": "floor", "a": "base", "b": "best", "c": "other", "oracle": "ceiling"}
    assert highlighted(found) == ["bm25", "a", "b", "oracle"]


def test_a_base_that_nobody_beats_is_the_base_and_nobody_the_best():
    found = roles(GROUPS, {"a": 0.3, "b": 0.3, "c": 0.2}, "a")
    assert found["a"] == "base"
    assert "best" not in found.values()


def test_an_arm_without_a_value_is_not_the_best():
    assert roles(GROUPS, {"a": 0.1, "c": 0.2}, "a")["c"] == "best"


@pytest.mark.parametrize("values", [{}, {"bm25": 0.1}])
def test_a_run_in_which_every_mechanism_failed_has_no_best(values):
    assert "best" not in roles(GROUPS, values, "a").values()


def test_the_base_and_the_best_are_told_apart_by_more_than_their_width():
    assert look("a", "base").colour != look("b", "best").colour
    assert look("x", "floor").dashes != look("x", "best").dashes
