"""Groups under a shared prior, and what figures are given of them."""

from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab.halflife.objectives.profile import GRID
from hebb_lab.halflife.objectives.sharing import GroupProfile, alone_parameters, share

PLACE = np.log(GRID)


def bell(centre, width, scale=1.0):
    """A log likelihood over ln half-life that is a parabola."""
    return GroupProfile(GRID, -0.5 * scale * ((PLACE - np.log(centre)) / width) ** 2, scale, 100)


def test_two_groups_stand_for_themselves():
    found = share([bell(5, 0.1), bell(80, 0.2)], [400, 90])
    assert found.pooled is None
    assert found.lives == pytest.approx([5, 80], rel=0.01)
    assert found.shared == found.estimates
    low, high = found.estimates[0].low, found.estimates[0].high
    assert (np.log(high / low) / 2) == pytest.approx(1.96 * 0.1, rel=0.02)


def test_an_interval_is_as_wide_as_the_scale_makes_it():
    narrow = share([bell(5, 0.1)], [400]).estimates[0]
    profile = bell(5, 0.1)
    wide = share([profile._replace(scale=4.0)], [400]).estimates[0]
    ratio = np.log(wide.high / wide.low) / np.log(narrow.high / narrow.low)
    assert ratio == pytest.approx(2, rel=0.02)


def test_a_group_without_a_profile_takes_the_value_of_the_others_and_says_so():
    found = share([bell(5, 0.1), None], [400, 3])
    assert found.lives[1] == pytest.approx(5, rel=0.2)
    assert found.shared[1].verdict == (
        "only 3 re-activations: no estimate of its own; that of the others is used"
    )
    assert np.isnan(found.estimates[1].value)


def test_a_weak_group_leans_on_three_that_agree():
    groups = [bell(10, 0.1), bell(12, 0.1), bell(9, 0.1), bell(100, 1.5)]
    found = share(groups, [400, 400, 400, 5])
    assert found.pooled is not None
    assert found.lives[3] < 15 < 90 < found.estimates[3].value
    assert found.lives[:3] == pytest.approx([10, 12, 9], rel=0.15)


def test_a_flat_profile_is_not_identifiable():
    flat = GroupProfile(GRID, np.zeros(len(GRID)), 1.0, 50)
    assert share([flat], [50]).estimates[0].verdict.startswith("not identifiable: no half-life")


def test_three_groups_that_agree_do_not_make_each_other_sure():
    weak = [bell(10, 1.0), bell(10, 1.0), bell(10, 1.0)]
    found = share(weak, [30, 30, 30])
    assert found.pooled.spread > 0.3
    alone, shared = found.estimates[0], found.shared[0]
    narrower = np.log(shared.high / shared.low) / np.log(alone.high / alone.low)
    assert 0.25 < narrower < 1.0


def test_two_half_lives_that_fit_as_well_are_both_named():
    one, two = bell(3, 0.15).values, bell(200, 0.15).values
    profile = GroupProfile(GRID, np.logaddexp(one, two - 0.5), 1.0, 100)
    estimate = share([profile], [400]).estimates[0]
    assert "lie apart" in estimate.verdict
    assert estimate.low < 3 < 200 < estimate.high
    assert share([bell(3, 0.15)], [400]).estimates[0].verdict == ""


def test_a_group_without_an_estimate_borrows_none_where_the_others_have_none():
    flat = GroupProfile(GRID, np.zeros(len(GRID)), 1.0, 50)
    found = share([flat, None], [50, 3])
    assert np.isnan(found.shared[1].value)
    assert np.isfinite(found.lives).all()
    assert found.shared[1].verdict.startswith(
        "only 3 re-activations: no estimate of its own, and that of the others is not identifiable"
    )


def test_a_group_by_itself_is_told_under_a_name_of_its_own():
    found = share([bell(5, 0.1), None], [400, 3])
    told = alone_parameters(SimpleNamespace(groups=("a", "b")), found)
    assert told == dict(
        zip(("half_life_alone[a]", "half_life_alone[b]"), found.estimates, strict=True)
    )
