"""The mixture of half-lives: a sum of replayed weights with coefficients that are not negative."""

import numpy as np
import pytest

from hebb_lab.halflife.models.basis import HALF_LIVES
from hebb_lab.halflife.models.fixed import linked_to_half_lives
from tests.halflife.fits import fitted, late, plain_weights, share_of, world


def test_no_weight_is_negative_and_shares_sum_to_1():
    fit, found = fitted("basis")
    assert (fit.link.coefficients >= 0).all()
    for group in found.groups:
        shares = [e.value for k, e in fit.parameters.items() if k.endswith(f"[{group}]")
                  and k.startswith("share")]  # fmt: skip
        assert len(shares) == 1 + len(HALF_LIVES)
        assert sum(shares) == pytest.approx(1)


def test_an_intensity_is_the_mixture_of_the_replayed_weights():
    fit, found = fitted("basis")
    asked = share_of(late(found), 30)
    rows = fit.link.coefficients[found.group[asked.edge]]
    expected = rows[:, 0].copy()
    for column, days in enumerate(HALF_LIVES):
        lives = np.full(len(found.groups), days)
        expected += rows[:, 1 + column] * plain_weights(found, asked, lives)
    np.testing.assert_allclose(fit.intensity(asked), expected, rtol=1e-9)


def test_no_single_half_life_of_the_basis_explains_the_log_better():
    fit, found = fitted("basis")
    _, train = world()
    for days in HALF_LIVES:
        one = linked_to_half_lives(found, np.full(len(found.groups), days), train)
        assert one.link.log_likelihood <= fit.link.log_likelihood + 0.1


def test_its_half_life_is_the_mean_by_what_each_explains():
    fit, found = fitted("basis")
    for number, group in enumerate(found.groups):
        shares = fit.link.shares[number, 1:]
        mean = fit.parameters[f"mean_half_life[{group}]"]
        assert "without an interval" in mean.verdict
        if shares.sum() < 1e-9:
            assert np.isnan(mean.value)
        else:
            expected = np.exp(np.average(np.log(HALF_LIVES), weights=shares))
            assert mean.value == pytest.approx(expected)
        own = late(found)
        of_group = fit.half_life(own)[found.group[own.edge] == number]
        np.testing.assert_array_equal(of_group, mean.value)


def test_where_nothing_fades_the_longest_half_lives_and_the_constant_explain_all():
    fit, _ = fitted("basis", "frailty", gain=0.0, edges=250)
    shares = fit.link.shares
    assert shares[:, 1:4].max() < 0.2  # an hour to two days
