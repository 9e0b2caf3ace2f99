"""Questions before they are asked."""

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.strategies.asking import checked, names_id, wants_vector, with_vector
from hebb_lab.memory.strategies.asking.checks import NO_VECTOR
from hebb_lab.memory.values import Cues, Failure

ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
HEX = Ids.parse([ULID]).to_bytes()[0].hex()


@pytest.mark.parametrize("text", [ULID, ULID.lower(), HEX, HEX.upper()])
def test_a_ulid_or_32_hexadecimal_digits_name_an_id(text):
    assert names_id(text).tolist() == Ids.parse([ULID]).array[0].tolist()


@pytest.mark.parametrize(
    "text", [None, "", "8" + ULID[1:], ULID[1:], HEX[1:], "I" * 26, HEX + "\n"]
)
def test_other_texts_name_none(text):
    assert names_id(text) is None


def test_a_causal_question_that_names_its_seed_wants_no_vector_nor_does_one_of_time():
    cues = Cues(["what", ULID, "why"], seeds=[None, None, HEX])
    assert wants_vector(cues, ["causal", "temporal"]).tolist() == [True, False, False]
    assert wants_vector(cues, ["temporal"]).tolist() == [False] * 3
    assert wants_vector(cues, ["similarity"]).tolist() == [True] * 3
    assert wants_vector(Cues(["what"], np.ones((1, 2))), ["similarity"]).tolist() == [False]


def test_a_question_without_a_vector_is_a_failure_of_its_own():
    vectors = np.array([[0, 0], [0, 1]], np.float32)
    _, places, failures = with_vector(Cues(["x", "y"], vectors), 2, "similarity")
    assert (places.tolist(), failures) == ([1], (Failure(0, "similarity", NO_VECTOR),))
    none = with_vector(Cues(["x"]), 3, "similarity")
    assert (none[0].shape, none[1].tolist(), len(none[2])) == ((1, 3), [], 1)


@pytest.mark.parametrize("name", ["texts", "entities", "contexts", "seeds", "pairs"])
def test_columns_of_another_length_are_refused(name):
    cues = Cues(**{"texts": ["a", "b"], "vectors": np.ones((2, 2)), name: [None] * 3})
    with pytest.raises(InputError, match=r"3 .* beside 2"):
        checked(cues, 2, ["similarity"])


@pytest.mark.parametrize(
    ("vectors", "problem"),
    [(np.ones((1, 3)), "3"), (np.ones(2), r"\[2\]"), (np.array([[np.nan, 1]]), "finite"),
     (np.array([[np.inf, 1]]), "finite")],
)  # fmt: skip
def test_vectors_of_another_shape_or_that_are_not_finite_are_refused(vectors, problem):
    with pytest.raises(InputError, match=problem):
        checked(Cues(vectors=vectors), 2, ["similarity"])


def test_vectors_are_brought_to_length_1_and_unit_ones_are_left_as_they_are():
    unit = np.array([[0.6, 0.8]], np.float32)
    vectors = np.concatenate([unit, 5 * unit, 0 * unit])
    got = checked(Cues(vectors=vectors), 2, ["similarity"]).vectors
    assert got == pytest.approx(np.concatenate([unit, unit, 0 * unit]))
    assert checked(Cues(vectors=unit), 2, ["similarity"]).vectors.tolist() == unit.tolist()


@pytest.mark.parametrize(
    "cues",
    [Cues([""], np.ones((1, 2))), Cues([""], seeds=[ULID])],
    ids=["vector", "seed"],
)
def test_a_text_may_be_empty_where_something_stands_for_it(cues):
    assert len(checked(cues, 2, ["causal"])) == 1


def test_a_text_may_be_empty_where_only_time_is_asked_for():
    assert len(checked(Cues([""]), 2, ["temporal"])) == 1
    with pytest.raises(InputError, match="empty"):
        checked(Cues([""]), 2, ["temporal", "similarity"])
