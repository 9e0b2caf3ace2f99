"""A half-life that follows from the past: features, derivatives, and torch's gradients."""

import numpy as np
import pytest
import torch

from hebb_lab.halflife.facts.past import past_of
from hebb_lab.halflife.model import Training
from hebb_lab.halflife.models.log_linear import SLOPES, LogLinearRule
from hebb_lab.halflife.objectives.chain import Problem
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST
from hebb_lab.halflife.signals.fading import one_trace
from tests.halflife.fits import MODELS, fitted, late, plain_weight, training, world
from tests.halflife.made import history, random_windows, window
from tests.kernels.backends import made

BUSY = random_windows(21, 260, nodes=6, spaces=(0, 1), silences=0.08)
THETA = np.array([np.log(4.0), np.log(15.0), 0.35, -0.2, 0.3])
RATIOS = np.log([6.0, 20.0])
POINT = np.concatenate([THETA, RATIOS])


def rule_of(found):
    return LogLinearRule(found.group[found.edge_of], past_of(found), len(found.groups))


def problem(found=None):
    found = found or history(BUSY)
    cases = Training(until=found.recalls, cases=250, controls=6).drawn(found)
    mean = np.array([np.log(8.0), np.log(8.0), 0.0, 0.0, 0.0])
    return Problem(found, cases, rule_of(found), mean, np.array([2.0, 2.0, 1.0, 1.0, 1.0]))


def test_a_half_life_is_the_product_of_powers_of_what_the_edge_has_done():
    found = history(BUSY)
    logs, _ = rule_of(found).lives(THETA)
    for edge in range(found.edges):
        reading = found.reading[found.event_recall[found.pointer[edge] : found.pointer[edge + 1]]]
        for place in range(len(reading)):
            gaps = np.diff(reading[: place + 1])
            mean = gaps.mean() if place else 0.0
            spread = gaps.std() / mean if place > 1 and mean > 0 else 0.0
            expected = np.exp(THETA[found.group[edge]]) * (place + 1) ** THETA[2]
            expected *= (1 + mean) ** THETA[3] * np.exp(THETA[4] * spread)
            assert np.exp(logs[found.pointer[edge] + place]) == pytest.approx(expected, rel=1e-6)


def test_its_derivatives_are_those_of_differences():
    rule, step = rule_of(history(BUSY)), 1e-5
    _, slopes = rule.lives(THETA)
    for place in range(len(THETA)):
        move = step * np.eye(len(THETA))[place]
        ends = [rule.lives(THETA + sign * move)[0] for sign in (1, -1)]
        np.testing.assert_allclose(slopes[:, place], (ends[0] - ends[1]) / (2 * step), atol=1e-8)


def test_outside_the_fitted_range_a_half_life_stands_at_its_end_and_has_no_derivative():
    rule = rule_of(history(BUSY))
    away = np.array([9.0, 9.0, 0.0, 0.0, 0.0])
    for theta, end in ((THETA + away, HIGHEST), (THETA - away, LOWEST)):
        logs, slopes = rule.lives(theta)
        stands = np.isclose(np.exp(logs), end)
        assert stands.any()
        assert (slopes[stands] == 0).all()


def test_the_gradient_of_the_loss_is_that_of_differences_through_cap_floor_and_pruning():
    given = problem()
    weight, _ = given._weights(THETA)
    for bound in (1.0, 0.2, 0.0):  # cap: right after an event only, so nearly
        assert (np.abs(weight - bound) < (1e-2 if bound == 1 else 1e-12)).any()
    value, slope = given.loss(POINT)
    step = 1e-6
    for place in range(len(POINT)):
        move = step * np.eye(len(POINT))[place]
        ends = [given.loss(POINT + sign * move)[0] for sign in (1, -1)]
        expected = (ends[0] - ends[1]) / (2 * step)
        assert slope[place] == pytest.approx(expected, rel=1e-4, abs=1e-8)
    assert np.isfinite(value)


def by_torch(given, point):
    """(−ℓ per case with the prior, its gradient): the whole way through torch's autograd."""
    found, cases = given.history, given.cases
    leaf = torch.tensor(point, requires_grad=True)
    theta, ratio = leaf[: len(THETA)], leaf[len(THETA) :].exp()
    past = past_of(found)
    columns = [
        *np.eye(len(found.groups))[found.group[found.edge_of]].T,
        np.log(past.reinforcements), np.log1p(past.mean_gap), past.variation,
    ]  # fmt: skip
    half_life = (torch.tensor(np.column_stack(columns)) @ theta).exp()
    state = made("torch").replay_tangents(
        found.arrays(), one_trace(found), half_life, np.empty((len(found.edge_of), 0))
    )
    asked = cases.moments
    event, gap = torch.tensor(asked.event), torch.tensor(asked.gap)
    stored = state.weight[event]
    left = stored * torch.exp2(-gap / half_life[event])
    count = state.reinforcements[event]
    floor = torch.minimum(torch.tensor(0.2, dtype=torch.float64), stored)
    weight = torch.where(
        count >= 5, torch.maximum(left, floor), torch.where(left >= 0.01, left, left * 0)
    )
    weight = torch.where(count > 0, weight, weight * 0).reshape(cases.live.shape)
    own = ratio[torch.tensor(found.group[cases.edge()])]
    rate = 1 + own[:, None] * weight
    sums = (rate * torch.tensor(cases.live)).sum(dim=1)
    away = (theta - torch.tensor(given.prior_mean)) / torch.tensor(given.prior_spread)
    loss = (0.5 * (away**2).sum() - (rate[:, 0].log() - sums.log()).sum()) / len(cases.event)
    loss.backward()
    return loss.item(), leaf.grad.numpy()


@pytest.mark.parametrize("shift", [0.0, 0.4, -0.7])
def test_torchs_gradients_agree_with_the_analytic_ones_to_1e_8(shift):
    given = problem()
    point = POINT + shift * np.array([1, -1, 0.3, 0.2, -0.3, 1, 1])
    value, slope = given.loss(point)
    wanted, gradient = by_torch(given, point)
    assert value == pytest.approx(wanted, rel=1e-10)
    assert np.abs(gradient).min() > 1e-6, "every parameter matters"
    np.testing.assert_allclose(slope, gradient, rtol=1e-8, atol=1e-10)


def test_a_fit_is_where_the_gradient_vanishes_or_no_neighbour_is_better():
    given = problem()
    found = given.fit(POINT)
    assert found.converged
    best, _ = given.loss(found.point)
    count = len(given.cases.event)
    for place in range(len(POINT)):
        for step in (-0.05, 0.05):
            moved = found.point.copy()
            moved[place] = np.clip(moved[place] + step, -15, 15)
            assert (given.loss(moved)[0] - best) * count > -0.1
    assert (found.errors >= 0).all()


def test_a_fitted_half_life_is_the_edges_own_after_its_last_event_and_weighs_as_replayed():
    fit, found = fitted("log_linear")
    asked, past = late(found, 1), past_of(found)
    theta = [np.log(fit.parameters[f"half_life_once[{g}]"].value) for g in found.groups]
    slopes = [fit.parameters[f"slope_{name}"].value for name in SLOPES]
    event = asked.event
    logs = np.array(theta)[found.group[asked.edge]]
    for slope, column in zip(
        slopes, (np.log(past.reinforcements), np.log1p(past.mean_gap), past.variation), strict=True
    ):
        logs = logs + slope * column[event]
    expected = np.clip(np.exp(logs), LOWEST, HIGHEST)
    np.testing.assert_allclose(fit.half_life(asked), expected, rtol=0.006)  # kept to one per cent
    lives = fit.design.terms[-1].fading.half_life[:, 0]
    mu, beta = fit.link.coefficients[found.group[asked.edge]].T
    weight = [
        plain_weight(found, e, t, lambda event: float(lives[event]))[0]
        for e, t in zip(asked.edge.tolist(), asked.time_us.tolist(), strict=True)
    ]
    np.testing.assert_allclose(fit.intensity(asked), mu + beta * np.array(weight), rtol=1e-9)


def test_its_parameters_have_intervals_and_the_events_of_the_training():
    fit, found = fitted("log_linear")
    _, train = world()
    for name in SLOPES:
        told = fit.parameters[f"slope_{name}"]
        assert told.low < told.value < told.high
        assert told.events == len(found.reactivations(0, train.until))
    shown = fit.details()["counts"]
    assert shown["count"][0] == 1
    assert all(
        low <= mid <= high
        for low, mid, high in zip(shown["low"], shown["half_life"], shown["high"], strict=True)
    )


def test_a_group_that_is_too_small_says_so():
    few = [window(900 + day, [20, 21], 1) for day in range(3)]
    found = history([*random_windows(22, 120, nodes=6), *few])
    fit = MODELS["log_linear"].fit(found, training(found, 1.0))
    told = fit.parameters["half_life_once[shared]"]
    assert told.events == 2
    assert told.verdict.startswith("only 2 re-activations")
