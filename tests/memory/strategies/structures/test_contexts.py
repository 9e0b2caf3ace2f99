"""Structure by context."""

import numpy as np
import pytest

from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.strategies.lists import Flat
from hebb_lab.memory.strategies.structures.contexts import Side, by_context, context_structure
from hebb_lab.memory.values import Kind
from tests.memory.strategies.small import BARE, Small, cue, store, unit, view_of

FULL, BARE_SIDE = Side({"a": 1, "b": "x"}, None, None), Side({}, None, None)


def structure(cue_, memory, rules=DOCUMENTED):
    return context_structure(cue_, memory, rules)


def test_the_same_keys_and_types_are_0_95_in_the_code_and_0_85_later():
    assert structure(FULL, FULL, OBSERVED) == pytest.approx(0.95)
    assert structure(FULL, FULL._replace(kind="episode")) == pytest.approx(0.85)


def test_two_empty_contexts_are_0_5_in_the_code_and_0_15_later():
    assert structure(BARE_SIDE, BARE_SIDE, OBSERVED) == 0.5
    assert structure(BARE_SIDE, BARE_SIDE) == pytest.approx(0.15)


def test_one_empty_context_is_0_in_the_code():
    assert structure(FULL, BARE_SIDE, OBSERVED) == structure(BARE_SIDE, FULL, OBSERVED) == 0.0


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ({"a": 1, "b": 1}, {"b": 2, "c": 1}, 0.4 / 3 + 0.3),
        ({"a": 1}, {"a": "1"}, 0.4), ({"a": 1}, {"a": 1.5}, 0.7), ({"a": 1}, {"a": True}, 0.4),
        ({"a": None}, {"a": None}, 0.7), ({"a": [1]}, {"a": []}, 0.7), ({"a": {}}, {"a": []}, 0.4),
        ({"a": 1}, {"b": 1}, 0.0), ({"a": 1, "b": 1}, {"a": 1, "b": ""}, 0.4 + 0.15),
    ],
)  # fmt: skip
def test_keys_count_0_4_and_the_types_of_shared_ones_0_3(one, other, value):
    got = structure(Side(one, None, None), Side(other, None, None), OBSERVED)
    assert got == pytest.approx(value + 0.25)


def test_a_kind_that_matches_is_more_than_one_that_does_not():
    wanted = FULL._replace(kind="insight")
    match, mismatch = (
        structure(wanted, FULL._replace(kind=kind)) for kind in ("insight", "episode")
    )
    assert match - mismatch == pytest.approx(0.2)


def test_the_same_entity_is_more_than_none_and_none_more_than_another():
    pairs = [("x", "x"), (None, None), ("x", "y"), ("x", None), (None, "x")]
    got = [structure(FULL._replace(entity=a), FULL._replace(entity=b)) for a, b in pairs]
    assert np.array(got) - got[2] == pytest.approx([0.1, 0.05, 0, 0, 0])


def test_memories_are_compared_with_the_context_of_their_question():
    memories = [
        Small(unit(1, 0), "a", context='{"kind": "insight", "who": 1}', kind=Kind.INSIGHT),
        Small(unit(1, 0), None, context='{"who": "x"}'),
    ]
    asked = cue(1, 0, entities="a", contexts=[{"kind": "Insight", "who": 2}])
    view = view_of(*store(memories), BARE, asked)
    found = Flat(np.array([0, 0, 0]), np.array([1, 0, 1]), np.zeros(3, np.float32))
    half = 0.4 * 0.5
    assert by_context(view, found) == pytest.approx([half, 1.0, half])


def test_questions_without_a_context_have_an_empty_one():
    view = view_of(*store([Small(unit(1, 0))]))
    found = Flat(np.array([0]), np.array([0]), np.zeros(1, np.float32))
    assert by_context(view, found) == pytest.approx([0.15])
    assert by_context(view, found.where(np.array([False]))).tolist() == []
