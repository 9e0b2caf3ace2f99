"""Test questions after days of silence."""

import numpy as np
import pytest

from hebb_lab.lifecycles.arms import Life
from hebb_lab.lifecycles.arms.arm import Reading
from hebb_lab.lifecycles.replay.cues import cues_of
from hebb_lab.lifecycles.replay.examine import Examiner, pieced
from hebb_lab.lifecycles.replay.living import Living
from hebb_lab.lifecycles.replay.silence import silent
from hebb_lab.lifecycles.replay.story import DAY_US
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.strategies import recall
from tests.lifecycles.made import START_US, asked, items, story

LATE = START_US + 6 * DAY_US
SIMILAR = Reading(DOCUMENTED, ("similarity",))
TEMPORAL = Reading(DOCUMENTED, ("temporal",))


def examined(told, readings, rules=DOCUMENTED, horizons=(1, 10), by=recall, **life):
    store = MemoryStore.in_memory(8, rules=rules, rng=np.random.default_rng(0))
    living = Living(told, Life(rules, ("similarity",), "on", **life), store)
    examiner = Examiner(living, told.exam, readings, horizons, 4, by)
    living.run(told.exam, examiner.ask)
    return living, examiner.found


def told_of(wanted=(1, 3), times=None, seeds=None, count=5):
    own = items(count)
    return story(own, asked(own, list(wanted), times or [LATE] * len(wanted), seeds=seeds))


def test_each_question_finds_its_memory_at_every_horizon():
    _, found = examined(told_of(), [SIMILAR])
    sheet = found[SIMILAR].sheet
    assert sheet.ids.shape == (2, 2, 4)
    assert sheet.ids[:, :, 0].tolist() == [[1, 3], [1, 3]]
    assert found[SIMILAR].seconds > 0


def test_scores_fall_with_the_days_of_silence():
    scores = examined(told_of(), [SIMILAR])[1][SIMILAR].sheet.scores
    assert (scores[1] < scores[0]).all()


def test_an_examination_changes_nothing():
    told = told_of()
    living, _ = examined(told, [SIMILAR, TEMPORAL])
    store = MemoryStore.in_memory(8, rng=np.random.default_rng(0))
    alone = Living(told, living.life, store)
    alone.run(told.exam, lambda at, rows: None)
    assert alone.store.state.frame().equals(living.store.state.frame())


def test_each_reading_has_answers_of_its_own():
    found = examined(told_of(), [SIMILAR, TEMPORAL])[1]
    assert found[TEMPORAL].sheet.ids[0, :, 0].tolist() == [4, 4]


def test_a_reading_that_breaks_leaves_the_others_whole():
    def breaking(state, journal, rules, cues, at_us, k, strategies):
        if strategies == ("temporal",):
            raise ValueError("boom")
        return recall(state, journal, rules, cues, at_us, k, strategies)

    found = examined(told_of(), [TEMPORAL, SIMILAR], by=breaking)[1]
    assert str(found[TEMPORAL].error) == "boom"
    assert found[SIMILAR].error is None
    assert (found[SIMILAR].sheet.ids[:, :, 0] >= 0).all()


def test_a_strategy_that_cannot_answer_is_counted_by_its_reason():
    own = items(3)
    ask = asked(own, [0], [LATE])
    ask.entities[0] = None
    rules = DOCUMENTED.change(temporal_needs_entity=True)
    reading = Reading(rules, ("temporal",))
    found = examined(story(own, ask), [reading])[1][reading]
    ((reason, count),) = found.failures.items()
    assert reason.startswith("temporal: ")
    assert count == 2  # one question, two horizons
    assert (found.sheet.ids == -1).all()


def test_a_seed_that_is_not_remembered_now_is_none():
    told = told_of((1, 2), times=[START_US + DAY_US, LATE], seeds=[3, 3])
    seeds = []
    store = MemoryStore.in_memory(8, rng=np.random.default_rng(0))
    living = Living(told, Life(DOCUMENTED, ("similarity",), "off"), store)
    living.run(
        told.exam, lambda at, rows: seeds.append(cues_of(told.exam, rows, living.held).seeds[0])
    )
    assert seeds == [None, living.held.ids([3])[0]]


@pytest.mark.parametrize(("days", "left"), [(1, 5), (20, 3), (200, 0)])
def test_a_store_that_forgets_is_asked_as_it_will_be_and_stays_as_it_is(days, left):
    own = items(5)
    own.importance[:] = [0.2, 0.2, 0.9, 0.9, 0.9]
    told = story(own, asked(own, [0], [LATE]))
    rules = DOCUMENTED.change(half_life_days=10.0, half_life_gain=0.0, forget_below=0.05)
    store = MemoryStore.in_memory(8, rules=rules, rng=np.random.default_rng(0))
    living = Living(told, Life(rules, ("similarity",), "off", forgets=True), store)
    counts = []
    living.run(told.exam, lambda at, rows: counts.append(
        int(silent(living, at + days * DAY_US)[0].alive.sum())
    ))  # fmt: skip
    assert counts == [left]
    assert int(living.store.state.alive.sum()) == 5


def test_what_is_forgotten_by_the_horizon_is_no_answer():
    told = told_of((0,))
    rules = DOCUMENTED.change(half_life_days=5.0, half_life_gain=0.0, forget_below=0.1)
    reading = Reading(rules, ("similarity",))
    found = examined(told, [reading], rules, (1, 100), forgets=True)[1][reading]
    assert found.sheet.ids[0, 0, 0] == 0
    assert (found.sheet.ids[1] == -1).all()
    kept = examined(told, [reading], rules, (1, 100))[1][reading]
    assert kept.sheet.ids[1, 0, 0] == 0


def test_answers_of_several_readings_are_pieced_together_by_their_questions():
    found = examined(told_of(), [SIMILAR, TEMPORAL])[1]
    found[SIMILAR].failed.update({(0, "a"): 2, (1, "b"): 1})
    whole = pieced([(found[SIMILAR], np.array([True, False])),
                    (found[TEMPORAL], np.array([False, True]))])  # fmt: skip
    assert whole.sheet.ids[0, :, 0].tolist() == [1, 4]
    assert whole.failures == {"a": 2}
    assert whole.error is None
    found[TEMPORAL].error = ValueError("boom")
    assert pieced([(found[TEMPORAL], np.array([True, True]))]).error is found[TEMPORAL].error


def test_a_seed_that_is_forgotten_by_the_horizon_is_none_and_recall_starts_from_the_nearest():
    own = items(4, step_us=0)
    own.importance[:] = [0.2, 0.9, 0.9, 0.9]
    told = story(own, asked(own, [1], [START_US + DAY_US], seeds=[0]))
    rules = DOCUMENTED.change(half_life_days=10.0, half_life_gain=0.0, forget_below=0.1)
    reading = Reading(rules.change(causal="walk"), ("causal",))
    found = examined(told, [reading], rules, (1, 20), forgets=True)[1][reading]
    assert found.failures == {}
    assert 0 not in found.sheet.ids[1]
