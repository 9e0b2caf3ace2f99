"""Half-lives of groups: the profile against plain loops and another solver, and its verdicts."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from hebb_lab.errors import InputError
from hebb_lab.halflife.model import Training
from hebb_lab.halflife.models.hierarchical import profiles
from hebb_lab.halflife.objectives.profile import GRID
from tests.halflife.fits import (
    MODELS,
    counted,
    fitted,
    late,
    plain_weights,
    training,
    world,
)
from tests.halflife.made import history, pairs, random_windows, window


def test_a_profile_is_the_best_partial_likelihood_of_each_half_life():
    found, _ = world()
    train = training(found, cases=120)
    cases = train.drawn(found)
    group = found.groups.index("personal")
    own = found.group[cases.edge()] == group
    curve = profiles(found, train).curves[group]
    assert curve.cases == own.sum() >= 10
    for column in (20, 38, 50):
        lives = np.full(len(found.groups), GRID[column])
        weights = plain_weights(found, cases.moments, lives).reshape(cases.live.shape)[own]
        live = cases.live[own]

        def loss(log_ratio, weights=weights, live=live):
            rate = 1 + np.exp(log_ratio) * weights
            return -(np.log(rate[:, 0]) - np.log((rate * live).sum(axis=1))).sum()

        ends = [minimize_scalar(loss, bounds=(low, low + 8), method="bounded").fun
                for low in (-8, -4, 0, 4, 8)]  # fmt: skip
        assert curve.values[column] == pytest.approx(-min(ends), abs=1e-3)


def test_a_half_life_is_the_groups_and_its_parameter_names_the_events_behind_it():
    fit, found = fitted("hierarchical")
    _, train = world()
    asked = late(found)
    for number, group in enumerate(found.groups):
        told = fit.parameters[f"half_life[{group}]"]
        assert told.events == counted(found, number, train.until)[0]
        assert set(fit.half_life(asked)[found.group[asked.edge] == number]) == {told.value}
        assert told.low < told.value < told.high


def test_three_groups_share_a_prior_and_two_do_not():
    three, _ = fitted("hierarchical")
    assert {"prior_half_life", "prior_spread"} <= set(three.parameters)
    two = history(random_windows(3, 160, nodes=7, spaces=(0, 1)))
    fit = MODELS["hierarchical"].fit(two, training(two))
    assert "prior_half_life" not in fit.parameters
    assert not [name for name in fit.parameters if name.startswith("half_life_alone")]


def test_under_a_prior_groups_move_towards_each_other():
    fit, found = fitted("hierarchical")
    alone = [np.log(fit.parameters[f"half_life_alone[{g}]"].value) for g in found.groups]
    shared = [np.log(fit.parameters[f"half_life[{g}]"].value) for g in found.groups]
    assert np.ptp(shared) < np.ptp(alone)


def test_a_group_with_few_events_takes_the_others_half_life_and_says_so():
    few = [window(900 + day, [20, 21], 1) for day in range(4)]
    found = history([*random_windows(6, 150, nodes=6), *few])
    fit = MODELS["hierarchical"].fit(found, training(found, 1.0))
    told = fit.parameters["half_life[shared]"]
    assert told.events == 3
    assert (
        told.verdict == "only 3 re-activations: no estimate of its own; that of the others is used"
    )
    assert (told.low, told.high) == (0.0, np.inf)
    others = fit.parameters["half_life[personal]"].value
    assert told.value == pytest.approx(others, rel=0.05)  # a point of the fine grid


def test_a_log_in_which_every_edge_does_the_same_identifies_no_half_life():
    found = history(pairs(*[(day + e / 50, e) for day in range(25) for e in range(6)]))
    fit = MODELS["hierarchical"].fit(found, training(found))
    told = fit.parameters["half_life[personal]"]
    assert "not identifiable" in told.verdict
    assert told.low == 0 or np.isinf(told.high)


def test_the_verdict_is_in_the_clocks_unit():
    windows = pairs(*[(day + e / 50, e) for day in range(25) for e in range(6)])
    found = history(windows, clock="active_days")
    fit = MODELS["hierarchical"].fit(found, training(found))
    verdict = fit.parameters["half_life[personal]"].verdict
    assert "active days" in verdict or "no half-life is better" in verdict


def test_what_is_shown_are_losses_from_0_up_and_densities_that_integrate_to_1():
    fit, found = fitted("hierarchical")
    shown = fit.details()
    for group in found.groups:
        loss = np.array(shown["curves"][group]["loss"])
        assert loss.min() == 0
        posterior = shown["posteriors"][group]
        place = np.log(posterior["half_lives"])
        for name in ("posterior", "prior"):
            assert np.trapezoid(posterior[name], place) == pytest.approx(1, abs=0.02)
        assert posterior["value"] == fit.parameters[f"half_life[{group}]"].value


def test_without_ten_reactivations_in_a_group_there_is_no_fit():
    found = history(pairs(*[(day, day % 3) for day in range(10)]))
    with pytest.raises(InputError, match="7 re-activations are too few to fit a half-life"):
        MODELS["hierarchical"].fit(found, Training(until=10))


def test_where_all_pairs_are_active_together_the_reason_is_that_there_is_no_control():
    found = history([window(day, pair) for day in range(20) for pair in ([1, 2], [4, 5])])
    with pytest.raises(InputError, match="none of 38 re-activations has a live pair beside it"):
        MODELS["hierarchical"].fit(found, Training(until=20))
