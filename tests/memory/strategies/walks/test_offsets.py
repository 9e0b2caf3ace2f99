"""Learned offsets."""

import math

import numpy as np
import pytest

from hebb_lab.memory.changes import Change, Rewritten, Texts
from hebb_lab.memory.strategies.walks.offsets import found_by_offsets, learn, offsets_of
from hebb_lab.memory.values import EdgeKind
from tests.memory.strategies.small import (
    BARE,
    NOW_US,
    Link,
    Small,
    edges_of,
    store,
    unit,
    view_of,
)  # fmt: skip

OFFSET = BARE.change(causal="offset", causal_direction="forward")


def vectors(*angles, **more):
    return [Small([math.cos(angle), math.sin(angle)], **more) for angle in angles]


def pointed(made, rules=OFFSET, seed=0, k=5, at_us=NOW_US):
    got = found_by_offsets(view_of(*made, rules, at_us=at_us), np.array([seed]), k)
    return dict(zip(got.row.tolist(), got.value.tolist(), strict=True))


@pytest.mark.parametrize(
    ("cosine", "relevance"), [(0.0, 0.924), (0.3, 0.987), (0.6, 0.996), (0.9, 0.902)]
)
def test_the_first_edge_points_near_its_target(cosine, relevance):
    made = store(vectors(0.0, math.acos(cosine)), [Link(0, 1)])
    assert pointed(made)[1] == pytest.approx(relevance, abs=5e-4)


@pytest.mark.parametrize("rate", [0.01, 0.1, 3.0])
def test_the_first_edge_makes_a_unit_vector_whatever_the_rate(rate):
    made = store(vectors(0.0, 1.0), [Link(0, 1)])
    offset = offsets_of(view_of(*made, OFFSET.change(offset_rate=rate))).table[0, 0]
    way = np.array([math.cos(1) - 1, math.sin(1)])
    assert offset == pytest.approx(way / np.linalg.norm(way), abs=1e-6)


def test_each_edge_moves_the_offset_of_its_kind_in_the_order_of_writing():
    links = [Link(0, 1), Link(2, 0), Link(1, 2), Link(0, 2, EdgeKind.FOLLOWED_BY)]
    memories = [Small(unit(*np.random.default_rng(row).standard_normal(3))) for row in range(3)]
    table = offsets_of(view_of(*store(memories, links), OFFSET)).table[0]
    plain = np.zeros(3)
    for link in links[:3]:
        plain = plain + 0.1 * (
            np.float32(memories[link.target].vector).astype(float)
            - np.float32(memories[link.source].vector)
        )
        plain /= np.linalg.norm(plain)
    assert table[EdgeKind.CAUSED_BY - 1] == pytest.approx(plain)
    assert table.any(axis=1).tolist() == [True, False, True, False, False]


@pytest.mark.parametrize("kind", EdgeKind)
def test_causes_relations_and_sequences_teach_but_revisions_and_insights_do_not(kind):
    made = store(vectors(0.0, 1.0), [Link(0, 1, kind)])
    teaches = kind in (EdgeKind.CAUSED_BY, EdgeKind.RELATED_TO, EdgeKind.FOLLOWED_BY)
    assert offsets_of(view_of(*made, OFFSET)).table.any() == teaches
    assert bool(pointed(made)) == teaches


def test_offsets_as_of_many_times_are_not_all_kept():
    links = [Link(0, 1, time_us=10 * place) for place in range(1, 3)]
    made = store(vectors(0.0, 1.0), links)
    for at_us in range(NOW_US - 100, NOW_US):
        offsets_of(view_of(*made, OFFSET, at_us=at_us))
    assert sum(map(len, made[0].edges.derived.values())) <= 8


def test_an_entity_has_offsets_of_its_own_by_rule():
    memories = vectors(0.0, 1.0, entity="a") + vectors(0.0, 2.0, entity="b") + vectors(0.5)
    made = store(memories, [Link(0, 1), Link(2, 3), Link(4, 1)])
    own = OFFSET.change(offset_scope="entity")
    apart = offsets_of(view_of(*made, own))
    assert {-1, 0, 1} == set(apart.groups)
    alone = store(memories, [Link(2, 3)])
    assert apart.table[apart.groups[1]] == pytest.approx(offsets_of(view_of(*alone)).table[0])
    assert pointed(made, own, seed=2) == pytest.approx(pointed(alone, OFFSET, seed=2))
    assert pointed(alone, own, seed=0) == {}


def test_a_kind_that_was_not_taught_finds_nothing_or_what_is_similar():
    made = store(vectors(0.0, 0.5, 1.0))
    assert pointed(made) == {}
    similar = pointed(made, OFFSET.change(offset_untaught="similar"))
    assert similar == pytest.approx({1: math.cos(0.5), 2: math.cos(1.0)})


def test_the_first_kind_that_finds_a_memory_counts_or_the_best():
    links = [Link(0, 1), Link(0, 2, EdgeKind.RELATED_TO)]
    made = store(vectors(0.0, -1.0, 1.0), links)
    best = pointed(made)
    first = pointed(made, OFFSET.change(offset_order="first"))
    assert best[1] == pytest.approx(first[1])
    assert best[2] > first[2]


def test_the_seed_itself_takes_no_place():
    made = store(vectors(0.0, 0.1, 0.2, 0.3), [Link(0, 3)])
    assert len(pointed(made, OFFSET.change(causal_direction="both"), k=1)) >= 1
    assert 0 not in pointed(made)


def test_edges_teach_when_they_are_written_and_offsets_follow_them():
    made = store(vectors(0.0, 1.0, 2.0), [Link(0, 1)])
    before = offsets_of(view_of(*made)).table.copy()
    assert offsets_of(view_of(*made)) is offsets_of(view_of(*made))
    ids = made[0].ids_of(np.arange(3))
    made[0].apply(Change(NOW_US, edges=edges_of(ids, [Link(0, 2)])))
    assert not np.array_equal(offsets_of(view_of(*made)).table, before)
    made[0].apply(Change(NOW_US, forgotten=ids[2:3]))
    assert not made[0].edges.derived
    assert np.array_equal(offsets_of(view_of(*made)).table, before)


def test_no_offset_is_kept_of_a_vector_that_was_rewritten():
    made = store(vectors(0.0, 1.0), [Link(0, 1)])
    before = offsets_of(view_of(*made)).table.copy()
    new = Texts(["x"], ["{}"], [None], np.float32([[0, 1]]))
    made[0].apply(Change(NOW_US, rewritten=Rewritten(made[0].ids_of(np.array([1])), new)))
    assert not made[0].edges.derived
    assert not np.array_equal(offsets_of(view_of(*made)).table, before)


def test_what_is_not_there_yet_or_has_no_vector_teaches_nothing():
    memories = [*vectors(0.0, 1.0), Small([0.0, 0.0]), *vectors(2.0, created_us=NOW_US + 1)]
    made = store(memories, [Link(0, 1, time_us=NOW_US + 1), Link(0, 2), Link(0, 3)])
    assert not offsets_of(view_of(*made)).table.any()
    assert not offsets_of(view_of(*made, at_us=NOW_US - 1)).table.any()
    assert offsets_of(view_of(*made, at_us=NOW_US + 1)).table.any()


def test_many_edges_are_learned_in_pieces_as_at_once():
    rng = np.random.default_rng(0)
    memories = [Small(unit(*rng.standard_normal(3))) for _ in range(50)]
    state = store(memories)[0]
    source, target = rng.integers(0, 50, (2, 9000))
    which = rng.integers(0, 2, 9000)
    table = np.zeros((2, 3))
    learn(table, which, source, target, state, 0.1)
    plain, vectors_ = np.zeros((2, 3)), state.vectors.take(np.arange(50)).astype(float)
    for at, one, other in zip(which, source, target, strict=True):
        moved = plain[at] + 0.1 * (vectors_[other] - vectors_[one])
        if moved.any():
            plain[at] = moved / np.linalg.norm(moved)
    assert table == pytest.approx(plain, abs=1e-9)
