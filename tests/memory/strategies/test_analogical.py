"""Recall by analogy."""

import numpy as np
import pytest

from hebb_lab.memory.strategies.analogical import LEAST, analogical
from hebb_lab.memory.values import EdgeKind
from tests.memory.strategies.small import (
    BARE,
    Link,
    Small,
    asked,
    cue,
    found,
    relevances,
    store,
    unit,
    view_of,
)  # fmt: skip

CONTEXT = BARE.change(analogy="context")
KING, QUEEN, MAN, WOMAN, STONE = range(5)
ROYAL = [unit(1, 0, 1, 0), unit(1, 0, 0, 1), unit(0, 1, 1, 0), unit(0, 1, 0, 1), unit(-1, 0, 1, 0)]


def royals(links=(), **more):
    return store([Small(vector, **more) for vector in ROYAL], links)


def pair(made, a, b):
    ids = made[0].ids_of(np.array([a, b]))
    return [(ids[0], ids[1])]


def test_king_is_to_queen_as_man_is_to_woman():
    made = royals()
    got = asked(made, "analogical", cue(*ROYAL[MAN], pairs=pair(made, KING, QUEEN)))
    assert got.hits()[0].id == made[0].ids_of(np.array([WOMAN]))[0]
    way = np.array(unit(0, 0, -1, 1)) + ROYAL[MAN]
    assert relevances(got)[WOMAN] == pytest.approx(np.dot(ROYAL[WOMAN], way / np.linalg.norm(way)))
    assert {KING, QUEEN}.isdisjoint(found(got))


def test_what_stands_to_the_cue_by_the_same_edges_counts_as_structure_1():
    links = [Link(KING, QUEEN), Link(MAN, STONE), Link(WOMAN, MAN)]
    made = royals(links)
    cues = cue(*ROYAL[MAN], pairs=pair(made, KING, QUEEN))
    by_edges, by_vector = (
        relevances(asked(made, "analogical", cues, rules=r)) for r in (BARE, CONTEXT)
    )
    assert by_edges[STONE] == pytest.approx(by_vector[STONE] / 2 + 0.5)
    assert by_edges[WOMAN] == pytest.approx(by_vector[WOMAN] / 2)
    assert found(asked(made, "analogical", cues))[0] == STONE


def test_such_a_memory_is_found_however_far_its_vector_is():
    count = LEAST + 10
    near = [Small(unit(1, step / 1000, 0)) for step in range(count)]
    memories = [*near, Small(unit(0, 0, 1)), Small(unit(0, 1, 1)), Small(unit(-1, 0, 0))]
    made = store(memories, [Link(count, count + 1), Link(0, count + 2)])
    cues = cue(1, 0, 0, pairs=pair(made, count, count + 1))
    got = relevances(asked(made, "analogical", cues, rules=BARE, k=100))
    assert got[count + 2] == pytest.approx(0.5)


def test_a_pair_without_edges_between_is_a_pair_of_vectors():
    made = royals([Link(MAN, STONE)])
    cues = cue(*ROYAL[MAN], pairs=pair(made, KING, QUEEN))
    assert relevances(asked(made, "analogical", cues)) == relevances(
        asked(made, "analogical", cues, rules=CONTEXT)
    )


@pytest.mark.parametrize("other", ["0" * 32, "no id"])
def test_a_pair_that_names_no_memory_is_a_failure(other):
    made = royals()
    [(first, _)] = pair(made, KING, QUEEN)
    got = asked(made, "analogical", cue(*ROYAL[MAN], pairs=[(first, other)]))
    assert (found(got), len(got.failures)) == ([], 1)
    assert other in got.failures[0].problem


def test_without_a_pair_cosine_and_structure_are_blended():
    links = [Link(0, 1), Link(2, 3), Link(2, 1, EdgeKind.FOLLOWED_BY)]
    made = store(
        [Small(unit(1, 0)), Small(unit(0, 1)), Small(unit(1, 1)), Small(unit(-1, 0))], links
    )
    for share in (0.0, 0.3, 1.0):
        got = relevances(
            asked(made, "analogical", cue(1, 0), rules=BARE.change(analogy_blend=share))
        )
        assert got[0] == pytest.approx(1)
        assert got[2] == pytest.approx(share * np.sqrt(0.5) + (1 - share) / 2)
        assert got[3] == pytest.approx(0, abs=1e-7)


def test_contexts_of_the_same_keys_are_alike():
    contexts = ['{"step": 1, "tool": "x"}', '{"step": 9, "tool": "y"}', '{"mood": "z"}']
    made = store([Small(unit(1, 0), context=text) for text in contexts])
    cues = cue(1, 0, contexts=[{"step": 4, "tool": "w"}])
    got = relevances(asked(made, "analogical", cues, rules=CONTEXT))
    assert got == pytest.approx({0: 0.925, 1: 0.925, 2: 0.5 + 0.15 / 2})


@pytest.mark.parametrize(("factor", "k", "compared"), [(3, 1, 30), (3, 11, 33), (4, 11, 44)])
def test_three_times_k_and_at_least_thirty_are_compared(factor, k, compared):
    many = [Small(unit(1, step / 100)) for step in range(60)]
    made = store(
        [*many, Small(unit(0, 1))], [Link(0, 1)] + [Link(row, 60) for row in range(20, 60)]
    )
    rules = BARE.change(analogy_candidates=factor, analogy_blend=0.0)
    view = view_of(*made, rules, cue(1, 0))
    got = analogical(view, view.cues, k)
    assert got.rows[0, 0] == compared - 1


def test_a_and_b_take_no_place_of_what_is_found():
    made = store([Small(unit(1, step / 100)) for step in range(40)])
    cues = cue(1, 0, pairs=pair(made, 1, 2))
    got = asked(made, "analogical", cues, rules=BARE.change(analogy_candidates=1), k=35)
    assert len(found(got)) == 35
