"""Rate and decay side by side."""

import numpy as np

from tests.halflife.fits import MODELS, counted, fitted, late, plain_weights, share_of, world

EVEN = {"edges": 240, "days": 120.0}


def test_an_intensity_is_a_constant_a_rate_and_a_replayed_weight():
    fit, found = fitted("rate_decay")
    rate, _ = fitted("rate")
    asked = share_of(late(found), 60)
    lives = np.array([fit.parameters[f"half_life[{g}]"].value for g in found.groups])
    group = found.group[asked.edge]
    n = found.again(asked)
    a, b = rate.prior.shape[group], rate.prior.scale[group]
    mu, rho, beta = fit.link.coefficients[group].T
    expected = mu + rho * (a + n) / (b + found.age(asked))
    expected += beta * plain_weights(found, asked, lives)
    np.testing.assert_allclose(fit.intensity(asked), expected, rtol=1e-9)
    assert (fit.half_life(asked) == lives[group]).all()


def test_a_prediction_adds_up_what_each_term_is_forecast_to_bring():
    fit, found = fitted("rate_decay")
    asked = share_of(late(found), 60)
    group = found.group[asked.edge]
    rate = fit.design.terms[1]
    _, more = found.ahead(asked, 7.0)
    mu, rho, beta = fit.link.coefficients[group].T
    own = (rate.shape[group] + found.again(asked)) * np.log(
        (rate.scale[group] + found.age(asked) + more) / (rate.scale[group] + found.age(asked))
    )
    steps = 800
    clock, _ = found.ahead(asked, 7.0)
    weight = np.mean(
        [
            fit.design.terms[2].fading.at(
                asked._replace(gap=asked.gap + clock * (part + 0.5) / steps)
            )[:, 0]
            for part in range(steps)
        ],
        axis=0,
    )
    expected = 1 - np.exp(-(mu * more + rho * own + beta * weight * more))
    np.testing.assert_allclose(fit.predict(asked, 7.0), expected, rtol=2e-3)


def test_where_all_edges_have_one_rate_the_weight_explains_what_the_constant_does_not():
    """A rate that does not differ from edge to edge is a constant, and shares with it."""
    fit, _ = fitted("rate_decay", "shared", **EVEN)
    fixed, _ = fitted("hierarchical", "shared", **EVEN)
    weight = fit.parameters["share_weight[personal]"].value
    without = fixed.parameters["share_weight[personal]"].value
    assert without > 0.4
    assert weight > 0.6 * without


def test_where_nothing_fades_and_rates_differ_the_rate_explains_nearly_all():
    fit, found = fitted("rate_decay", "frailty", gain=0.0, **EVEN)
    for group in found.groups:
        assert fit.parameters[f"share_weight[{group}]"].value < 0.2


def test_events_stand_behind_every_parameter():
    fit, found = fitted("rate_decay")
    _, train = world()
    for number, group in enumerate(found.groups):
        events, _ = counted(found, number, train.until)
        for name in ("half_life", "half_life_alone", "share_rate", "share_weight"):
            assert fit.parameters[f"{name}[{group}]"].events == events


def test_it_is_the_learned_model_that_is_about_both():
    assert MODELS["rate_decay"].kind == "learned"
    assert "rate" in MODELS["rate_decay"].about
    shares = fitted("rate_decay")[0].link.shares
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert fitted("rate_decay")[0].details()["curves"].keys() == {"personal", "shared", "ephemeral"}
