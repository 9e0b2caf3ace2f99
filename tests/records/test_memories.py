"""Memories in the order of writing, whole and by scope."""

from dataclasses import fields, replace

import numpy as np
import pytest

from hebb_lab.records import Hints, Lists, Memories, Relations


def ids(*values):
    return np.array(values, np.int32)


def memories(**change):
    """Five memories of two conversations: a and c of x, b, d and e of y."""
    made = Memories.plain(
        tuple("abcde"), tuple(f"text {name}" for name in "abcde"),
        np.arange(5, dtype=np.int64), ids(0, 1, 0, 1, 1), ("s", "t"),
    )  # fmt: skip
    whole = {
        "scope": ids(0, 1, 0, 1, 1), "scopes": ("x", "y"),
        "importance": np.array([1, 2, 3, 4, np.nan], np.float32),
        "tags": Lists.of([[0], [1, 0], [], [1], []]), "tag_names": ("red", "green"),
        "mentions": Lists.of([[0, 0], [], [1], [0], []]), "entity_names": ("Ann", "Bob"),
        "entity_types": ("PERSON", "PERSON"),
        "hints": Hints(ids(0, 1, 0), ids(2, 3, 1), np.array([5, 6, 7], np.float32)),
        "chains": Lists.of([[0, 1, 2], [4, 3]]),
        "relations": Relations(ids(0, 1), ids(1, 0), ids(0, 0), ids(2, 3)),
        "relation_kinds": ("KNOWS",),
    }  # fmt: skip
    return replace(made, **(whole | change))


def test_lists_give_rows_and_some_of_them_in_the_order_asked_for():
    lists = Lists.of([[3, 1], [], [2, 2, 0]])
    assert lists.ptr.tolist() == [0, 2, 2, 5]
    assert lists.row(2).tolist() == [2, 2, 0]
    some = lists.some(np.array([2, 1, 0, 2]))
    assert [some.row(i).tolist() for i in range(4)] == [[2, 2, 0], [], [3, 1], [2, 2, 0]]
    assert lists.some(np.zeros(0, np.int64)).ptr.tolist() == [0]
    assert Lists.of([]).ptr.tolist() == [0]


def test_plain_memories_know_text_time_and_session_alone():
    made = Memories.plain(("a", "b"), ("x", "y"), np.array([4, 4]), ids(0, 0), ("s",))
    assert len(made) == 2
    assert (made.scopes, made.scope.tolist()) == (("all",), [0, 0])
    assert np.isnan(made.importance).all()
    assert made.arousal.tolist() == [-1, -1]
    assert made.tags.row(1).tolist() == made.mentions.row(0).tolist() == []
    assert made.chains is None
    assert len(made.hints.first) == len(made.relations.kind) == 0


def test_times_that_go_back_are_no_order_of_writing():
    with pytest.raises(ValueError, match="a time goes back"):
        Memories.plain(("a", "b"), ("x", "y"), np.array([4, 3]), ids(0, 0), ("s",))


def test_one_scope_has_what_lies_within_it_alone_under_new_places():
    own, places = memories().within(1)
    assert (own.names, places.tolist()) == (("b", "d", "e"), [1, 3, 4])
    assert own.texts == ("text b", "text d", "text e")
    assert own.time_us.tolist() == [1, 3, 4]
    assert own.scope.tolist() == [1, 1, 1]
    assert own.importance.tolist()[:2] == [2, 4]
    assert [own.tags.row(i).tolist() for i in range(3)] == [[1, 0], [1], []]
    assert [own.mentions.row(i).tolist() for i in range(3)] == [[], [0], []]
    assert [part.tolist() for part in own.hints] == [[0], [1], [6]]
    assert [own.chains.row(i).tolist() for i in range(2)] == [[0], [2, 1]]
    assert [part.tolist() for part in own.relations] == [[1], [0], [0], [1]]
    assert (own.tag_names, own.entity_names) == (("red", "green"), ("Ann", "Bob"))


def test_a_scope_without_memories_is_empty():
    own, places = memories(scopes=("x", "y", "z")).within(2)
    assert len(own) == len(places) == 0
    assert own.tags.ptr.tolist() == [0]


def test_the_hash_is_that_of_every_part():
    first = memories().sha256()
    assert memories().sha256() == first
    changes = {
        "importance": np.array([1, 2, 3, 4, 5], np.float32),
        "chains": None,
        "hints": Hints(ids(0, 1, 0), ids(2, 3, 1), np.array([5, 6, 8], np.float32)),
        "tags": Lists.of([[0], [1], [0], [1], []]),
    }
    for part in fields(Memories):
        value = getattr(memories(), part.name)
        if part.name in changes:
            value = changes[part.name]
        elif isinstance(value, np.ndarray):
            value = ~value if value.dtype == bool else value + 1
        elif hasattr(value, "_fields"):
            value = type(value)(*(inner + 1 for inner in value))
        else:
            value = ("other", *value[1:])
        assert memories(**{part.name: value}).sha256() != first, part.name
