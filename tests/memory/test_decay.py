"""Decay of memories: the published numbers, what a sweep writes, and what it leaves alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.choose import backend_named
from hebb_lab.memory.changes import Change
from hebb_lab.memory.decay import Swept, days_until, scores, sweep_change
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.state import State
from tests.memory.made import DAY_US, made_added

NOW_US = 20_000 * DAY_US
CODE = DOCUMENTED.change(half_life_gain=0.0)
"""The documented rules with the formula of the code: importance scales, and slows nothing."""


def remembered(*memories, **columns):
    """A state of memories (importance, days since written and accessed, accesses)."""
    importance, age, count = (np.array(part) for part in zip(*memories, strict=True))
    time = NOW_US - np.round(age * DAY_US).astype(np.int64)
    added = made_added(len(importance), start_us=int(time.min()))
    still = dict.fromkeys(("superseded", "flagged"), np.zeros(len(time), np.bool_))
    scalars = {
        **added.scalars, **still, "importance": importance.astype(np.float32),
        "decay_score": importance.astype(np.float32), "created_us": time, "accessed_us": time,
        "access_count": count.astype(np.int64),
        **{name: np.array(values) for name, values in columns.items()},
    }  # fmt: skip
    state = State(len(added.texts.vectors[0]))
    state.apply(Change(NOW_US, added=added._replace(scalars=scalars)))
    return state


def score(importance, days, count, rules=CODE):
    return float(scores(remembered((importance, days, count)), rules, NOW_US)[0, 0])


def test_a_new_memory_has_its_importance():
    assert score(0.8, 0, 0) == np.float32(0.8)


def test_one_half_life_halves_and_two_quarter():
    assert [score(1.0, days, 0) for days in (30, 60)] == [0.5, 0.25]


@pytest.mark.parametrize(
    ("count", "factor"), [(0, 1.0), (1, 1.150), (5, 1.388), (10, 1.520), (50, 1.852), (100, 2.0)]
)
def test_accesses_multiply_by_the_published_factors(count, factor):
    assert score(0.5, 0, count) == pytest.approx(0.5 * factor, abs=3e-4)


def test_beyond_the_cap_accesses_count_no_more():
    assert score(0.5, 0, 10) > score(0.5, 0, 0)
    assert score(0.5, 0, 100) > score(0.5, 0, 10)
    assert score(0.5, 0, 10_000) == score(0.5, 0, 100) == 1.0


def test_importance_0_is_exactly_0_whatever_else():
    assert {score(0.0, days, n) for days in (0, 1, 1e4) for n in (0, 5, 10**6)} == {0.0}


@pytest.mark.parametrize(
    ("importance", "days"), [(0.1, 99.7), (0.5, 169.3), (0.8, 189.7), (1.0, 199.3)]
)
def test_days_to_a_hundredth_are_the_published_ones(importance, days):
    assert days_until(importance, 0, 0.01, CODE) == pytest.approx(days, abs=0.05)
    assert days_until(importance, 100, 0.01, CODE) == pytest.approx(days + 30, abs=0.05)
    assert score(importance, days - 0.1, 0) > 0.01 > score(importance, days + 0.1, 0)


def test_doubled_importance_adds_a_half_life_in_the_code_and_more_by_the_page():
    assert np.diff(days_until([0.4, 0.8], 0, 0.01, CODE)) == pytest.approx([30.0])
    assert np.diff(days_until([0.4, 0.8], 0, 0.01, DOCUMENTED))[0] > 100


@given(st.floats(0.01, 1), st.integers(0, 300), st.floats(1e-6, 2))
def test_after_the_days_until_a_threshold_the_score_is_there(importance, count, threshold):
    days = float(days_until(importance, count, threshold, DOCUMENTED))
    left = score(importance, days, count, DOCUMENTED)
    assert left == pytest.approx(threshold, rel=1e-6) or (days == 0 and left <= threshold)


def test_a_threshold_of_0_is_never_reached_and_importance_0_is_below_at_once():
    assert days_until(1.0, 0, 0.0, CODE) == np.inf
    assert days_until([0.0, 0.001], 0, 0.01, CODE).tolist() == [0.0, 0.0]


def test_accesses_lengthen_nothing_where_they_do_not_count():
    rules = CODE.change(count_in_decay=False)
    assert score(0.5, 0, 50, rules) == 0.5
    assert days_until(0.5, 50, 0.01, rules) == days_until(0.5, 0, 0.01, CODE)
    assert score(0.5, 0, 50, CODE.change(reinforcement_cap=0)) == 0.5


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1, width=32), st.integers(0, 999), st.floats(0, 365))
def test_scores_lie_between_0_and_twice_the_importance(importance, count, days):
    for rules in (DOCUMENTED, CODE):
        assert 0 <= score(importance, days, count, rules) <= 2 * importance


def test_more_important_fresher_and_more_recalled_is_higher():
    assert score(0.9, 9, 5) > score(0.2, 9, 5)
    assert min(score(0.5, days, 5) for days in (0, 10, 29)) > score(0.5, 30, 5) > score(0.5, 365, 5)
    assert score(0.5, 9, 6) > score(0.5, 9, 5)


def test_extremes_of_time_count_and_importance_are_numbers():
    most = np.iinfo(np.int64).max
    state = remembered((1e-45, 0, most), (1.0, 0, most), (1.0, 20_000, 0))
    found = scores(state, DOCUMENTED, most)
    assert np.isfinite(found).all()
    assert (found >= 0).all()


def test_importance_slows_decay_by_the_page_and_only_scales_in_the_code():
    assert score(1.0, 60, 0, DOCUMENTED) == 0.5
    assert score(1.0, 60, 0, OBSERVED) == 0.25


def test_decay_counts_from_the_access_or_from_the_writing():
    state = remembered((1.0, 60, 0), accessed_us=[NOW_US - 30 * DAY_US])
    assert scores(state, CODE, NOW_US) == 0.5
    assert scores(state, CODE.change(decay_anchor="created"), NOW_US) == 0.25


def test_a_clock_that_went_back_makes_nothing_fresher_than_fresh():
    assert score(0.5, -3, 0) == 0.5


def test_many_half_lives_at_once_are_what_each_gives_alone():
    state, days = remembered((1.0, 60, 0), (0.3, 7, 9)), [7.0, 30.0, 365.0]
    together = scores(state, DOCUMENTED, NOW_US, days)
    assert together.shape == (2, 3)
    for column, half_life in zip(together.T, days, strict=True):
        alone = scores(state, DOCUMENTED.change(half_life_days=half_life), NOW_US)
        np.testing.assert_array_equal(column, alone[:, 0])


def test_every_back_end_may_compute_it():
    state = remembered((1.0, 60, 0), (0.3, 7, 9))
    want = scores(state, DOCUMENTED, NOW_US)
    for name in ("reference", "torch"):
        got = scores(state, DOCUMENTED, NOW_US, backend=backend_named(name, device="cpu"))
        np.testing.assert_allclose(got, want, rtol=2.0**-23)


def test_half_lives_and_times_that_are_none_are_refused():
    state = remembered((1.0, 0, 0))
    with pytest.raises(ConfigError, match="half-life"):
        scores(state, DOCUMENTED, NOW_US, [0.0])
    with pytest.raises(InputError, match="1970"):
        scores(state, DOCUMENTED, -1)


def test_a_sweep_writes_what_moved_and_flags_what_is_low():
    state = remembered((0.5, 0, 0), (0.5, 30, 0), (0.5, 200, 0), (0.5, 0.01, 0))
    change, swept = sweep_change(state, CODE, NOW_US)
    assert swept == Swept(seen=4, written=2, flagged=1, unflagged=0)
    state.apply(change)
    np.testing.assert_allclose(state.column("decay_score"), [0.5, 0.25, 0.00492, 0.5], atol=1e-5)
    assert state.column("flagged").tolist() == [False, False, True, False]
    assert (state.column("importance") == 0.5).all(), "importance never decays"


def test_a_second_sweep_of_the_same_time_writes_nothing():
    state = remembered((0.5, 30, 0), (0.5, 200, 3))
    state.apply(sweep_change(state, CODE, NOW_US)[0])
    assert sweep_change(state, CODE, NOW_US) == (None, Swept(2, 0, 0, 0))


def test_a_move_of_no_more_than_the_epsilon_is_not_written_but_still_flags():
    state = remembered((0.5, 200, 0), decay_score=np.float32([0.0055]))
    assert sweep_change(state, CODE, NOW_US)[1] == Swept(1, 0, 1, 0)
    assert sweep_change(state, CODE.change(decay_epsilon=0.0), NOW_US)[1] == Swept(1, 1, 1, 0)


def test_what_was_recalled_since_is_unflagged_or_stays_flagged_as_in_the_code():
    state = remembered((0.5, 0, 0), flagged=[True])
    change, swept = sweep_change(state, DOCUMENTED, NOW_US)
    assert swept == Swept(1, 0, 0, 1)
    assert change.updated[0].scalars["flagged"].tolist() == [False]
    assert sweep_change(state, DOCUMENTED.change(unflag=False), NOW_US)[0] is None


def test_the_threshold_itself_is_not_below_the_threshold():
    rules = CODE.change(forget_below=0.25)
    state = remembered((0.5, 30, 0), (0.5, 30.001, 0))
    state.apply(sweep_change(state, rules, NOW_US)[0])
    assert state.column("flagged").tolist() == [False, True]


def test_superseded_states_are_swept_or_left_alone():
    state = remembered((0.5, 200, 0), (0.5, 200, 0), superseded=[True, False])
    assert sweep_change(state, CODE, NOW_US)[1] == Swept(2, 2, 2, 0)
    alone = CODE.change(decay_superseded=False)
    change, swept = sweep_change(state, alone, NOW_US)
    assert swept == Swept(1, 1, 1, 0)
    assert [list(part.ids) for part in change.updated] == [[state.ids_of(np.array([1]))[0]]] * 2


def test_forgotten_memories_are_nothing_and_are_not_seen():
    state = remembered((0.5, 200, 0), (0.5, 200, 0))
    state.apply(Change(NOW_US, forgotten=state.ids_of(np.array([0]))))
    assert scores(state, CODE, NOW_US)[0] == 0.0
    assert sweep_change(state, CODE, NOW_US)[1].seen == 1


def test_an_empty_store_has_nothing_to_sweep():
    assert sweep_change(State(4), DOCUMENTED, NOW_US) == (None, Swept(0, 0, 0, 0))
