"""One half-life of 30 for all: the sum of a constant and a weight, replayed in plain loops."""

import numpy as np
import pytest

from hebb_lab.halflife.models.fixed import Fixed, linked_to_half_lives
from tests.halflife.fits import (
    counted,
    fitted,
    late,
    plain_areas,
    plain_weights,
    share_of,
    training,
    world,
)
from tests.halflife.made import history, random_windows


def test_its_half_life_is_30_for_every_edge():
    fit, found = fitted("fixed")
    assert set(fit.half_life(late(found))) == {30.0}


@pytest.mark.parametrize("name", ["fixed", "namespace_defaults"])
def test_an_intensity_is_a_constant_and_a_share_of_the_replayed_weight(name):
    fit, found = fitted(name)
    asked = share_of(late(found), 60)
    lives = fit.half_life(asked)
    by_group = np.array([lives[found.group[asked.edge] == g][0] for g in range(len(found.groups))])
    mu, beta = fit.link.coefficients[found.group[asked.edge]].T
    weight = plain_weights(found, asked, by_group)
    np.testing.assert_allclose(fit.intensity(asked), mu + beta * weight, rtol=1e-9)
    _, more = found.ahead(asked, 7.0)
    expected = mu * more + beta * plain_areas(found, asked, by_group, 7.0)
    np.testing.assert_allclose(fit.predict(asked, 7.0), 1 - np.exp(-expected), rtol=1e-9)


def test_the_link_expects_as_many_events_as_there_were():
    fit, found = fitted("fixed")
    _, train = world()
    totals = fit.design.exposure(train.until)
    for group in range(len(found.groups)):
        own = found.group == group
        expected = fit.link.coefficients[group] @ totals[own].sum(axis=0)
        events, _ = counted(found, group, train.until)
        assert expected == pytest.approx(events + 0.5, rel=1e-3)
        assert fit.parameters[f"share_weight[{found.groups[group]}]"].events == events


def test_another_half_life_can_be_fixed():
    found = history(random_windows(2, 100, nodes=6))
    fit = Fixed(half_life=5.0).fit(found, training(found))
    one = linked_to_half_lives(found, np.array([5.0]), training(found))
    asked = late(found)
    assert set(fit.half_life(asked)) == {5.0}
    np.testing.assert_array_equal(fit.intensity(asked), one.intensity(asked))
