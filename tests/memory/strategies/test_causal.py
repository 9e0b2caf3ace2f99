"""Recall by cause."""

import numpy as np
import pytest

from hebb_lab.memory.strategies.causal import causal, found_by_walk
from hebb_lab.memory.values import Cues, EdgeKind
from tests.memory.strategies.small import (
    BARE,
    DAY_US,
    NOW_US,
    Link,
    Small,
    asked,
    cue,
    found,
    relevances,
    store,
    unit,
    view_of,
)  # fmt: skip

EFFECT, MIDDLE, CAUSE = 2, 1, 0
WALK = BARE.change(causal_recency=0.0)
OFFSET = BARE.change(causal="offset")


def chain(**more):
    """C → B → A by CausedBy, with vectors far apart."""
    memories = [Small(unit(*v), **more) for v in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return store(memories, [Link(EFFECT, MIDDLE), Link(MIDDLE, CAUSE)])


def from_row(made, row, rules=WALK, entities=None, k=10):
    cues = Cues([""], seeds=[made[0].ids_of(np.array([row]))[0]], entities=entities)
    return asked(made, "causal", cues, rules=rules, k=k)


def test_from_the_end_of_a_chain_of_causes_both_others_are_found():
    assert relevances(from_row(chain(), EFFECT)) == {MIDDLE: 1.0, CAUSE: 0.5}
    assert len(found(from_row(chain(), EFFECT, OFFSET))) == 2


def test_backward_from_the_first_cause_come_its_effects():
    backward, forward = (
        WALK.change(causal_direction=name) for name in ("backward", "forward")
    )  # fmt: skip
    assert found(from_row(chain(), CAUSE, backward)) == [MIDDLE, EFFECT]
    assert found(from_row(chain(), CAUSE, forward)) == []
    both = from_row(chain(), CAUSE, OFFSET.change(causal_direction="backward"))
    assert {MIDDLE, EFFECT} & set(found(both))


def test_the_seed_is_the_nearest_memory_where_none_is_named():
    assert found(asked(chain(), "causal", cue(0.1, 0.2, 1), rules=WALK)) == [MIDDLE, CAUSE]


def test_recency_has_its_share_of_a_walk_s_relevance():
    made = chain(created_us=NOW_US - 15 * DAY_US)
    assert relevances(from_row(made, EFFECT, BARE)) == pytest.approx({MIDDLE: 0.9, CAUSE: 0.5})


def test_both_keep_the_better_of_walk_and_offset():
    made = chain()
    walk, offset = (
        relevances(from_row(made, EFFECT, WALK.change(causal=c))) for c in ("walk", "offset")
    )
    both = relevances(from_row(made, EFFECT, WALK.change(causal="both")))
    assert both == {row: max(walk.get(row, 0), offset.get(row, 0)) for row in (MIDDLE, CAUSE)}
    assert offset[CAUSE] != walk[CAUSE]


def test_a_seed_without_a_vector_walks_but_has_no_offset():
    made = store([Small([0.0, 0.0]), Small(unit(1, 0))], [Link(0, 1)])
    assert found(from_row(made, 0)) == [1]
    got = from_row(made, 0, OFFSET)
    assert [failure.problem for failure in got.failures] == ["the seed has no vector"]
    assert not from_row(made, 0, BARE.change(causal="both")).failures


def test_a_walk_passes_what_is_superseded_and_does_not_find_it():
    memories = [Small(unit(1, 0)), Small(unit(0, 1), superseded=True), Small(unit(1, 1))]
    made = store(memories, [Link(0, 1, EdgeKind.REVISED_FROM), Link(1, 2)])
    assert found(from_row(made, 0)) == [2]
    assert found(from_row(made, 0, WALK.change(superseded_recalled=True))) == [1, 2]


def test_a_walk_stays_in_the_scope_or_only_ends_there():
    memories = [Small(unit(1, 0), "a"), Small(unit(0, 1), "b"), Small(unit(1, 1), "a")]
    made = store(memories, [Link(0, 1), Link(1, 2)])
    assert found(from_row(made, 0, entities="a")) == []
    assert found(from_row(made, 0, WALK.change(scope_filter="after"), entities="a")) == [2]
    assert found(from_row(made, 0)) == [1, 2]


def test_a_star_of_five_is_cut_to_three_and_says_so():
    made = store([Small(unit(1, step)) for step in range(6)], [Link(0, row) for row in range(1, 6)])
    got = from_row(made, 0, k=3)
    assert (found(got), got.truncated["causal"].tolist()) == ([5, 4, 3], [True])
    assert from_row(made, 0, k=6).truncated["causal"].tolist() == [False]


def test_an_edge_to_a_memory_that_is_not_there_leads_nowhere():
    state, journal = chain()
    view = view_of(state, journal, WALK, Cues(["what"], np.array([[0, 0, 1]], np.float32)))
    assert causal(view, view.cues, 5).rows.tolist() == [[MIDDLE, CAUSE, -1, -1, -1]]
    assert not len(found_by_walk(view, np.array([-1])).row)
