import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hebb_lab.errors import InputError
from hebb_lab.memory.operations.arriving.vectors import taken_array, taken_vectors, unit_vectors


@given(arrays(np.float64, (5, 3), elements=st.floats(-1e300, 1e300)))
def test_every_direction_becomes_a_unit_vector(wide):
    made, unfinite, zero = unit_vectors(wide)
    assert not unfinite.any()
    assert (zero == ~wide.any(axis=1)).all()
    length = np.linalg.norm(made.astype(np.float64), axis=1)
    assert np.allclose(length, ~zero, atol=1e-6)
    scale = np.abs(wide).max(axis=1, keepdims=True)
    cosine = (made * (wide / np.where(scale > 0, scale, 1))).sum(axis=1)
    assert (cosine[~zero] > 0).all()


def test_a_unit_vector_is_kept_bit_for_bit_alone_and_in_a_batch():
    rng = np.random.default_rng(3)
    given_ = rng.standard_normal((200, 7)).astype(np.float32)
    given_ /= np.linalg.norm(given_, axis=1, keepdims=True)
    given_[7] *= 2
    made, _ = taken_array(given_, 200, 7)
    listed, _ = taken_vectors(list(given_), 7)
    alone = np.concatenate([taken_vectors([vector], 7)[0] for vector in given_])
    assert made.tobytes() == listed.tobytes() == alone.tobytes()
    rest = np.arange(200) != 7
    assert made[rest].tobytes() == given_[rest].tobytes()
    assert np.allclose(made[7] * 2, given_[7])


def test_vectors_that_are_none_are_told_apart():
    cases = [None, [1, 2], np.array([1, np.nan, 0]), np.zeros(3), ["a", "b", "c"],
             np.array([[1, 0, 0]]), np.array([0, 3, 4])]  # fmt: skip
    made, found = taken_vectors(cases, 3)
    assert {place: problem.problem.split(" and ")[0] for place, problem in found.items()} == {
        1: "vector is [2] int64, not [3] numbers", 2: "vector has a number that is not finite",
        3: "vector is zero", 4: "vector is [3] <U1, not [3] numbers",
        5: "vector is [1, 3] int64, not [3] numbers",
    }  # fmt: skip
    assert made.tolist() == [[0, 0, 0]] * 6 + [[0, np.float32(0.6), np.float32(0.8)]]


@pytest.mark.parametrize("array", [np.zeros((2, 3)), np.zeros(3), np.array([["a"] * 4] * 2)])
def test_an_array_of_another_shape_is_refused_whole(array):
    with pytest.raises(InputError, match="vectors are"):
        taken_array(array, 2, 4)
