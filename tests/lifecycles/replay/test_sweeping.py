"""Sweeps act on the flags of the sweep before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.lifecycles.arms import Life
from hebb_lab.lifecycles.replay.living import Living
from hebb_lab.lifecycles.replay.silence import silent
from hebb_lab.lifecycles.replay.story import DAY_US
from hebb_lab.lifecycles.replay.sweeping import due, needed, swept
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import MemoryStore
from tests.lifecycles.made import START_US, asked, items, story

# importance 1/2 falls below 1/10 after 23.2 days: flagged at the sweep of day 24, gone at day 25
RULES = DOCUMENTED.change(
    half_life_days=10.0, half_life_gain=0.0, forget_below=0.1, importance_boost=0.0,
    count_gain=False,
)  # fmt: skip


def lived(rules, exam_day, touch_day=None):
    """One memory of day 0, touched once; the life stands at the moment of its question."""
    own = items(1)
    touches = [] if touch_day is None else [START_US + round(touch_day * DAY_US)]
    practice = asked(own, [0] * len(touches), touches, "p")
    told = story(own, asked(own, [0], [START_US + round(exam_day * DAY_US)]), practice)
    store = MemoryStore.in_memory(8, rules=rules, rng=np.random.default_rng(0))
    living = Living(told, Life(rules, ("similarity",), "named", forgets=True), store)
    return living, told.exam


def left(rules, exam_day, touch_day=None, days=0.0):
    """How many memories are there at the question, after some days of silence."""
    living, exam = lived(rules, exam_day, touch_day)
    counts = []
    living.run(exam, lambda at, rows: counts.append(
        int(silent(living, at + round(days * DAY_US))[0].alive.sum())
    ))  # fmt: skip
    return counts[0]


def test_what_is_flagged_goes_a_sweep_later():
    assert [left(RULES, day) for day in (24.5, 25.0, 25.5)] == [1, 1, 0]
    assert [left(RULES, 10, days=days) for days in (14.5, 15.0, 15.5)] == [1, 1, 0]


@pytest.mark.parametrize("silence", [0, 1])
def test_a_fresh_look_spares_what_was_touched_after_it_was_flagged(silence):
    asked_at = 25.5 - silence * 0.9
    for fresh, count in ((True, 1), (False, 0)):
        rules = RULES.change(fresh_look=fresh)
        assert left(rules, asked_at, touch_day=24.5, days=silence * 0.9) == count


@pytest.mark.parametrize("silence", [0, 20])
def test_a_flag_that_is_not_taken_away_takes_a_day_from_a_memory(silence):
    # touched on day 24.5 it is low again on day 47.7; its old flag lets it go on day 48
    for unflag, count in ((True, 1), (False, 0)):
        rules = RULES.change(unflag=unflag)
        assert left(rules, 48.5 - silence, touch_day=24.5, days=silence) == count
        assert left(rules, 49.5 - silence, touch_day=24.5, days=silence) == 0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 999), st.booleans(), st.booleans(), st.sampled_from([None, 1, 3]),
       st.integers(0, 40))  # fmt: skip
def test_few_sweeps_are_as_good_as_all_where_nothing_is_touched(seed, fresh, unflag, most, days):
    rng = np.random.default_rng(seed)
    rules = RULES.change(fresh_look=fresh, unflag=unflag, auto_forget_most=most)
    own = items(6, step_us=0)
    own.importance[:] = rng.random(6)
    stores = [MemoryStore.in_memory(8, rules=rules, rng=np.random.default_rng(0)) for _ in "ab"]
    touched = rng.random(6) < 0.3
    for store in stores:
        living = Living(story(own), Life(rules, ("similarity",), "off"), store)
        living.run(asked(own, [], []), lambda at, rows: None)
        store.decay(START_US + 20 * DAY_US)
        ids = store.state.ids_of(np.flatnonzero(touched))
        store.reinforce(ids, START_US + 20 * DAY_US + 1)
    times = due(START_US + 21 * DAY_US, DAY_US, START_US + (21 + days) * DAY_US)
    for time_us in times:
        swept(stores[0], time_us)
    for time_us in needed(stores[1].state, rules, times):
        swept(stores[1], time_us)
    assert stores[0].state.alive.tolist() == stores[1].state.alive.tolist()
