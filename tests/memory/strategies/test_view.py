"""What a question may see."""

import numpy as np
import pytest

from hebb_lab.memory.strategies.view import ALL, NONE
from hebb_lab.memory.values import Cues, Kind
from tests.memory.strategies.small import BARE, NOW_US, Small, cue, store, unit, view_of


def test_scopes_are_numbers_of_entities_all_or_none():
    made = store([Small(unit(1, 0), "a"), Small(unit(1, 0), "b")])
    cues = Cues(["x"] * 4, np.ones((4, 2), np.float32), ["b", None, "nobody", "a"])
    view = view_of(*made, BARE, cues)
    assert view.scopes.tolist() == [1, ALL, NONE, 0]
    assert {scope: at.tolist() for scope, at in view.by_scope()} == {
        ALL: [1],
        NONE: [2],
        0: [3],
        1: [0],
    }


@pytest.mark.parametrize(
    ("switch", "rows"),
    [({}, [0]), ({"superseded_recalled": True}, [0, 1]), ({"stale_recalled": True}, [0, 2])],
)
def test_superseded_and_stale_memories_are_seen_by_rule(switch, rows):
    marks = [{}, {"superseded": True}, {"stale": True}, {"created_us": NOW_US + 1}]
    made = store([Small(unit(1, 0), **mark) for mark in marks])
    rules = BARE.change(**{"stale_recalled": False, **switch})
    assert np.flatnonzero(view_of(*made, rules).shown).tolist() == rows


def test_only_kinds_that_are_wanted_are_seen():
    made = store([Small(unit(1, 0), kind=kind) for kind in Kind])
    view = view_of(*made, BARE, cue(1, 0, kinds=(Kind.INSIGHT, Kind.REVISION)))
    assert np.flatnonzero(view.wanted).tolist() == [1, 2]


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("scope", [ALL, NONE, 0, 1])
def test_rows_of_a_scope_are_those_that_are_in_it(scope, shared):
    memories = [Small(unit(1, 0), entity) for entity in ("a", None, "b", "a", None)]
    name = {ALL: None, NONE: "nobody", 0: "a", 1: "b"}[scope]
    rules = BARE.change(unscoped_shared=shared)
    view = view_of(*store(memories), rules, cue(1, 0, entities=name))
    inside = view.in_scope(np.zeros(5, np.int64), np.arange(5))
    assert view.rows_of_scope(scope, view.wanted).tolist() == np.flatnonzero(inside).tolist()


@pytest.mark.parametrize("hidden", [0, 3, 90, 197])
@pytest.mark.parametrize("index", ["exact", "hnsw"])
def test_what_is_hidden_makes_room_for_what_comes_next(hidden, index):
    memories = [Small(unit(1, step / 100), superseded=step < hidden) for step in range(200)]
    view = view_of(*store(memories), BARE.change(index=index))
    rows, cosine = view.nearest(view.cues.vectors, np.zeros(1, np.int64), 5, view.wanted)
    expected = list(range(hidden, min(hidden + 5, 200)))
    assert rows[0].tolist() == expected + [-1] * (5 - len(expected))
    assert (np.diff(cosine[0, : len(expected)]) <= 0).all()
