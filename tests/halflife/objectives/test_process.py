"""The concave problem of the point process: its optimum by conditions and by another solver."""

import numpy as np
import pytest
from scipy.optimize import minimize

from hebb_lab.halflife.objectives.process import PRIOR_EVENTS, concave_maximum, fit_link
from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design
from tests.halflife.made import exposed, history, moments, pairs, random_windows, window


def problem(seed, width=6, events=400):
    """Terms at events and over all exposure: some say much, some say nothing."""
    rng = np.random.default_rng(seed)
    exposure = rng.gamma(0.5, 1.0, (20_000, width)) * np.geomspace(1, 1e-3, width)
    exposure[:, 0] = 1.0
    rates = exposure @ (rng.uniform(0, 1, width) * (rng.random(width) < 0.6) + 0.01)
    chosen = rng.choice(len(exposure), events, p=rates / rates.sum())
    return exposure[chosen], exposure.sum(axis=0)


def value(b, found, totals):
    """ℓ with the half event that the first term is given."""
    prior = PRIOR_EVENTS * np.log(b[0] * totals[0])
    return float(np.log(found @ b).sum() - totals @ b + prior)


@pytest.mark.parametrize("seed", range(8))
def test_the_maximum_meets_the_conditions_of_one(seed):
    found, totals = problem(seed)
    fit = concave_maximum(found, totals)
    assert fit.converged
    b = fit.coefficients
    slope = (found / (found @ b)[:, None]).sum(axis=0) - totals
    slope[0] += PRIOR_EVENTS / b[0]
    in_shares = slope / totals  # per expected event
    inside = b * totals > 1e-3
    assert np.abs(in_shares[inside]).max() < 1e-4
    assert in_shares[~inside].max(initial=-1.0) < 1e-4
    assert fit.value == pytest.approx(np.log(found @ b).sum() - totals @ b)


@pytest.mark.parametrize("seed", range(4))
def test_another_solver_finds_no_higher_likelihood(seed):
    found, totals = problem(seed, width=4)
    fit = concave_maximum(found, totals)
    best = value(fit.coefficients, found, totals)
    for start in (-1.0, -4.0, -8.0):
        other = minimize(
            lambda t: -value(np.exp(t) / totals, found, totals), np.full(4, np.log(400) + start),
            method="Nelder-Mead", options={"maxiter": 8000, "fatol": 1e-9, "xatol": 1e-7},
        )  # fmt: skip
        assert -other.fun <= best + 1e-4


def test_expected_events_are_as_many_as_there_were():
    found, totals = problem(3)
    fit = concave_maximum(found, totals)
    assert fit.coefficients @ totals == pytest.approx(len(found) + PRIOR_EVENTS, rel=1e-4)


def test_scaling_a_term_scales_its_coefficient_and_nothing_else():
    found, totals = problem(5)
    scale = np.array([1.0, 1e6, 1e-6, 3.0, 1.0, 1e3])
    one, two = concave_maximum(found, totals), concave_maximum(found * scale, totals * scale)
    np.testing.assert_allclose(two.coefficients * scale, one.coefficients, rtol=1e-3, atol=1e-6)
    assert two.value == pytest.approx(one.value, abs=1e-5)


def test_a_term_that_was_never_seen_has_no_coefficient():
    found, totals = problem(1, width=3)
    found, totals = np.column_stack([found, np.zeros(len(found))]), np.append(totals, 0.0)
    fit = concave_maximum(found, totals)
    assert fit.converged
    assert fit.coefficients[3] == 0
    assert fit.value == pytest.approx(concave_maximum(found[:, :3], totals[:3]).value, abs=1e-6)


def test_a_term_that_is_never_there_at_an_event_has_no_share():
    found, totals = problem(1, width=3)
    found = np.column_stack([found, np.zeros(len(found))])
    fit = concave_maximum(found, np.append(totals, 500.0))
    assert fit.coefficients[3] * 500 < 1e-3


def test_two_terms_that_are_one_share_what_it_has():
    found, totals = problem(2, width=3)
    twice = concave_maximum(np.column_stack([found, found[:, 2]]), np.append(totals, totals[2]))
    once = concave_maximum(found, totals)
    assert twice.coefficients[2:].sum() == pytest.approx(once.coefficients[2], rel=1e-3, abs=1e-9)
    assert twice.value == pytest.approx(once.value, abs=1e-4)


def test_without_an_event_half_of_one_is_expected():
    fit = concave_maximum(np.empty((0, 2)), np.array([50.0, 3.0]))
    assert fit.converged
    assert fit.coefficients.tolist() == [PRIOR_EVENTS / 50, 0]


def test_events_without_any_exposure_do_not_converge():
    fit = concave_maximum(np.ones((3, 2)), np.zeros(2))
    assert not fit.converged
    assert np.isfinite(fit.coefficients).all()


def test_the_constant_alone_is_events_over_exposure():
    fit = concave_maximum(np.ones((40, 1)), np.array([800.0]))
    assert fit.coefficients[0] == pytest.approx((40 + PRIOR_EVENTS) / 800, rel=1e-6)


def test_a_link_is_the_maximum_of_each_group_by_itself():
    found = history(random_windows(41, 500, nodes=9, spaces=(0, 1)))
    design = Design([Constant(found), Decaying(by_group(found, np.array([2.0])))])
    until = 400
    link = fit_link(design, found, until)
    assert not link.pooled.any()
    assert link.converged.all()
    assert link.shares.sum(axis=1) == pytest.approx([1, 1])
    for number in range(2):
        edges = np.flatnonzero(found.group == number)
        totals = sum(
            design.at(moments(found, e, exposed(found, e, until))).sum(axis=0) for e in edges
        )
        events = found.reactivations(0, until)
        events = events[found.group[found.edge_of[events]] == number]
        own = concave_maximum(design.at(found.at_events(events)), totals)
        np.testing.assert_allclose(
            link.coefficients[number], own.coefficients, rtol=1e-3, atol=1e-9
        )
        assert link.events[number] == len(events)
    asked = found.asked(np.arange(found.edges), np.full(found.edges, found.recall_us[-1] + 1))
    assert (link.of(found, asked) == link.coefficients[found.group]).all()


def test_a_group_with_few_events_takes_the_coefficients_of_all():
    few = [window(900, [20, 21], 1), window(901, [20, 21], 1)]
    found = history(random_windows(42, 200) + few)
    design = Design([Constant(found)])
    link = fit_link(design, found, found.recalls)
    small = found.groups.index("shared")
    assert link.pooled[small]
    assert not link.pooled[1 - small]
    totals = design.exposure(found.recalls).sum()
    assert link.coefficients[small, 0] == pytest.approx(
        (link.events.sum() + 0.5) / totals, rel=1e-5
    )


def test_a_log_without_a_reactivation_still_has_a_link():
    found = history(pairs((0, 0), (1, 1), (2, 2)))
    link = fit_link(Design([Constant(found)]), found, found.recalls)
    assert link.pooled.all()
    assert (link.coefficients > 0).all()
