import numpy as np

from hebb_lab.graph.cognitive.tagging.postings import Postings, once_each
from hebb_lab.records import Lists


def test_an_id_stands_once_in_a_list_where_it_first_stood():
    made = once_each(Lists.of([[2, 0, 2], [], [0, 0]]))
    assert made.ptr.tolist() == [0, 2, 2, 3]
    assert made.ids.tolist() == [2, 0, 0]


def test_lists_without_repeats_are_handed_back_as_they_are():
    lists = Lists.of([[1, 0], [1]])
    assert once_each(lists) is lists
    assert once_each(Lists.of([])).ptr.tolist() == [0]


def test_the_newest_known_memories_of_a_tag_come_first():
    postings = Postings(Lists.of([[0], [1, 0], [], [0], [0, 1]]), 3)
    postings.advance(4)
    which, memory = postings.newest(np.array([0, 1, 2, 0]), 2)
    assert which.tolist() == [0, 0, 1, 3, 3]
    assert memory.tolist() == [3, 1, 1, 3, 1]
    postings.advance(5)
    assert postings.newest(np.array([1]), 9)[1].tolist() == [4, 1]


def test_the_degree_of_a_tag_is_how_many_known_memories_carry_it():
    postings = Postings(Lists.of([[0], [1, 0], [0]]), 2)
    assert postings.length.tolist() == [0, 0]
    postings.advance(2)
    assert postings.length.tolist() == [2, 1]


def test_bytes_are_those_of_what_is_known():
    postings = Postings(Lists.of([[0], [1, 0], [0]]), 2)
    before = postings.byte_count()
    postings.advance(2)
    assert postings.byte_count() == before + 3 * 4
