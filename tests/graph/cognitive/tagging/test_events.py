import numpy as np

from hebb_lab.graph.cognitive.tagging import events
from hebb_lab.graph.cognitive.tagging.events import (
    followed_in_recall,
    followed_in_writing,
    previous_in_session,
    together_in_recall,
)
from hebb_lab.records import Lists
from tests.graph.cognitive.tag_worlds import memories, random_memories


def written(world, first=0, stop=None):
    parts = followed_in_writing(
        world.tags, world.time_us, previous_in_session(world), first,
        len(world) if stop is None else stop,
    )  # fmt: skip
    return [row for part in parts for row in zip(*(each.tolist() for each in part), strict=True)]


def recalled(rows, tags, time_us=None):
    found = followed_in_recall(Lists.of(tags), np.array(rows), time_us)
    return list(zip(*(each.tolist() for each in found), strict=True))


def test_the_memory_before_is_the_one_of_the_same_session():
    world = memories([[]] * 5, session=[0, 1, 0, 1, 0])
    assert previous_in_session(world).tolist() == [-1, -1, 0, 1, 2]


def test_every_tag_follows_every_tag_of_the_memory_before_with_the_real_gap():
    world = memories([["b", "a"], ["c", "a"]], seconds=[10, 12.5])
    assert written(world) == [
        (1, 2, 2500.0, 12_500), (1, 0, 2500.0, 12_500), (0, 2, 2500.0, 12_500),
    ]  # fmt: skip


def test_tags_of_one_memory_of_another_session_or_two_before_do_not_follow():
    assert written(memories([["a", "b"]])) == []
    assert written(memories([["a"], ["b"]], session=[0, 1])) == []
    assert written(memories([["a"], [], ["b"]])) == []


def test_parts_together_are_the_whole(monkeypatch):
    world = random_memories(np.random.default_rng(0), count=60)
    whole = written(world)
    assert written(world, 0, 23) + written(world, 23) == whole
    monkeypatch.setattr(events, "AT_A_TIME", 3)
    assert written(world) == whole


def test_tags_of_a_recall_follow_each_other_with_the_rank_as_seconds():
    assert recalled([[1, 0, 2]], [[0], [3, 1], [1, 4]], np.array([7_000_000])) == [
        (3, 1, 0.0, 7000), (1, 0, 1000.0, 8000), (0, 4, 1000.0, 9000),
    ]  # fmt: skip


def test_only_five_results_and_eight_tags_of_a_recall_teach():
    alone = [[i] for i in range(7)]
    assert recalled([[0, 1, 2, 3, 4, 5, 6]], alone)[-1][:2] == (3, 4)
    many = [list(range(6)), list(range(6, 12))]
    assert recalled([[0, 1]], many)[-1][:2] == (6, 7)


def test_the_end_of_a_short_recall_teaches_nothing():
    assert recalled([[0, -1, -1], [-1, -1, -1]], [[0, 1]]) == [(0, 1, 0.0, 0)]


def test_ten_distinct_tags_of_all_results_are_together():
    tags = Lists.of([[0, 1], [1, 2], list(range(3, 14))])
    found = together_in_recall(tags, np.array([[1, 0, -1], [0, 1, 2]]))
    assert found.row(0).tolist() == [1, 2, 0]
    assert found.row(1).tolist() == list(range(10))
