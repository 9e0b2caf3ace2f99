import numpy as np
import pytest

from hebb_lab.graph.cognitive.layer import Expansion, empty_expansion
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.kernels.cpu.cognitive.lists import Lists, best_lists
from hebb_lab.recall.cognitive.merge import adds_similarity, fused, fuses_later, merge, offers_of
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.cognitive.scoring.scorer import Scored
from hebb_lab.recall.cognitive.searching import Found

RANK = np.array([1, 0, 2, 3], np.int32)
SCORES = np.array([[4.0, 2.0, -np.inf, 1.0]], np.float32)
FOUND = Found(
    Scored(SCORES, np.maximum(SCORES, 0), np.ones(1, np.float32), np.ones((1, 4), np.bool_)),
    best_lists(SCORES, RANK, 2),
)
OPEN = np.ones(1, np.bool_)


def offered(memory, energy):
    n = len(memory)
    return Expansion(
        np.array([0, n]), np.array(memory, np.int32), np.array(energy, np.float32),
        np.ones(n, np.float32), np.zeros(n, np.int32), np.ones(n, np.int8),
    )  # fmt: skip


def answer(plan, *expansions, words=None, depth=4):
    return merge(plan, FOUND, expansions, OPEN, words, RANK, depth)


def scores_of(merged):
    memory, score = merged.lists
    return {int(m): float(s) for m, s in zip(memory[0], score[0], strict=True) if m >= 0}


def test_what_is_listed_stays_and_what_is_new_enters_with_its_energy():
    merged = answer(Plan(layers=("chain",)), offered([0, 2, 3], [9.0, 3.0, 0.5]))
    assert scores_of(merged) == {0: 4.0, 2: 3.0, 1: 2.0, 3: 0.5}
    assert (merged.found.tolist(), merged.listed.tolist()) == ([[2]], [[2]])


def test_several_layers_give_the_best_or_the_sum_each_by_its_weight():
    both = [offered([2], [3.0]), offered([2], [2.0])]
    for rules, expected in (
        (DOCUMENTED, 3.0),
        (DOCUMENTED.change(merge="sum"), 5.0),
        (DOCUMENTED.change(merge="sum", merge_entities=0.5), 4.0),
        (DOCUMENTED.change(merge_chain=0.0), 2.0),
    ):
        merged = answer(Plan(layers=("chain", "entities"), rules=rules), *both)
        assert scores_of(merged)[2] == expected


def test_direct_results_are_raised_where_the_rules_say_so():
    raised = DOCUMENTED.change(existing="raised")
    for rules, expected in ((raised, 9.0), (raised.change(merge="sum"), 13.0), (DOCUMENTED, 4.0)):
        merged = answer(Plan(layers=("chain",), rules=rules), offered([0], [9.0]))
        assert scores_of(merged)[0] == expected
    under_the_list = answer(
        Plan(layers=("chain",), rules=raised.change(merge="sum")), offered([3], [2.5])
    )
    assert scores_of(under_the_list)[3] == 3.5


def test_stdp_raises_what_is_listed_and_adds_nothing_whatever_the_gate():
    merged = merge(
        Plan(layers=("stdp",)), FOUND, [offered([1, 2], [1.5, 9.0])], ~OPEN, None, RANK, 4
    )
    assert scores_of(merged) == {0: 4.0, 1: 3.5}
    assert merged.found.tolist() == [[0]]


def test_under_the_observed_rules_a_neighbour_counts_its_own_similarity():
    rules = OBSERVED.change(text_fusion="before")
    merged = answer(Plan(layers=("chain",), rules=rules), offered([3], [0.5]))
    assert scores_of(merged)[3] == 1.5
    assert [layer for layer in PARTS if adds_similarity(layer, OBSERVED)] == [
        "hebbian", "chain", "entities", "hyperedges",
    ]  # fmt: skip
    assert not any(adds_similarity(layer, DOCUMENTED) for layer in PARTS)


@pytest.mark.parametrize("layer", ["entities", "hyperedges"])
def test_what_an_entity_leads_to_may_count_its_own_similarity_too(layer):
    for score, expected in (("seed_share", 0.5), ("similarity_plus", 1.5)):
        rules = DOCUMENTED.change(entity_score=score)
        merged = answer(Plan(layers=(layer,), rules=rules), offered([3], [0.5]))
        assert scores_of(merged)[3] == expected


def test_bm25_joins_after_expansion_by_rank():
    words = Lists(np.array([[3, 0, -1, -1]], np.int32), np.array([[2, 1, 0, 0]], np.float32))
    merged = answer(Plan("hybrid"), words=words, depth=3)
    expected = {0: 1 / 61 + 1 / 62, 3: 1 / 61, 1: 1 / 62}
    assert scores_of(merged) == pytest.approx(expected)
    later = OBSERVED
    assert fuses_later(Plan("hybrid", rules=later))
    assert not fuses_later(Plan("bm25", rules=later))
    assert not fuses_later(Plan("hybrid"))


def test_fusion_brings_in_what_stands_below_the_cut_down_to_twice_its_depth():
    """Expansion finds 3 third best; of lists of two, BM25 lifts it over what stood before it."""
    plan, offer = Plan("hybrid", ("chain",)), offered([3], [1.5])
    merged = answer(plan, offer, words=words_of(3), depth=2)
    assert scores_of(merged) == pytest.approx({3: 1 / 61 + 1 / 63, 0: 1 / 61})
    assert merged.listed.tolist() == [[1]]
    first = FOUND._replace(lists=best_lists(SCORES, RANK, 1))
    deep = merge(plan, first, [offered([1, 3], [0.0, 1.5])], OPEN, words_of(3), RANK, 1)
    assert scores_of(deep) == pytest.approx({3: 1 / 61 + 1 / 62})
    third = merge(plan, first, [offered([2, 3], [3.0, 1.5])], OPEN, words_of(3), RANK, 1)
    assert scores_of(third) == pytest.approx({3: 1 / 61})  # third of its list: not fused


def words_of(*memories):
    return Lists(np.array([memories], np.int32), np.ones((1, len(memories)), np.float32))


def test_ties_of_fused_ranks_are_settled_by_name():
    one = Lists(np.array([[0]], np.int32), np.array([[1]], np.float32))
    other = Lists(np.array([[1]], np.int32), np.array([[1]], np.float32))
    assert fused(one, other, RANK, 2).memory.tolist() == [[0, 1]]
    assert fused(one, other, RANK[::-1].copy(), 2).memory.tolist() == [[0, 1]]
    assert fused(one, other, np.array([0, 1, 2, 3], np.int32), 2).memory.tolist() == [[1, 0]]


def test_nothing_offered_is_nothing_to_merge():
    offers = offers_of((), DOCUMENTED, [], 3)
    assert offers.ptr.shape == (0, 4)
    empty = answer(Plan(layers=("chain",)), empty_expansion(1), depth=2)
    assert empty.lists.memory.tobytes() == FOUND.lists.memory.tobytes()
    assert empty.lists.score.tobytes() == FOUND.lists.score.tobytes()
