"""Replay as algebra: clamp-affine maps compose, and three meanings of a pass are one map.

Source: fitting.md §2.1 and finding 3 (T1); neuralmind.md §1.4 and §1.6 for what was measured.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store.decay import learned_half_life_days
from tests.kernels.backends import REFERENCE, made
from tests.kernels.logs import DAY_US, START_US, case_of

MEANING = made(REFERENCE)
FIXED = DOCUMENTED.change(half_life="fixed")
TRIPLES = 20_000


class Maps(NamedTuple):
    """f(w) = min(high, max(low, slope · w + shift)), [n] of them; slope ≥ 0, low ≤ high."""

    slope: np.ndarray
    shift: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def at(self, weight):
        return np.clip(self._line(weight), self.low, self.high)

    def _line(self, weight):
        flat = self.slope == 0  # 0 · ∞ is no number
        return np.where(flat, 0.0, self.slope * np.where(flat, 0.0, weight)) + self.shift

    def after(self, first):
        """The composition: ``first``, then this."""
        return Maps(
            self.slope * first.slope, self.slope * first.shift + self.shift,
            self.at(first.low), self.at(first.high),
        )  # fmt: skip

    def part(self, places):
        return Maps(*(each[places] for each in self))


def identities(count):
    return Maps(np.ones(count), np.zeros(count), np.full(count, -np.inf), np.full(count, np.inf))


def random_maps(rng, count):
    """Decays, constants, floors and caps; a third of the bounds are none."""
    low = rng.uniform(-1, 1, count)
    high = low + rng.exponential(0.5, count)
    return Maps(
        rng.uniform(0, 1, count) * (rng.random(count) < 0.9), rng.uniform(-0.5, 0.5, count),
        np.where(rng.random(count) < 1 / 3, -np.inf, low),
        np.where(rng.random(count) < 1 / 3, np.inf, high),
    )  # fmt: skip


@pytest.fixture
def triple():
    rng = np.random.default_rng(5)
    return [random_maps(rng, TRIPLES) for _ in range(3)], rng.uniform(-2, 2, TRIPLES)


def assert_equal(one, other):
    for field, a, b in zip(Maps._fields, one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12, err_msg=field)


def test_one_map_after_another_is_such_a_map(triple):
    (f, g, h), weight = triple
    composed = h.after(g.after(f))
    assert (composed.slope >= 0).all()
    assert (composed.low <= composed.high).all()
    np.testing.assert_allclose(composed.at(weight), h.at(g.at(f.at(weight))), rtol=0, atol=1e-12)


def test_composition_is_associative(triple):
    (f, g, h), _ = triple
    assert_equal(h.after(g).after(f), h.after(g.after(f)))


def test_the_identity_changes_nothing(triple):
    (f, _, _), weight = triple
    same = identities(TRIPLES)
    np.testing.assert_array_equal(same.at(weight), weight)
    assert_equal(same.after(f), f)
    # what comes before is bounded by f's own bounds, and so is what comes of it
    np.testing.assert_array_equal(f.after(same).at(weight), f.at(weight))


def odd_windows(count, penalties=0.1):
    """Windows on 6 nodes in three namespaces; no weight meets a threshold exactly."""
    rng, found, now = np.random.default_rng(8), [], START_US
    for _ in range(count):
        now += int(rng.choice([0, 0.1, 2, 40], p=[0.2, 0.3, 0.4, 0.1]) * DAY_US * rng.uniform(1, 2))
        members = rng.choice(6, rng.integers(2, 5), replace=False).tolist()
        strength = float(rng.uniform(0.3, 1.9)) * (1 if rng.random() >= penalties else -0.2)
        found.append((now, members, strength, int(rng.choice([0, 0, 1, 2]))))
    return found


def event_maps(graph, rules, half_life):
    """What each event makes of the weight after the one before it on its edge, without pruning.

    ``half_life`` [M] is in force after each event.
    """
    steps, begun, count = [], False, 0
    for m in range(len(graph.time)):
        strength, space = float(graph.strength[m]), int(graph.namespace[graph.edge_of[m]])
        if m == graph.event_ptr[graph.edge_of[m]]:
            begun, count = False, 0
        gain = rules.learning_rate * strength if strength >= 0 else strength
        cap = np.inf if rules.weight_cap is None else rules.weight_cap
        if not begun:  # a birth is a constant map
            steps.append((0.0, min(gain, cap) if strength >= 0 else 0.0, -np.inf, np.inf))
        else:
            keeps = count >= rules.potentiation_count and (rules.ephemeral_floor or space != 2)
            floor = rules.potentiation_floor if keeps else 0.0
            age = (graph.time[m] - graph.time[m - 1]) / DAY_US / half_life[m - 1]
            steps.append((2.0**-age, gain, max(floor + gain, 0.0), cap))
        begun, count = begun or strength >= 0, count + (strength >= 0)
    return Maps(*np.array(steps).T)


def scanned(maps, graph):
    """All compositions from each edge's first event on, by doubling (Hillis and Steele)."""
    place = np.arange(len(graph.time)) - graph.event_ptr[graph.edge_of]
    reach = 1
    while (place >= reach).any():
        later = np.flatnonzero(place >= reach)
        joined = maps.part(later).after(maps.part(later - reach))
        fresh = Maps(*(each.copy() for each in maps))
        for own, new in zip(fresh, joined, strict=True):
            own[later] = new
        maps, reach = fresh, 2 * reach
    return maps


@pytest.mark.parametrize("switch", [{}, {"weight_cap": None}, {"ephemeral_floor": False},
                                    {"potentiation_count": 2}])  # fmt: skip
def test_a_scan_of_composed_maps_is_replay_with_floor_and_cap(switch):
    rules = FIXED.change(prune_below=0.0, floor_lifts=True, **switch)
    case = case_of(odd_windows(300), [rules], 6)
    graph, spaces = case.graph, case.graph.namespace[case.graph.edge_of]
    assert np.diff(graph.event_ptr).max() > 20
    scan = scanned(event_maps(graph, rules, case.traces.default_days[0, spaces]), graph)
    want = MEANING.replay(graph, case.traces)
    np.testing.assert_allclose(scan.at(0.0), want.weight[:, 0], rtol=0, atol=1e-12)


def test_a_scan_needs_no_common_half_life():
    rules = FIXED.change(prune_below=0.0, floor_lifts=True)
    case = case_of(odd_windows(300), [rules], 6)
    events = len(case.graph.time)
    half_life = np.exp(np.random.default_rng(1).uniform(-2, 6, events))
    scan = scanned(event_maps(case.graph, rules, half_life), case.graph)
    want = MEANING.replay_tangents(case.graph, case.traces, half_life, np.zeros((events, 0)))
    np.testing.assert_allclose(scan.at(0.0), want.weight, rtol=0, atol=1e-12)


# --- passes: lazy, fixed and compounding are one map with another gap


def last_reinforcement(graph):
    """[M] the newest event of the edge up to each that is no penalty, or its first."""
    event = np.where(graph.strength >= 0, np.arange(len(graph.time)), -1)
    return np.maximum.accumulate(np.maximum(event, graph.event_ptr[graph.edge_of]))


def as_half_lives(graph, effective_days, half_life):
    """The half-lives under which the gaps of the log decay as the effective gaps would."""
    gap = np.append(np.diff(graph.time), 1) / DAY_US
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(effective_days > 0, half_life * gap / effective_days, np.inf)


def gaps_until_the_next(graph, interval_us):
    """(compounding Σ(tick − active), fixed last tick − state) in days, [M] each.

    Ticks are those in (event, next event]; active is the last reinforcement.
    """
    active = graph.time[last_reinforcement(graph)]
    compounding, fixed = np.zeros(len(graph.time)), np.zeros(len(graph.time))
    for m in range(len(graph.time) - 1):
        if graph.edge_of[m] != graph.edge_of[m + 1]:
            continue
        ticks = interval_us * np.arange(
            graph.time[m] // interval_us + 1, graph.time[m + 1] // interval_us + 1
        )
        compounding[m] = (ticks - active[m]).sum() / DAY_US
        fixed[m] = (ticks[-1] - graph.time[m]) / DAY_US if len(ticks) else 0.0
    return compounding, fixed


@pytest.mark.parametrize("interval_days", [1.0, 7.0])
@pytest.mark.parametrize("switch", [{}, {"floor_lifts": True}, {"prune_below": 0.0}], ids=str)
def test_compounding_passes_are_replay_with_effective_gaps(switch, interval_days):
    rules = FIXED.change(
        decay_passes="compounding", pass_interval_days=interval_days,
        decay_before_reinforcement=False, half_life_shared_days=30.0,
        half_life_ephemeral_days=30.0, **switch,
    )  # fmt: skip
    passing = case_of(odd_windows(300), [rules], 6)
    lazy = case_of(
        odd_windows(300),
        [rules.change(decay_passes="continuous", decay_before_reinforcement=True)], 6,
    )  # fmt: skip
    graph = passing.graph
    effective, _ = gaps_until_the_next(graph, round(interval_days * DAY_US))
    got = MEANING.replay_tangents(
        graph, lazy.traces, as_half_lives(graph, effective, 30.0), np.zeros((len(effective), 0))
    )
    want = MEANING.replay(graph, passing.traces, True)
    np.testing.assert_array_equal(got.reinforcements, want.reinforcements[:, 0])
    np.testing.assert_allclose(got.before, want.before[:, 0], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(got.weight, want.weight[:, 0], rtol=1e-12, atol=1e-14)


def test_passes_that_each_decay_what_is_new_are_replay_up_to_the_last_pass():
    """Fixed ticks: Σ over passes of the time since the one before = last tick − state."""
    case = case_of(odd_windows(60, penalties=0.0), [FIXED.change(prune_below=0.0)], 6)
    graph = case.graph
    _, effective = gaps_until_the_next(graph, DAY_US)
    half_life = case.traces.default_days[0, graph.namespace[graph.edge_of]]
    got = MEANING.replay_tangents(
        graph, case.traces, as_half_lives(graph, effective, half_life),
        np.zeros((len(half_life), 0)),
    )  # fmt: skip
    for edge in range(len(graph.namespace)):
        weight = 0.0
        for count, m in enumerate(range(graph.event_ptr[edge], graph.event_ptr[edge + 1])):
            if count:
                floor = min(0.2, weight) if count >= 5 else 0.0
                weight = passed_over(weight, floor, half_life[m], graph.time[m - 1 : m + 1])
            assert got.before[m] == pytest.approx(weight, rel=1e-12)
            weight = min(1.0, weight + 0.3 * float(graph.strength[m]))
            assert got.weight[m] == pytest.approx(weight, rel=1e-12)


def passed_over(weight, floor, half_life, times):
    """What daily passes between two times leave, each decaying what is new since the one before."""
    since, now = times.tolist()
    for tick in range((since // DAY_US + 1) * DAY_US, now + 1, DAY_US):
        weight = max(weight * 2 ** (-(tick - since) / DAY_US / half_life), floor)
        since = tick
    return weight


# --- what was measured on the published code, under the log's own clock


def found_after(rules, gap_days, strength=1.0, first=1):
    """What an event finds so long after ``first`` reinforcements of a new edge."""
    windows = [(START_US, [0, 1], strength, 0)] * first
    case = case_of([*windows, (START_US + round(gap_days * DAY_US), [0, 1], 1.0, 0)], [rules])
    return MEANING.replay(case.graph, case.traces, True)


def test_thirty_daily_passes_leave_two_hundred_thousandths_instead_of_a_half():
    """Finding 3: idle 30 d, h = 30, one session a day: 2.2e-5 instead of 0.5."""
    rules = FIXED.change(prune_below=0.0, learning_rate=0.5)
    assert found_after(rules, 30, 2.0).before[1, 0] == pytest.approx(0.5)
    passes = rules.change(decay_passes="compounding")
    assert found_after(passes, 30, 2.0).before[1, 0] == pytest.approx(2.2e-5, rel=0.02)


def ten_reinforcements(rules):
    """State of an edge that was reinforced once, nine times two days later, and once on day 93."""
    windows = [(START_US, [0, 1], 1.0, 0), *[(START_US + 2 * DAY_US, [0, 1], 1.0, 0)] * 9]
    case = case_of([*windows, (START_US + 93 * DAY_US, [0, 1], 1.0, 0)], [rules])
    return MEANING.replay(case.graph, case.traces, True)


def test_an_old_log_is_replayed_by_its_own_clock():
    """M: n = 10, last event 91 d ago: the wall clock makes 32.55 of the 50.90 of live use."""
    assert ten_reinforcements(OBSERVED).half_life_days[9, 0] == pytest.approx(50.898, abs=5e-4)
    # 91 days later the page's own blend is that number, on purpose
    assert learned_half_life_days(DOCUMENTED, "personal", 10, 91) == pytest.approx(32.55, abs=5e-3)
    state = ten_reinforcements(DOCUMENTED.change(potentiation=False))
    assert state.before[10, 0] == pytest.approx(2 ** (-91 / 32.55), rel=1e-3)


def test_the_pages_blend_is_what_the_code_stores_for_an_edge_of_thirty_days_ago():
    """M: a single backdated edge (30 d ago): 21.59 d, so its first decay gives .1145, not .15."""
    assert learned_half_life_days(DOCUMENTED, "personal", 1, 30) == pytest.approx(21.59, abs=5e-3)
    assert found_after(DOCUMENTED, 30).before[1, 0] == pytest.approx(0.1145, abs=5e-5)
    stored = found_after(OBSERVED.change(decay_passes="continuous"), 30)
    assert stored.before[1, 0] == pytest.approx(0.15), "by the log's clock"
