"""Replay with derivatives: every back end against `reference`, replay, and central differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.arrays import SKIPPED, on_host
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.logs import (
    DAY_US,
    START_US,
    busy_edge,
    case_of,
    rule_sets,
    transitions_case,
    window_lists,
)

QUIET = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MEANING = made(REFERENCE)
FIXED = DOCUMENTED.change(half_life="fixed")
SWITCHES = [
    {}, {"weight_cap": None, "learning_rate": 0.07}, {"window_max": 3}, {"npmi_min": 0.2037},
    {"event_weight": "inverse_size"}, {"decay_before_reinforcement": False},
    {"floor_lifts": True, "potentiation_count": 2}, {"potentiation": False, "prune_below": 0.0},
    {"ephemeral_floor": False}, {"prune_below": 0.0997}, {"strength_max": 0.5},
    {"decay_before_reinforcement": False, "floor_lifts": True, "potentiation_count": 2},
]  # fmt: skip


@st.composite
def plain_rules(draw):
    """Any rule set under which half-lives may be given."""
    return draw(rule_sets()).change(half_life="fixed", decay_passes="continuous")


def given_to(case, seed, width):
    """Half-lives from minutes to years, some without an end, and features, of no pattern."""
    rng, events = np.random.default_rng(seed), len(case.graph.time)
    days = np.exp(rng.uniform(np.log(0.01), np.log(2000), events))
    days[rng.random(events) < 0.1] = np.inf
    return days, rng.normal(size=(events, width))


def assert_alike(name, case, days, features):
    want = MEANING.replay_tangents(case.graph, case.traces, days, features)
    backend = made(name)
    got = on_host(backend.replay_tangents(backend.place(case.graph), case.traces, days, features))
    assert type(got) is type(want)
    for field, part, expected in zip(want._fields, got, want, strict=True):
        assert part.dtype == expected.dtype, field
        np.testing.assert_allclose(part, expected, rtol=1e-12, atol=1e-13, err_msg=field)


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(window_lists(), plain_rules(), st.integers(0, 2**32), st.sampled_from([0, 1, 3, 9]))
def test_derivatives_are_those_of_the_reference(name, windows, rules, seed, width):
    case = case_of(windows, [rules])
    assert_alike(name, case, *given_to(case, seed, width))


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_each_switch_of_the_rules_has_its_derivatives(name, switch):
    case = odd_case(switch)
    assert_alike(name, case, *given_to(case, 5, 3))


@pytest.mark.parametrize("name", FAST)
def test_derivatives_along_thousands_of_events_on_one_edge(name):
    case = case_of(busy_edge(3000), [FIXED])
    assert np.diff(case.graph.event_ptr).max() >= 3000
    assert_alike(name, case, *given_to(case, 1, 4))


@pytest.mark.parametrize("name", FAST)
def test_derivatives_of_transitions(name):
    case = transitions_case([FIXED])
    assert_alike(name, case, *given_to(case, 2, 2))


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("windows", [[(START_US, [0], 1.0, 0)], [(START_US, [0, 1], -1.0, 0)]])
def test_derivatives_without_an_edge_or_without_a_reinforcement(name, windows):
    case = case_of(windows, [FIXED])
    assert_alike(name, case, *given_to(case, 3, 2))


@pytest.mark.parametrize("name", [REFERENCE, *FAST])
@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_with_the_half_lives_of_the_rules_it_is_replay(name, switch):
    case = odd_case(switch)
    spaces = case.graph.namespace[case.graph.edge_of]
    days = case.traces.default_days[0, spaces]
    backend = made(name)
    got = on_host(backend.replay_tangents(case.graph, case.traces, days, np.ones((len(days), 1))))
    want = MEANING.replay(case.graph, case.traces, True)
    np.testing.assert_array_equal(got.reinforcements, want.reinforcements[:, 0])
    np.testing.assert_allclose(got.weight, want.weight[:, 0], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(got.before, want.before[:, 0], rtol=1e-12, atol=1e-14)


def odd_windows(count=150):
    """Strengths and gaps so odd that no weight stands at a kink."""
    rng, found, now = np.random.default_rng(0), [], START_US
    for _ in range(count):
        now += int(rng.choice([0, 0.1, 2, 60], p=[0.2, 0.3, 0.4, 0.1]) * DAY_US * rng.uniform(1, 2))
        members = rng.choice(5, rng.integers(2, 5), replace=False).tolist()
        strength = float(rng.uniform(0.3, 1.9)) * (1 if rng.random() < 0.85 else -0.2)
        found.append((now, members, strength, int(rng.choice([0, 0, 1, 2]))))
    return found


def odd_case(switch):
    return case_of(odd_windows(), [FIXED.change(**switch)])


@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_derivatives_are_central_differences(switch):
    """To 1e-5, of every weight and of what every event found, in each of three parameters."""
    case, step = odd_case(switch), 1e-6
    days, features = given_to(case, 4, 3)
    found = MEANING.replay_tangents(case.graph, case.traces, days, features)
    assert (np.abs(found.before_tangent) > 1e-6).any(0).all()
    none = features[:, :0]
    for p in range(3):
        up, down = (
            MEANING.replay_tangents(case.graph, case.traces, moved, none)
            for moved in (
                days * np.exp(step * features[:, p]),
                days * np.exp(-step * features[:, p]),
            )
        )
        for slope, high, low in (
            (found.weight_tangent, up.weight, down.weight),
            (found.before_tangent, up.before, down.before),
        ):
            np.testing.assert_allclose(slope[:, p], (high - low) / (2 * step), rtol=1e-5, atol=1e-9)


def two_events(rules, days, second=1.0, gap=30, first=1):
    windows = [(START_US, [0, 1], 1.0, 0)] * first
    windows += [(START_US + gap * DAY_US, [0, 1], second, 0)]
    case = case_of(windows, [rules])
    events = first + 1
    return MEANING.replay_tangents(
        case.graph, case.traces, np.full(events, float(days)), np.ones((events, 1))
    )


def test_after_one_half_life_the_derivative_is_half_the_weight_times_ln_2():
    found = two_events(FIXED, 30)
    assert found.before[1] == pytest.approx(0.15)
    assert found.before_tangent[1, 0] == pytest.approx(0.15 * np.log(2))
    assert found.weight_tangent[1, 0] == pytest.approx(0.15 * np.log(2)), "what is added has none"
    assert found.weight_tangent[0, 0] == 0.0, "a newborn owes nothing to a half-life"


@pytest.mark.parametrize(
    ("rules", "days", "first", "weight"),
    [
        (FIXED, 3, 5, 0.5),  # the floor: 2⁻¹⁰ of 1, so 0.2 was found
        (FIXED, 1, 1, 0.3),  # pruned: a newborn again
        (FIXED, 300, 4, 1.0),  # the cap
    ],
)
def test_where_a_bound_holds_the_derivative_is_cut(rules, days, first, weight):
    found = two_events(rules, days, first=first)
    assert found.weight[-1] == pytest.approx(weight)
    assert found.weight_tangent[-1, 0] == 0.0


def test_a_weight_below_a_floor_that_does_not_lift_stands_and_so_does_its_derivative():
    """Five reinforcements, 30 days, a penalty that leaves 0.15, 30 days more."""
    moments = [(0, 1.0)] * 5 + [(30, -0.35), (60, 1.0)]
    windows = [(START_US + day * DAY_US, [0, 1], strength, 0) for day, strength in moments]
    found = {}
    for lifts in (False, True):
        case = case_of(windows, [FIXED.change(floor_lifts=lifts)])
        found[lifts] = MEANING.replay_tangents(
            case.graph, case.traces, np.full(7, 30.0), np.ones((7, 1))
        )
    assert found[False].before[6] == pytest.approx(0.15)
    assert found[False].before_tangent[6] == found[False].weight_tangent[5] != 0.0
    assert found[True].before[6] == 0.2
    assert found[True].before_tangent[6] == 0.0


@pytest.mark.parametrize("name", [REFERENCE, *FAST])
def test_an_event_that_the_gate_keeps_out_leaves_the_half_life_of_the_event_before(name):
    windows = [(START_US, [0, 1], 1.0, 0), (START_US + DAY_US, [0, 1, 2], 1.0, 0)]
    windows += [(START_US + 30 * DAY_US, [0, 1], 1.0, 0)]
    case = case_of(windows, [FIXED.change(window_max=2)])
    days = np.where(case.graph.size == 3, 1e-3, 30.0)
    features = np.ones((len(days), 1))
    found = on_host(made(name).replay_tangents(case.graph, case.traces, days, features))
    assert found.reinforcements[:3].tolist() == [1, SKIPPED, 2]
    np.testing.assert_allclose(found.before[:3], [0, 0, 0.15])


@pytest.mark.parametrize("name", [REFERENCE, *FAST])
@pytest.mark.parametrize("days", [5e-324, 1e-200, 1e300, np.inf])
def test_half_lives_beyond_any_log_give_numbers(name, days):
    case = case_of(odd_windows(20), [FIXED.change(prune_below=0.0)])
    events = len(case.graph.time)
    found = on_host(
        made(name).replay_tangents(case.graph, case.traces, np.full(events, days),
                                   np.ones((events, 2)))
    )  # fmt: skip
    assert all(np.isfinite(part).all() for part in found)
    assert np.abs(found.weight_tangent).max() < 1e-6
