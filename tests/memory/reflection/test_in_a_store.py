"""Reflection of real stores: insights are found, go stale and are listed by the rules."""

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.values import Batch, Cues, Kind
from tests.memory.reflection.made import around, says

SECOND = 1_000_000


def made(rules=DOCUMENTED, **switches):
    store = MemoryStore.in_memory(8, rules=rules.change(**switches), rng=np.random.default_rng(2))
    contents = [f"episode {place} tells of it." for place in range(45)]
    ids = store.remember(Batch(contents, around(3, 15)), SECOND)
    return store, ids


def surer_each_time():
    confidences = iter([0.1, 0.5, 0.9])
    return lambda sources: says(confidence=next(confidences))(sources)


def insights_found(store):
    cues = Cues(vectors=np.eye(8, dtype=np.float32)[:1], kinds=(Kind.INSIGHT,))
    return [hit.id for hit in store.recall(cues, 9 * SECOND, k=50).hits()]


def test_insights_are_listed_and_recalled_with_their_lineage():
    store, _ = made()
    report = store.reflect(2 * SECOND)
    assert report.insights == 3
    listed = store.insights()
    assert {memory.id for memory in listed} == set(report.ids) == set(insights_found(store))
    assert all(memory.content.startswith("episode") for memory in listed)
    family = {parent for name in report.ids for parent in store.lineage(name).ancestors}
    assert len(family) == 45


def test_a_revised_source_makes_its_insights_stale_by_rule():
    for marked in (True, False):
        store, ids = made(insight_stale=marked)
        store.reflect(2 * SECOND)
        store.revise(ids[0], 3 * SECOND, importance=0.9)
        assert sum(memory.stale for memory in store.insights()) == marked


def test_stale_insights_are_recalled_by_rule():
    for recalled, many in ((True, 3), (False, 2)):
        store, ids = made(stale_recalled=recalled)
        store.reflect(2 * SECOND)
        store.revise(ids[0], 3 * SECOND, importance=0.9)
        assert len(insights_found(store)) == many


def test_a_forgotten_source_takes_its_insights_along_or_makes_them_stale_by_rule():
    for switches, held, stale in (({}, 2, 0), ({"forget_insights": "mark"}, 3, 1)):
        store, ids = made(**switches)
        store.reflect(2 * SECOND)
        store.forget(ids[:1], 3 * SECOND)
        assert [memory.stale for memory in store.insights()].count(True) == stale
        assert len(store.insights()) == held


def test_insights_are_sorted_before_the_cut_or_after_it():
    first = {}
    for when in ("before", "after"):
        store, _ = made(insights_sorted=when)
        store.reflect(2 * SECOND, writer=surer_each_time())
        first[when] = store.insights(most=1)[0].context["confidence"]
    assert first == {"before": 0.9, "after": 0.1}


def test_a_revision_is_no_episode_and_its_old_state_is_seen_only_by_rule():
    store, ids = made()
    store.revise(ids[0], 2 * SECOND, importance=0.9)
    assert store.reflect(3 * SECOND).seen == 44
    as_observed, ids = made(OBSERVED)
    as_observed.revise(ids[0], 2 * SECOND, importance=0.9)
    assert as_observed.reflect(3 * SECOND).seen == 45  # the old state, under its new id


def test_reflection_of_a_clock_that_goes_back_is_refused():
    store, _ = made()
    with pytest.raises(InputError, match="clock"):
        store.reflect(0)
