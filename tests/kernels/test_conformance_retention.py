"""Every back end is held to `reference`: what is left of memories."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.retention import MemoryArrays
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.retained import DAY_US, NOW_US, memory, retention, some_memories

MEANING = made(REFERENCE)
EVERY = [REFERENCE, *FAST]
CONFIGS = retention((30, 0, 100, False), (30, 1, 100, True), (0.5, 0.2, 0, False), (1e-9, 3, 1, 1))


def left(name, *args):
    return as_numpy(made(name).decay_scores(*args))


@pytest.mark.parametrize("name", FAST)
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 50))
def test_scores_are_those_of_the_reference(name, seed, count):
    """float64 inside under any precision, so they differ by float32's last bit at most."""
    memories = some_memories(np.random.default_rng(seed), count)
    got, want = (left(each, memories, CONFIGS, NOW_US) for each in (name, REFERENCE))
    assert got.dtype == np.float32
    assert got.shape == (count, 4)
    np.testing.assert_allclose(got, want, rtol=2.0**-23, atol=2.0**-149)
    np.testing.assert_array_equal(got == 0, want == 0)


@pytest.mark.parametrize("name", FAST)
def test_many_memories_are_cut_into_pieces_that_fit_together(name):
    memories = some_memories(np.random.default_rng(1), 70_001)
    placed = made(name).place(memories)
    got, want = (left(each, m, CONFIGS, NOW_US)
                 for each, m in ((name, placed), (REFERENCE, memories)))  # fmt: skip
    np.testing.assert_allclose(got, want, rtol=2.0**-23, atol=2.0**-149)


@pytest.mark.parametrize("name", EVERY)
def test_half_of_it_is_left_after_one_half_life_and_a_quarter_after_two(name):
    for days, want in ((0, 1.0), (30, 0.5), (60, 0.25), (300, 2.0**-10)):
        assert left(name, memory(1.0, days), retention((30, 0, 100, 0)), NOW_US) == want


@pytest.mark.parametrize("name", EVERY)
def test_accesses_lift_the_score_by_the_published_factors(name):
    """hebbs.md §3: 0 → 1.000, 1 → 1.150, 5 → 1.388, 10 → 1.520, 50 → 1.852, from 100 on 2."""
    factors = {0: 1.0, 1: 1.150, 5: 1.388, 10: 1.520, 50: 1.852, 100: 2.0, 10_000: 2.0}
    for count, want in factors.items():
        (got,) = left(name, memory(1.0, 0, count), retention((30, 0, 100, 0)), NOW_US)[0]
        assert got == pytest.approx(want, abs=6e-4)
        assert (got == want) or count in (1, 5, 10, 50)


@pytest.mark.parametrize("name", EVERY)
def test_a_cap_of_0_leaves_the_count_out(name):
    assert left(name, memory(0.75, 0, 50), retention((30, 0, 0, 0)), NOW_US) == 0.75


@pytest.mark.parametrize("name", EVERY)
def test_what_never_mattered_is_exactly_nothing(name):
    for age, count in ((0, 0), (0, 100), (1e4, 7)):
        assert left(name, memory(0.0, age, count), CONFIGS, NOW_US).tolist() == [[0.0] * 4]


@pytest.mark.parametrize("name", EVERY)
def test_importance_slows_decay_by_its_gain(name):
    got = left(name, memory(1.0, 60), retention((30, 1, 0, 0), (30, 3, 0, 0)), NOW_US)
    np.testing.assert_array_equal(got, np.float32([[0.5, 2.0**-0.5]]))


@pytest.mark.parametrize("name", EVERY)
def test_age_counts_from_the_anchor_and_never_below_0(name):
    time = np.array([NOW_US - 60 * DAY_US, NOW_US + 9 * DAY_US])
    memories = MemoryArrays(np.ones(2, np.float32), time, time[::-1].copy(), np.zeros(2, np.int64))
    got = left(name, memories, retention((30, 0, 0, True), (30, 0, 0, False)), NOW_US)
    assert got.tolist() == [[0.25, 1.0], [1.0, 0.25]]


@pytest.mark.parametrize("name", EVERY)
def test_the_extremes_of_time_count_and_importance_are_numbers(name):
    most = np.iinfo(np.int64).max
    memories = MemoryArrays(
        np.float32([1e-45, 1.0, 1.0]), np.array([0, 0, most]), np.array([0, 0, most]),
        np.array([most, most, most]),
    )  # fmt: skip
    got = left(name, memories, retention((30, 1, most, 0), (1e-11, 0, 100, 0)), most)
    assert np.isfinite(got).all()
    assert (got >= 0).all()
    assert got[2].tolist() == [2.0, 2.0]
    assert got[:2].tolist() == [[0.0, 0.0]] * 2


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=40, deadline=None)
@given(st.floats(0, 1, width=32), st.integers(0, 1000), st.floats(0, 365))
def test_a_score_is_between_0_and_twice_the_importance(name, importance, count, days):
    (got,) = left(name, memory(importance, days, count), retention((30, 1, 100, 0)), NOW_US)[0]
    assert 0 <= got <= 2 * importance


@pytest.mark.parametrize("name", EVERY)
def test_a_score_rises_with_importance_with_accesses_and_falls_with_age(name):
    rules, steps = retention((30, 1, 100, 0), (30, 0, 100, 0)), np.linspace(0, 1, 200)
    flat, time = np.full(200, 0.5, np.float32), np.full(200, NOW_US - 9 * DAY_US)
    base = MemoryArrays(flat, time, time, np.full(200, 5))
    for part, values, sign in (
        ("importance", steps.astype(np.float32), 1), ("access_count", np.arange(200), 1),
        ("accessed_us", NOW_US - (steps * 365 * DAY_US).astype(np.int64), -1),
    ):  # fmt: skip
        got = left(name, base._replace(**{part: values}), rules, NOW_US)
        assert (sign * np.diff(got, axis=0) >= 0).all()


@pytest.mark.parametrize("name", EVERY)
def test_no_memories_or_no_configurations_leave_nothing_to_compute(name):
    none = some_memories(np.random.default_rng(0), 0)
    assert left(name, none, CONFIGS, NOW_US).shape == (0, 4)
    bare = type(CONFIGS)(*(part[:0] for part in CONFIGS))
    assert left(name, memory(), bare, NOW_US).shape == (1, 0)
