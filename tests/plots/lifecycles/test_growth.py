"""How a store grows."""

import pytest

from hebb_lab.plots.lifecycles.growth import Size, draw
from tests.plots.looking import outside, overlapping, words

WRITTEN = [Size(n, 40_000 + 2_100 * n) for n in range(0, 5_001, 500)]
AFTER = [Size(5_400, 12_400_000, "400 revised"), Size(2_700, 6_200_000, "half forgotten")]
ABOUT = "locomo · vectors of 384"


def test_bytes_a_memory_are_those_between_the_first_and_the_last_writing():
    assert any("2,100 bytes a memory" in text for text in words(draw(WRITTEN + AFTER, ABOUT)))


def test_what_is_no_writing_is_named_and_nothing_is_cut_or_covered():
    figure = draw(WRITTEN + AFTER, ABOUT)
    assert {"400 revised", "half forgotten"} <= set(words(figure))
    assert outside(figure) == []
    assert overlapping(figure) == []


@pytest.mark.parametrize("sizes", [[], [Size(0, 0)], [Size(10, 5 * 10**9)], WRITTEN[:1] + AFTER])
def test_small_and_large_and_empty_stores_are_drawn_too(sizes):
    assert outside(draw(sizes, ABOUT)) == []
