from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from hebb_lab.graph.cognitive.tagging.counts import TagCounts
from hebb_lab.records import Lists


def counted(*rows, names="abcdef"):
    made = TagCounts(list(names))
    for part in rows:
        made.learn(Lists.of(part))
    return made


def associated(counts, tag, most):
    found = counts.associated(np.array([tag]), most)
    return list(zip(found.tag.tolist(), found.times.tolist(), strict=True))


def test_the_count_of_a_pair_is_symmetric_and_grows():
    made = counted([[0, 1]], [[1, 0], [2, 0]])
    assert made.times(0, 1) == made.times(1, 0) == 2
    assert made.times(1, 2) == 0


def test_three_tags_make_three_pairs_and_one_makes_none():
    assert len(counted([[0, 1, 2]])) == 3
    assert len(counted([[0], []])) == 0


def test_a_tag_that_a_list_holds_twice_counts_once():
    made = counted([[0, 1, 0]])
    assert made.times(0, 1) == 1
    assert made.lists[:2].tolist() == [1, 1]


def test_the_tags_most_often_together_come_first_and_equal_ones_by_name():
    made = counted([[0, 1], [0, 2], [0, 2], [0, 3], [0, 4]], names="xdcba")
    assert associated(made, 0, 3) == [(2, 2), (4, 1), (3, 1)]
    assert associated(made, 0, 9) == [(2, 2), (4, 1), (3, 1), (1, 1)]
    assert associated(made, 0, 0) == []


def test_many_tags_are_asked_at_once():
    made = counted([[0, 1], [2, 3], [2, 4]])
    found = made.associated(np.array([2, 5, 0, 2]), 1)
    assert found.ptr.tolist() == [0, 1, 1, 2, 3]
    assert found.tag.tolist() == [3, 1, 3]


def test_strength_is_the_share_of_the_rarer_tags_lists():
    made = counted([[0, 1], [0, 1], [0], [0, 2], [1]])
    a, b = np.array([0, 1, 0]), np.array([1, 0, 2])
    assert made.strength(a, b, np.array([2, 2, 1])) == pytest.approx([2 / 3, 2 / 3, 1.0])


def test_pairs_are_handed_out_once_each():
    pairs = counted([[3, 1], [1, 3, 0]]).pairs()
    assert [part.tolist() for part in pairs] == [[0, 0, 1], [1, 3, 3], [1, 1, 2]]


def test_a_pair_takes_16_bytes_in_both_directions():
    empty, one = counted(), counted([[0, 1]])
    assert one.byte_count() - empty.byte_count() == 16


def test_counts_are_those_of_a_plain_counter_in_how_many_steps_ever():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        rows = [rng.choice(6, size=rng.integers(0, 5), replace=False).tolist() for _ in range(30)]
        cut = int(rng.integers(0, 31))
        made, at_once = counted(rows[:cut], rows[cut:]), counted(rows)
        expected = Counter(pair for row in rows for pair in combinations(sorted(row), 2))
        pairs = made.pairs()
        found = zip(pairs.first.tolist(), pairs.second.tolist(), pairs.times.tolist(), strict=True)
        assert {(a, b): n for a, b, n in found} == expected
        for one, other in zip(pairs, at_once.pairs(), strict=True):
            assert one.tobytes() == other.tobytes()
        for tag in range(6):
            partners = Counter(
                {b if a == tag else a: n for (a, b), n in expected.items() if tag in (a, b)}
            )
            ranked = sorted(partners.items(), key=lambda item: (-item[1], "abcdef"[item[0]]))
            assert associated(made, tag, 3) == ranked[:3]
            assert made.degree[tag] == len(partners)
