"""Recall by time."""

import numpy as np
import pytest

from hebb_lab.memory.ids import Ids
from hebb_lab.memory.strategies.temporal import relevances, temporal
from hebb_lab.memory.values import Cues
from tests.memory.strategies.small import BARE, Small, asked, found, store, unit, view_of


def at(*times, entity="a"):
    return [Small(unit(1, 0), entity=entity, created_us=time) for time in times]


def ask(made, k=10, rules=BARE, entities="a", **window):
    cues = Cues([""], entities=entities, **window)
    return temporal(view_of(*made, rules, cues), cues, k)


def test_from_200_to_400_of_100_to_500_are_300_and_200():
    made = store(at(100, 200, 300, 400, 500))
    assert ask(made, since_us=200, until_us=400).rows[0, :3].tolist() == [2, 1, -1]


def test_twenty_events_come_newest_first_and_the_limit_cuts_the_oldest():
    times = np.random.default_rng(0).permutation(20)
    got = ask(store(at(*times.tolist())), 5)
    assert times[got.rows[0]].tolist() == [19, 18, 17, 16, 15]


@pytest.mark.parametrize("total", [1, 2, 7])
def test_relevance_is_1_less_the_rank_over_how_many_there_are(total):
    got = ask(store(at(*range(total))))
    assert got.relevance[0, :total] == pytest.approx([1 - rank / total for rank in range(total)])
    assert relevances(total)[-1] == pytest.approx(1 / total)


def test_without_an_entity_it_finds_of_all_or_fails_by_rule():
    made = store(at(1, 2) + at(3, entity="b"))
    assert found(asked(made, "temporal", Cues([""]))) == [2, 1, 0]
    got = asked(made, "temporal", Cues([""]), rules=BARE.change(temporal_needs_entity=True))
    assert found(got) == []
    assert [(f.place, f.strategy) for f in got.failures] == [(0, "temporal")]
    assert "entity" in got.failures[0].problem


def test_of_one_microsecond_both_are_found_the_higher_id_first():
    ids = Ids(np.array([[1, 3], [1, 9], [1, 5]], np.uint64))
    assert ask(store(at(7, 7, 7), ids=ids), 2).rows.tolist() == [[1, 2]]


def test_memories_without_an_entity_are_seen_from_each_or_from_none():
    made = store(at(1) + at(2, entity=None) + at(3, entity="b"))
    assert ask(made).rows[0, :3].tolist() == [1, 0, -1]
    assert ask(made, rules=BARE.change(unscoped_shared=False)).rows[0, :2].tolist() == [0, -1]
    assert ask(made, entities="nobody").rows[0, :2].tolist() == [1, -1]
