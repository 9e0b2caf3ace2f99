"""Values as they come in and go out."""

import numpy as np

from hebb_lab.memory.ids import Ids
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.values import Cues, Draft, EdgeKind, Hit, Link, Recalled


def test_a_seed_alone_is_a_question():
    with MemoryStore.in_memory(2, rng=np.random.default_rng(0)) as store:
        east = np.float32([1, 0])
        cause, effect = store.remember(
            [
                Draft("rain", vector=east),
                Draft("wet", vector=east, links=[Link(EdgeKind.CAUSED_BY, 0)]),
            ],
            5,
        )
        found = store.recall(Cues(seeds=[effect]), 6, strategies=("causal",))
        assert [hit.id for hit in found.hits()] == [cause]


def test_an_entity_is_one_for_all_or_one_for_each():
    assert Cues(("a", "b"), entities="x").entity(1) == "x"
    assert Cues(("a", "b"), entities=["x", None]).entity(1) is None
    assert Cues(("a",)).entity(0) is None


def test_hits_name_the_strategies_that_found_them_and_end_where_there_are_no_more():
    one = np.array([[[1, 2], [0, 0]]], np.uint64).reshape(-1, 2)
    found = Recalled(
        np.array([[0, -1]]), Ids(one), np.array([[0.5, -np.inf]], np.float32),
        np.array([[0.25, 0.0]], np.float32), np.array([[5, 0]], np.int16),
        ("similarity", "temporal", "causal"), {}, (),
    )  # fmt: skip
    assert found.hits() == [Hit(Ids(one)[0], 0.5, 0.25, ("similarity", "causal"))]
    assert repr(found) == "Recalled(1 questions, 1 hits, 0 failures: none)"


def test_an_answer_prints_what_failed_and_not_only_that_it_is_empty():
    with MemoryStore.in_memory(2) as store:
        found = store.recall(["a", "b", "c", "d"], 5)
    assert found.hits() == []
    assert "4 failures: question 0, similarity: the cue has no vector" in str(found)
    assert str(found).endswith("; …)")
