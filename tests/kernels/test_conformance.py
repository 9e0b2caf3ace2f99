"""Every back end is held to `reference`: replay, decay sweep, likelihood."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import SKIPPED, as_numpy, on_host
from tests.kernels.backends import FAST, REFERENCE, made, tolerance
from tests.kernels.comparing import assert_same, likelihood_slack, steady
from tests.kernels.logs import (
    DAY_US,
    START_US,
    busy_edge,
    case_of,
    point_process_rules,
    rule_sets,
    transitions_case,
    window_lists,
)

QUIET = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MEANING = made(REFERENCE)
FIXED = DOCUMENTED.change(half_life="fixed")
TYPICAL = [DOCUMENTED, OBSERVED, FIXED, FIXED.change(decay_shape="two_time_scales")]
SWITCHES = [
    {"learning_rate": 0.07, "weight_cap": None, "strength_max": 0.5}, {"window_max": 3},
    {"event_weight": "inverse_size"}, {"npmi_min": 0.2037}, {"decay_before_reinforcement": False},
    {"half_life": "fixed"}, {"half_life": "learned_observed"}, {"half_life": "none"},
    {"half_life": "fixed", "decay_shape": "power_law"}, {"floor_lifts": True},
    {"half_life": "fixed", "decay_shape": "two_time_scales"}, {"ephemeral_floor": False},
    {"decay_passes": "compounding"}, {"decay_passes": "compounding", "pass_interval_days": 7.0},
    {"decay_passes": "compounding", "half_life": "fixed", "decay_before_reinforcement": False},
    {"potentiation": False}, {"potentiation_count": 2, "potentiation_floor": 0.5},
    {"prune_below": 0.0}, {"prune_below": 0.0997}, {"half_life_max_days": 20.0},
]  # fmt: skip


def assert_replays_alike(name, case, before):
    backend = made(name)
    want, good = steady(name, case.traces, lambda t: MEANING.replay(case.graph, t, before))
    got = backend.replay(backend.place(case.graph), case.traces, before)
    assert_same(got, want, good, name)


def assert_snapshots_alike(name, case, times):
    times, backend = np.array(times, np.int64), made(name)
    want, good = steady(name, case.traces, lambda t: MEANING.weights_at(case.graph, t, times))
    got = backend.weights_at(backend.place(case.graph), case.traces, times)
    assert_same(got, want, good, name)


def assert_likelihoods_alike(name, case, rates, gains, until):
    backend = made(name)
    want = MEANING.log_likelihood(case.graph, case.traces, rates, gains, until)
    got = as_numpy(
        backend.log_likelihood(backend.place(case.graph), case.traces, rates, gains, until)
    )
    slack = likelihood_slack(case.graph, rates, until, name)
    assert got.shape == want.shape
    assert (np.abs(got - want) <= slack + tolerance(name) * np.abs(want)).all()


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(window_lists(), st.lists(rule_sets(), min_size=1, max_size=3), st.booleans())
def test_replay_gives_the_reference_state(name, windows, rules, before):
    assert_replays_alike(name, case_of(windows, rules), before)


@pytest.mark.parametrize("name", FAST)
@settings(QUIET, max_examples=30)
@given(window_lists(most=8), st.lists(rule_sets(), min_size=1, max_size=3))
def test_the_decay_sweep_gives_the_reference_weights_at_any_time(name, windows, rules):
    """Before, at, a microsecond and days after each event."""
    times = {w[0] + shift for w in windows for shift in (-1, 0, 1, 3 * DAY_US, 90 * DAY_US)}
    assert_snapshots_alike(name, case_of(windows, rules), sorted(times))


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(window_lists(), st.lists(point_process_rules(), min_size=1, max_size=3), st.data())
def test_the_likelihood_is_the_reference_one(name, windows, rules, data):
    case = case_of(windows, rules)
    if "float32" in name:  # a pruning that turns on a last bit costs or saves a whole logarithm
        _, good = steady(name, case.traces, lambda t: MEANING.replay(case.graph, t, True))
        if not all(part.all() for part in good):
            return
    count = len(case.traces.learning_rate)
    rates = np.array([data.draw(st.sampled_from([1e-3, 0.02, 1.7])) for _ in range(count)])
    gains = np.array([data.draw(st.sampled_from([0.0, 0.4, 11.0])) for _ in range(count)])
    until = data.draw(st.sampled_from([w[0] for w in windows])) + data.draw(
        st.sampled_from([0, 1, DAY_US, 50 * DAY_US])
    )
    assert_likelihoods_alike(name, case, rates, gains, until)


@lru_cache(maxsize=1)
def many_windows():
    """A log long enough for every rule to matter, of small and large windows in four spaces."""
    rng, windows, now = np.random.default_rng(0), [], START_US
    gaps = [0, 1, DAY_US // 9, 2 * DAY_US, 60 * DAY_US, 400 * DAY_US]
    for _ in range(150):
        now += int(rng.choice(gaps, p=[0.2, 0.1, 0.3, 0.25, 0.1, 0.05]))
        members = rng.choice(rng.choice([3, 3, 7]), rng.integers(1, 4), replace=False).tolist()
        strength = float(np.float32(rng.choice([1.0, 0.37, 3.0, -0.23], p=[0.5, 0.2, 0.1, 0.2])))
        windows.append((now, members, strength, int(rng.choice([0, 0, 1, 2, 2, 3]))))
    return [*windows, (now + DAY_US, [0, 1, 2, 3, 4], 1.0, 0)]


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_each_switch_of_the_rules_is_obeyed(name, switch):
    case, plain = (case_of(many_windows(), [DOCUMENTED.change(**s)]) for s in (switch, {}))
    assert_replays_alike(name, case, before=True)
    state, documented = (MEANING.replay(c.graph, c.traces) for c in (case, plain))
    assert not np.array_equal(state.weight[:, :1], documented.weight[:, :1]), "shows nothing"
    assert_snapshots_alike(name, case, [many_windows()[-1][0] + 5 * DAY_US])


@pytest.mark.parametrize("name", FAST)
def test_64_configurations_at_once(name):
    half_lives = [FIXED.change(half_life_personal_days=h) for h in np.geomspace(0.25, 2000, 60)]
    case = case_of(many_windows(), [*half_lives, *TYPICAL])
    assert_replays_alike(name, case, before=True)
    until = many_windows()[-1][0]
    assert_snapshots_alike(name, case, [START_US, until - 40 * DAY_US, until, until + DAY_US])
    case = case_of(many_windows(), half_lives)
    rates, gains = np.geomspace(1e-4, 1, 60), np.linspace(0, 3, 60)
    assert_likelihoods_alike(name, case, rates, gains, until + DAY_US)


@lru_cache(maxsize=1)
def busy_case():
    return case_of(busy_edge(3000), [DOCUMENTED, FIXED])


@pytest.mark.parametrize("name", FAST)
def test_thousands_of_events_on_one_edge(name):
    case = busy_case()
    assert np.diff(case.graph.event_ptr).max() >= 3000
    assert_replays_alike(name, case, before=False)
    end = int(case.graph.time.max()) + 1
    assert_snapshots_alike(name, case, [START_US + 50 * DAY_US, end, end + 400 * DAY_US])
    one = case_of(busy_edge(3000), [FIXED])
    assert_likelihoods_alike(name, one, np.array([0.01]), np.array([0.5]), end)


@pytest.mark.parametrize("name", FAST)
def test_transitions_are_replayed_alike(name):
    case = transitions_case([DOCUMENTED, OBSERVED, FIXED])
    assert_replays_alike(name, case, before=True)
    assert_snapshots_alike(name, case, sorted({*case.graph.time.tolist()})[::4])


@pytest.mark.parametrize("name", FAST)
def test_events_out_of_reach_of_a_gate_leave_the_state_of_the_event_before(name):
    windows = [(START_US + i, list(range(2 + i % 3)), 1.0, 0) for i in range(9)]
    case = case_of(windows, [FIXED.change(window_max=2)])
    assert (MEANING.replay(case.graph, case.traces).reinforcements == SKIPPED).any()
    assert_replays_alike(name, case, before=True)
    assert_snapshots_alike(name, case, range(START_US, START_US + 10))


@pytest.mark.parametrize("name", FAST)
def test_a_weight_that_meets_the_threshold_exactly(name):
    """A penalty down to it removes the edge; one that decays to it stays (neuralmind.md §1.2)."""
    exact = FIXED.change(learning_rate=0.5, prune_below=0.25, half_life="none")
    windows = [(START_US, [0, 1], 1.0, 0), (START_US + 1, [0, 1], -0.25, 0)]
    windows += [(START_US, [1, 2], 0.5, 0), (START_US + 2, [1, 2], 0.5, 0)]
    case = case_of(sorted(windows), [exact])
    state = on_host(made(name).replay(case.graph, case.traces))
    assert state.reinforcements[:, 0].tolist() == [1, 0, 1, 2]
    assert_replays_alike(name, case, before=True)


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("windows", [[(START_US, [0], 1.0, 0)], [(START_US, [0, 1], -1.0, 0)]])
def test_graphs_without_an_edge_or_without_a_reinforcement(name, windows):
    case = case_of(windows, TYPICAL[:3])
    assert_replays_alike(name, case, before=True)
    assert_snapshots_alike(name, case, [START_US, START_US + 1])
    assert_snapshots_alike(name, case, [])
    one = case_of(windows, [FIXED])
    assert_likelihoods_alike(name, one, np.ones(1), np.ones(1), START_US + DAY_US)


@pytest.mark.parametrize("name", FAST)
def test_a_typical_log_is_compared_almost_whole_in_float32_too(name):
    """Left out is what a penalty leaves of an edge down to a hundredth of it."""
    case = case_of(many_windows(), TYPICAL)
    _, good = steady(name, case.traces, lambda t: MEANING.replay(case.graph, t, True))
    assert min(part.mean() for part in good) >= (0.99 if "float32" in name else 1.0)
