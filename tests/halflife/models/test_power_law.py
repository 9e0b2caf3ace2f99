"""Powers of the age, and the exponentials that stand in for them."""

from itertools import product

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.halflife.model import Training
from hebb_lab.halflife.models.power_law import EXPONENTS, OFFSETS, TRACES, exponentials
from tests.halflife.fits import MODELS, fitted, late, share_of
from tests.halflife.made import history, pairs


@pytest.mark.parametrize(("exponent", "offset"), [*product(EXPONENTS.tolist(), OFFSETS)])
def test_the_exponentials_are_the_power_within_two_per_cent(exponent, offset):
    weights = np.array(exponentials(exponent, offset))
    assert (weights >= 0).all()
    ages = np.geomspace(0.01, 365.0, 2777)  # others than it was fitted at
    found = (weights * 2.0 ** (-ages[:, None] / TRACES)).sum(axis=1)
    assert np.abs(found / (ages + offset) ** -exponent - 1).max() < 0.02


def test_an_intensity_is_the_sum_over_all_activations_of_the_edge():
    fit, found = fitted("power_law", "power_law", gain=0.05)
    d, tau = (fit.parameters[name].value for name in ("exponent", "offset"))
    asked = share_of(late(found), 60)
    for row in range(len(asked.edge)):
        own = slice(int(found.pointer[asked.edge[row]]), int(asked.event[row]) + 1)
        ages = asked.reading[row] - found.reading[found.event_recall[own]]
        mu, beta = fit.link.coefficients[found.group[asked.edge[row]]]
        expected = mu + beta * ((ages + tau) ** -d).sum()
        assert fit.intensity(asked.some([row]))[0] == pytest.approx(expected, rel=0.02)


def test_activations_add_up_without_cap_floor_or_pruning():
    found = history(pairs(*[(n / 10, 0) for n in range(40)], (0.05, 1), (501, 1)))
    fit = MODELS["power_law"].fit(found, Training(until=found.recalls))
    fading = fit.design.terms[1].fading
    asked = late(found, 1)
    expected = [
        sum(2.0 ** (-(asked.reading[0] - n / 10) / days) for n in range(40)) for days in TRACES
    ]
    np.testing.assert_allclose(fading.at(asked)[0], expected, rtol=1e-6)


def test_a_steep_world_is_fitted_with_a_steeper_power_than_a_flat_one():
    steep, _ = fitted("power_law", "power_law", gain=0.05, power_exponent=1.2, edges=200)
    flat, _ = fitted("power_law", "power_law", gain=0.03, power_exponent=0.3, edges=200)
    assert steep.parameters["exponent"].value > flat.parameters["exponent"].value
    for fit in (steep, flat):
        exponent = fit.parameters["exponent"]
        assert exponent.low <= exponent.value <= exponent.high
        assert fit.parameters["offset"].verdict == "on a grid of three"


def test_it_has_no_half_life_and_needs_ten_reactivations():
    fit, found = fitted("power_law")
    assert np.isnan(fit.half_life(late(found))).all()
    few = history(pairs((0, 0), (1, 0), (2, 0)))
    with pytest.raises(InputError, match="re-activations are too few"):
        MODELS["power_law"].fit(few, Training(until=3))
