import numpy as np
import pytest

from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.recall.cognitive import session
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.cognitive.session import groups_of, keys_of


def test_groups_are_of_one_age_and_of_few_scores(monkeypatch):
    known = np.array([0, 4, 4, 4, 9])
    spans = [(g.rows.start, g.rows.stop, g.known) for g in groups_of(known)]
    assert spans == [(0, 1, 0), (1, 4, 4), (4, 5, 9)]
    monkeypatch.setattr(session, "GROUP_CELLS", 8)
    spans = [(g.rows.start, g.rows.stop, g.known) for g in groups_of(known)]
    assert spans == [(0, 1, 0), (1, 3, 4), (3, 4, 4), (4, 5, 9)]
    assert groups_of(known[:0]) == []


@pytest.mark.parametrize("layer", ["stdp", "cross_capture"])
def test_layers_that_recall_teaches_are_shared_by_arms_of_one_direct_search_alone(layer):
    taught = CognitiveRules(tag_counts_from="recall")
    of = {
        (seeder, rules): keys_of(Plan(seeder, (layer,), rules)).layers[0].layer
        for seeder in ("bm25", "dense")
        for rules in (taught, CognitiveRules())
    }
    assert of["bm25", taught] != of["dense", taught]
    assert of["bm25", CognitiveRules()] == of["dense", CognitiveRules()]
    chains = [keys_of(Plan(s, ("chain",), taught)).layers[0].layer for s in ("bm25", "dense")]
    assert chains[0] == chains[1]


def test_arms_that_merge_otherwise_share_expansions():
    one, other = (
        keys_of(Plan("bm25", ("chain",), CognitiveRules(merge=merge, merge_chain=weight)))
        for merge, weight in (("max", 1.0), ("sum", 0.2))
    )
    assert one == other
    few = keys_of(Plan("bm25", ("chain",), CognitiveRules(seed_count=3)))
    assert few.layers[0].layer == one.layers[0].layer
    assert few != one
