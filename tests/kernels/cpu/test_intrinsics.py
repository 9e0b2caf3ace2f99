"""Fetching ahead changes nothing but when memory comes; bits are read as they are."""

import numpy as np
import pytest

from hebb_lab.kernels.cpu.compile import kernel
from hebb_lab.kernels.cpu.intrinsics import (
    AHEAD,
    bits_of_float32,
    bits_of_float64,
    float32_of_bits,
    float64_of_bits,
    prefetch,
)


@kernel
def _sum(array, places):
    total = 0.0
    for i in range(len(places)):
        prefetch(array, places[min(i + AHEAD, len(places) - 1)])
        total += places[i]
    return total


@pytest.mark.parametrize("shape", [(50,), (50, 3)])
@pytest.mark.parametrize("kind", [np.float64, np.int32])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_a_loop_that_fetches_ahead_is_the_same_loop(shape, kind, index):
    array, places = np.ones(shape, kind), np.arange(50, dtype=index)
    before = array.copy()
    assert _sum(array, places[::-1].copy()) == places.sum()
    np.testing.assert_array_equal(array, before)


def test_only_arrays_and_whole_numbers_are_fetched():
    from numba.core.errors import TypingError

    @kernel
    def wrong(array):
        return prefetch(array, 0.5)

    with pytest.raises(TypingError):
        wrong(np.zeros(3))


@pytest.mark.parametrize(
    ("real", "whole", "bits", "back"),
    [(np.float64, np.int64, bits_of_float64, float64_of_bits),
     (np.float32, np.int32, bits_of_float32, float32_of_bits)],
)  # fmt: skip
@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, -1.5, 3e-39, np.inf])
def test_bits_are_those_of_the_number(real, whole, bits, back, value):
    @kernel
    def both(number):
        found = bits(number)
        return found, back(found)

    found, again = both(real(value))
    assert found == int(np.array(value, real).view(whole))
    assert again == real(value)
