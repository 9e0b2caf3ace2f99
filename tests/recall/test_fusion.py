import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation import assert_ranked
from hebb_lab.evaluation.judge import rank_by_score
from hebb_lab.recall.fusion import energy_sum, k_effective, reciprocal_rank_fusion, weighted_sum
from hebb_lab.recall.known import empty_ranking, fill_best
from hebb_lab.records import Ranking


def ranked(*rows, k=5) -> Ranking:
    """A ranking from one {node: score} a query."""
    ranking = empty_ranking(len(rows), k)
    for q, row in enumerate(rows):
        fill_best(ranking, q, np.array([*row], np.int64), np.array([*row.values()], np.float32))
    return ranking


lists = st.dictionaries(st.integers(0, 9), st.sampled_from([-2.0, 0.0, 0.5, 1.0, 7.0]), max_size=7)
several = st.lists(st.tuples(lists, lists), min_size=1, max_size=4).map(
    lambda parts: [ranked(*part, k=7) for part in parts]
)


@given(several, st.integers(1, 12))
def test_rank_fusion_is_the_sum_of_reciprocal_ranks(rankings, k):
    fused = reciprocal_rank_fusion(rankings, k)
    assert_ranked(fused)
    for q in range(2):
        score = {}
        for ranking in rankings:
            for rank, node in enumerate(ranking.ids[q].tolist(), start=1):
                if node >= 0:
                    score[node] = score.get(node, 0.0) + 1 / (60 + rank)
        expected = rank_by_score([*score], [*score.values()])[:k]
        assert fused.ids[q][fused.ids[q] >= 0].tolist() == expected.tolist()
        assert fused.scores[q, : len(expected)] == pytest.approx([score[n] for n in expected])


@given(several, st.sampled_from(["min_max", "z"]))
def test_a_weighted_sum_is_the_sum_of_scaled_scores(rankings, scale):
    weights = [1.0, 0.5, 2.0, 0.25][: len(rankings)]
    fused = weighted_sum(rankings, 10, weights, scale)
    assert_ranked(fused)
    for q in range(2):
        score = {}
        for ranking, weight in zip(rankings, weights, strict=True):
            held = ranking.ids[q] >= 0
            values = ranking.scores[q][held].astype(float)
            for node, value in zip(ranking.ids[q][held].tolist(), values, strict=True):
                width = np.ptp(values) if scale == "min_max" else values.std()
                part = 1.0 if width == 0 else (value - values.min()) / width
                score[node] = score.get(node, 0.0) + weight * part
        found = dict(zip(fused.ids[q].tolist(), fused.scores[q].tolist(), strict=True))
        found.pop(-1, None)
        assert found == pytest.approx(score, rel=1e-6)


@given(several, st.sampled_from([0.5, 8.0]), st.sampled_from(["min_max", "z"]))
def test_the_unit_of_a_score_does_not_count(rankings, unit, scale):
    scores = np.where(rankings[0].ids >= 0, rankings[0].scores * unit, -np.inf)
    stretched = [Ranking(rankings[0].ids, scores.astype(np.float32)), *rankings[1:]]
    same = weighted_sum(stretched, 6, normalise=scale)
    assert same.sha256() == weighted_sum(rankings, 6, normalise=scale).sha256()


def test_one_ranking_fused_with_nothing_keeps_its_order():
    alone = ranked({4: 0.9, 1: 0.2, 7: -3.0}, {})
    for fused in (reciprocal_rank_fusion([alone], 5), weighted_sum([alone], 5)):
        assert fused.ids.tolist() == alone.ids.tolist()


@given(several, st.integers(1, 12))
def test_energies_of_several_layers_are_summed_as_they_stand(rankings, k):
    summed = energy_sum(rankings, k)
    assert_ranked(summed)
    for q in range(2):
        score = {}
        for ranking in rankings:
            for node, energy in zip(ranking.ids[q].tolist(), ranking.scores[q], strict=True):
                if node >= 0:
                    score[node] = score.get(node, 0.0) + float(energy)
        expected = rank_by_score([*score], [*score.values()])[:k]
        assert summed.ids[q][summed.ids[q] >= 0].tolist() == expected.tolist()
        assert summed.scores[q, : len(expected)] == pytest.approx([score[n] for n in expected])


def test_the_energies_of_one_layer_stay_byte_for_byte():
    alone = ranked({4: 0.9, 1: 0.2, 7: -3.0}, {})
    assert energy_sum([alone], 5).sha256() == alone.sha256()
    assert energy_sum([alone], 1).ids.tolist() == [[4], [-1]]


def test_equal_fused_scores_are_broken_by_id():
    first, second = ranked({3: 2.0, 8: 1.0}), ranked({8: 2.0, 3: 1.0})
    assert reciprocal_rank_fusion([first, second], 2).ids.tolist() == [[8, 3]]


def test_a_larger_weight_lets_its_ranking_win():
    first, second = ranked({3: 2.0, 8: 1.0}), ranked({8: 2.0, 3: 1.0})
    assert reciprocal_rank_fusion([first, second], 2, weights=[3, 1]).ids.tolist() == [[3, 8]]
    assert weighted_sum([first, second], 2, weights=[1, 3]).ids.tolist() == [[8, 3]]


def test_k_effective_counts_the_answers():
    assert k_effective(ranked({1: 1.0}, {}, {2: 1.0, 3: 1.0})).tolist() == [1, 0, 2]


def test_what_cannot_be_fused_is_refused():
    one = ranked({1: 1.0})
    for weights in ([1.0, 1.0], [-1.0], [np.inf], [np.nan]):
        with pytest.raises(ConfigError, match="weights"):
            reciprocal_rank_fusion([one], 3, weights=weights)
    with pytest.raises(ConfigError, match="no ranking"):
        weighted_sum([], 3)
    with pytest.raises(ConfigError, match="rrf_k"):
        reciprocal_rank_fusion([one], 3, constant=-1)
    with pytest.raises(ConfigError, match="scale 'softmax'"):
        weighted_sum([one], 3, normalise="softmax")
    with pytest.raises(ValueError, match="not the same"):
        reciprocal_rank_fusion([one, ranked({}, {})], 3)
    with pytest.raises(ValueError, match="not finite"):
        weighted_sum([ranked({1: np.inf})], 3)
