"""Where causal recall starts."""

import numpy as np
import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.strategies.walks.seeds import nearest_memory, seeds_of
from hebb_lab.memory.values import Cues, Kind
from tests.memory.strategies.small import BARE, NOW_US, Small, cue, store, unit, view_of

ZEROS = "0" * 32


def made():
    return store([
        Small(unit(1, 0), "a"), Small(unit(0, 1), "b"), Small(unit(-1, 0), created_us=NOW_US + 1),
    ])  # fmt: skip


def seeds(made_, cues, rules=BARE):
    return seeds_of(view_of(*made_, rules, cues), cues)


def named(made_, row, *, form="ulid"):
    ids = made_[0].ids_of(np.array([row]))
    return {"ulid": ids[0], "lower": ids[0].lower(), "hex": ids.to_bytes()[0].hex()}[form]


@pytest.mark.parametrize("form", ["ulid", "lower", "hex"])
def test_a_seed_or_a_text_that_is_an_id_is_where_it_starts(form):
    both = made()
    text = named(both, 1, form=form)
    for cues in (Cues([""], seeds=[text]), Cues([text]), cue(1, 0, seeds=[text])):
        assert seeds(both, cues) == ([1], ())


def test_else_it_is_the_nearest_memory_in_scope_of_any_kind():
    both = made()
    assert seeds(both, cue(1, 0.1)).rows.tolist() == [0]
    assert seeds(both, cue(1, 0.1, entities="b", kinds=(Kind.INSIGHT,))).rows.tolist() == [1]


def test_an_empty_scope_has_no_seed_and_that_is_no_failure():
    assert seeds(made(), cue(1, 0, entities="nobody")) == ([-1], ())


def test_scope_after_the_search_may_miss_the_scope():
    both = store([Small(unit(1, step / 100), "b") for step in range(5)] + [Small(unit(0, 1), "a")])
    cues = cue(1, 0, entities="a")
    assert seeds(both, cues, BARE.change(scope_filter="after")).rows.tolist() == [-1]
    view = view_of(*both, BARE, cues)
    assert nearest_memory(view, cues.vectors, np.zeros(1, np.int64)).tolist() == [5]


@pytest.mark.parametrize("seed", [ZEROS, "no id", "0" * 26])
def test_a_seed_that_no_memory_has_is_one_failure(seed):
    got = seeds(made(), Cues([""], seeds=[seed]))
    assert got.rows.tolist() == [-1]
    assert [(f.place, f.strategy) for f in got.failures] == [(0, "causal")]


def test_a_seed_of_another_entity_or_of_a_later_time_is_a_failure():
    both = made()
    for row, entity in ((1, "a"), (2, "a")):
        got = seeds(both, Cues([""], seeds=[named(both, row)], entities=entity))
        assert (got.rows.tolist(), len(got.failures)) == ([-1], 1)


def test_a_forgotten_seed_is_a_failure():
    both = made()
    gone = named(both, 0)
    both[0].apply(Change(NOW_US, forgotten=both[0].ids_of(np.array([0]))))
    assert "forgotten" in seeds(both, Cues([gone])).failures[0].problem


def test_questions_start_each_at_its_own():
    both = made()
    cues = Cues([named(both, 1), "what", "what"], np.array([[0, 0], [1, 0], [0, 0]], np.float32))
    got = seeds(both, cues)
    assert got.rows.tolist() == [1, 0, -1]
    assert [failure.place for failure in got.failures] == [2]
