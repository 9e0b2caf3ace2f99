"""How weights fade, compiled: the numbers of the page; the rest is in test_conformance."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.cpu.compile import kernel
from hebb_lab.kernels.cpu.traces.fade import (
    DEAD,
    fade,
    fade_by,
    fade_plainly,
    is_plain,
    learned_days,
    learned_half_lives,
    shares_left,
)
from hebb_lab.kernels.cpu.traces.lanes import lanes_of
from hebb_lab.kernels.parameters import rule_arrays

DAY = 86_400_000_000
START = 20_000 * DAY
SPACES = ("personal", "shared", "ephemeral")
PLAIN = DOCUMENTED.change(half_life="fixed")


@kernel
def _fade(rules, space, runs, weight, count, half_life, state_us, active_us, now_us, out):
    for r in range(len(runs)):
        if is_plain(runs, r):
            age = (now_us - state_us) / 86_400_000_000.0
            fade_plainly(rules, space, runs, r, weight, count, 0, age, out, runs[r, 2])
        else:
            fade(
                rules, space, runs, r, weight, count, half_life, 0, state_us, active_us, now_us,
                out, runs[r, 2],
            )  # fmt: skip


@kernel
def _fade_by(rules, space, runs, signed, age, left, out):
    shares_left(rules, space, runs, 0, age, left, 0)
    fade_by(rules, space, runs, 0, signed, 0, left, 0, out)


@kernel
def _learned_days(count, low, high):
    return learned_days(count, low, high)


@kernel
def _half_lives(rules, count, age):
    return learned_half_lives(rules, 0, 0, count, age)


def faded(rules, weight, count, days, space=0, half_life=1.0):
    """Weights of as many traces as there are rule sets."""
    rules = rules if isinstance(rules, list) else [rules]
    lanes, size = lanes_of(rule_arrays(rules, SPACES)[0]), len(rules)
    out = np.full(size, np.nan)
    _fade(
        lanes.rules, space, lanes.runs, np.full((1, size), weight), np.full((1, size), count),
        np.full((1, size), half_life), START, START, START + round(days * DAY), out,
    )  # fmt: skip
    return out.tolist() if size > 1 else out[0]


@pytest.mark.parametrize(("space", "days"), [(0, 30), (1, 60), (2, 1)])
def test_a_weight_is_halved_after_the_half_life_of_its_namespace(space, days):
    assert faded(PLAIN, 0.8, 1, days, space) == pytest.approx(0.4)


def test_a_weight_does_not_fade_in_no_time_nor_without_decay():
    assert faded(DOCUMENTED, 0.7, 1, 0) == pytest.approx(0.7)
    assert faded(DOCUMENTED.change(half_life="none"), 0.7, 1, 4000) == pytest.approx(0.7)


@pytest.mark.parametrize("rules", [PLAIN, DOCUMENTED])
def test_a_proven_edge_keeps_the_floor_and_a_new_one_is_pruned(rules):
    assert faded(rules, 0.9, 5, 4000) == pytest.approx(0.20)
    assert faded(rules, 0.9, 4, 4000) == DEAD


@pytest.mark.parametrize("rules", [PLAIN, DOCUMENTED])
def test_the_floor_lifts_a_weakened_edge_only_where_the_rules_say_so(rules):
    assert faded(rules, 0.05, 5, 1) <= 0.05
    assert faded(rules.change(floor_lifts=True), 0.05, 5, 1) == pytest.approx(0.20)


@pytest.mark.parametrize(
    ("count", "days"), [(1, 13.2), (10, 50.9), (100, 85.6)]
)  # 3 + 117 · r/(1 + r), r = ln(1 + count/10)
def test_the_learned_half_life_grows_with_the_count(count, days):
    assert _learned_days(count, 3.0, 120.0) == pytest.approx(days, abs=0.05)


def test_the_documented_half_life_goes_from_learned_to_default_as_the_edge_rests():
    rules = lanes_of(rule_arrays([DOCUMENTED], SPACES)[0]).rules
    for age in (0.001, 30.0, 3000.0):
        confidence = 2.0 ** (-age / 30.0)
        half_life = (1 - confidence) * 30.0 + confidence * _learned_days(1, 3.0, 120.0)
        assert _half_lives(rules, 1, age) == pytest.approx(age / half_life, rel=1e-12)


def test_a_half_life_that_was_fixed_at_reinforcement_is_the_one_that_counts():
    rules = OBSERVED.change(decay_passes="continuous", potentiation=False)
    assert faded(rules, 0.8, 1, 7, half_life=7.0) == pytest.approx(0.4)


def test_compounding_passes_apply_the_whole_age_again_and_again():
    rules = OBSERVED.change(half_life="fixed", potentiation=False, prune_below=0.0)
    assert faded(rules, 1.0, 1, 4.5) == pytest.approx(2.0 ** (-(1 + 2 + 3 + 4) / 30))  # midnight
    assert faded(rules, 1.0, 1, 0.5) == 1.0


def test_lanes_of_several_kinds_do_not_touch_each_other():
    kinds = [
        PLAIN, PLAIN.change(half_life_personal_days=7), DOCUMENTED, OBSERVED,
        DOCUMENTED.change(half_life="none"), PLAIN.change(half_life_personal_days=1),
    ]  # fmt: skip
    together = faded(kinds, 0.9, 2, 3.5)
    assert together == [faded(each, 0.9, 2, 3.5) for each in kinds]


@pytest.mark.parametrize(
    ("signed", "want"), [(0.8, 0.4), (-0.8, 0.4), (-0.3, 0.2), (-0.1, 0.1), (0.015, DEAD)]
)
def test_a_weight_says_by_its_sign_whether_it_holds_its_floor(signed, want):
    assert faded_by(signed) == pytest.approx(want)


def test_an_edge_that_is_not_alive_stays_so():
    assert faded_by(np.nan) == DEAD


def faded_by(signed, days=30.0):
    lanes, out, left = lanes_of(rule_arrays([PLAIN], SPACES)[0]), np.zeros(1), np.zeros((1, 1))
    _fade_by(lanes.rules, 0, lanes.runs, np.full((1, 1), signed), days, left, out)
    assert left[0, 0] == pytest.approx(2 ** (-days / 30))
    return out[0]
