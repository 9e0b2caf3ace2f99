"""The share of memories that is left."""

import numpy as np
import pytest

from hebb_lab.lifecycles.arms import Life
from hebb_lab.lifecycles.protocol.retention import retention_of
from hebb_lab.lifecycles.replay.living import Living
from hebb_lab.lifecycles.replay.story import DAY_US, Event, Touched, Written
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import MemoryStore
from tests.lifecycles.made import START_US, asked, items, story

RULES = DOCUMENTED.change(half_life_gain=0.0, forget_below=0.25, half_life_days=10.0)


def after(wanted, importance, practice="off"):
    own = items(len(importance), step_us=0)
    own.importance[:] = importance
    told = story(own, asked(own, wanted, [START_US + DAY_US] * len(wanted)))
    store = MemoryStore.in_memory(8, rules=RULES, rng=np.random.default_rng(0))
    living = Living(told, Life(RULES, ("similarity",), practice), store)
    living.run(told.exam, lambda at, rows: None)
    return retention_of(living, 30, (20, 10))


def test_a_memory_is_kept_while_half_lives_leave_it_above_the_threshold():
    found = after([0], [1.0, 0.5, 0.2])
    assert found["half_lives"] == [10.0, 20.0]
    own, slow = (np.array(curve) for curve in found["kept"])
    # importance 1 falls to 1/4 after two half-lives, 1/2 after one; 0.2 is below from the start
    assert own[0] == pytest.approx(2 / 3, abs=1e-6)
    assert own[11] == pytest.approx(1 / 3, abs=1e-6)
    assert own[21] == 0
    assert slow[11] == pytest.approx(2 / 3, abs=1e-6)
    assert (np.diff(own) <= 0).all()


def test_what_questions_need_has_a_curve_of_its_own():
    found = after([0], [1.0, 0.5, 0.2])
    assert found["needed"] == 1
    assert found["kept_needed"][0][:20] == [1.0] * 20
    assert found["kept_needed"][0][25] == 0


def test_without_questions_nothing_is_needed():
    assert after([], [1.0, 0.5])["kept_needed"] is None


def test_what_a_revision_superseded_is_not_kept_twice():
    own = items(2, step_us=0)
    touch = START_US + DAY_US
    events = [Event(START_US, Written(0, 2)), Event(touch, Touched(0, -1, -1, True))]
    told = story(own, asked(own, [0], [touch + 1]), events=events, edited=1)
    rules = RULES.change(revise="new")
    store = MemoryStore.in_memory(8, rules=rules, rng=np.random.default_rng(0))
    living = Living(told, Life(rules, ("similarity",), "off", revises=True), store)
    living.run(told.exam, lambda at, rows: None)
    assert store.state.count == 3
    assert retention_of(living, 0, ())["kept"] == [[1.0]]
    # where the newest state alone is superseded, as after another revision, it is none that is kept
    (old,) = np.flatnonzero(store.state.column("superseded"))
    living.held.row_of[0] = old
    assert retention_of(living, 0, ())["kept"] == [[0.5]]
