import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.memory.subscription.bloom import BloomFilter


@given(st.sets(st.text(max_size=12)), st.integers(0, 50))
def test_there_are_no_false_negatives(words, capacity):
    known = BloomFilter(capacity)
    known.add(words)
    assert known.contains(words).all()


def test_false_positives_are_fewer_than_three_times_the_target():
    known = BloomFilter(5000)
    known.add(f"word{place}" for place in range(5000))
    others = known.contains(f"other{place}" for place in range(20_000))
    assert others.mean() < 3 * 0.01


@pytest.mark.parametrize("capacity", [10, 100, 5000])
def test_bits_and_hashes_are_those_of_the_formula(capacity):
    known = BloomFilter(capacity)
    assert known.bits == math.ceil(capacity * 4.605170185988092 / 0.4804530139182014)
    assert known.hashes == 7


def test_there_are_64_bits_at_least_and_20_hashes_at_most():
    assert (BloomFilter(0).bits, BloomFilter(1).bits, BloomFilter(1).hashes) == (64, 64, 20)


def test_an_empty_filter_knows_nothing_and_an_empty_question_has_no_answer():
    assert not BloomFilter(10).contains(["sail"]).any()
    assert BloomFilter(10).contains([]).shape == (0,)


def test_words_are_counted_once():
    known = BloomFilter(100)
    known.add(["a", "b", "a"])
    known.add(["b", "c"])
    assert known.words == 3
