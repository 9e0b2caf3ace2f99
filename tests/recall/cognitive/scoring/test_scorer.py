"""The scorer of whole arrays against a scorer of one memory, written out."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.recall.cognitive.direct import SEEDERS, Collection, Direct
from hebb_lab.recall.cognitive.scoring import phases
from hebb_lab.recall.cognitive.scoring.profiles import PROFILES, profiles_of
from hebb_lab.recall.cognitive.scoring.scorer import PhaseScorer, as_it_stands
from hebb_lab.recall.embedders import HashingEmbedder
from tests.recall.cognitive.asking import some_memories, some_questions

TABLE = phases.time_decay(0.15, 0.10)


def by_hand(memories, asked, q, m, similarity, profile, slows):
    """(score, passes) of one memory for one query, step by step."""
    p = profile or PROFILES["BALANCED"]
    tags, own = set(asked.filter_tags.row(q).tolist()), set(memories.tags.row(m).tolist())
    overlap = len(tags & own) / len(tags) if tags else 0.0
    focus = p.hyperfocus_boost > 0 and overlap == 1.0
    importance = memories.importance[m] if np.isfinite(memories.importance[m]) else 1.0
    age = asked.time_us[q] - memories.time_us[m]
    bucket = sum(age >= edge * phases.HOUR_US for edge in phases.BUCKET_EDGES_HOURS)
    bucket >>= min(memories.recalls[m], 5)
    if focus or (not memories.resolved[m] and not memories.pinned[m]):
        bucket = 0
    enough = overlap == 1.0 if p.hyperfocus_boost > 0 else overlap > 0
    passes = (
        (not tags or enough)
        and p.valence_from <= memories.valence[m] <= p.valence_to
        and importance >= p.min_importance
        and not (bucket >= 11 and importance < 1 and not memories.pinned[m])
    )
    decay = TABLE[bucket]
    if slows:
        arousal = memories.arousal[m]
        arousal = min(255, 2 * abs(int(memories.valence[m]))) if arousal < 0 else arousal
        decay = min(1.0, decay * (1, 1.15, 1.35, 1.65)[arousal // 64])
    sim = 1 / (1 + (1 / similarity - 1) * p.strictness)
    score = sim * (1 + p.beta * importance / 10 * decay) * (1 + 0.3 * overlap)
    return score * (p.hyperfocus_boost if focus else 1.0), passes


@pytest.mark.parametrize("slows", [True, False])
def test_every_score_is_that_of_the_steps_one_by_one(slows):
    rng = np.random.default_rng(0)
    memories = some_memories(rng)
    asked = some_questions(rng, memories, known=60)
    profiles, unknown = profiles_of("own", asked.profile, len(asked))
    assert unknown > 0
    collection = Collection(memories.texts, memories.names, HashingEmbedder())
    direct = SEEDERS["dense"](collection, asked.texts, 60)
    scored = PhaseScorer(memories, slows).score(direct, asked, slice(0, len(asked)), profiles)
    dropped = 0
    for q in range(len(asked)):
        if profiles[q] is PROFILES["DIVERGENT"]:
            continue
        for m in range(60):
            likeness = float(direct.similarity[q, m])
            score, passes = by_hand(memories, asked, q, m, likeness, profiles[q], slows)
            assert scored.allowed[q, m] == passes
            assert scored.scores[q, m] == (pytest.approx(score, rel=1e-5) if passes else -np.inf)
            dropped += not passes
    assert dropped > 0


def test_rows_are_scored_as_they_are_all_together():
    rng = np.random.default_rng(1)
    memories = some_memories(rng)
    asked = some_questions(rng, memories, known=60)
    profiles, _ = profiles_of("own", asked.profile, len(asked))
    collection = Collection(memories.texts, memories.names)
    scorer = PhaseScorer(memories)
    whole = SEEDERS["bm25"](collection, asked.texts, 60)
    together = scorer.score(whole, asked, slice(0, len(asked)), profiles)
    part = Direct(*(values[5:9] for values in whole))
    alone = scorer.score(part, asked, slice(5, 9), profiles)
    for a, b in zip(together, alone, strict=True):
        assert np.array_equal(a[5:9], b)


def test_what_direct_search_does_not_find_phases_do_not_list():
    rng = np.random.default_rng(2)
    memories = some_memories(rng)
    asked = some_questions(rng, memories, known=60)
    direct = SEEDERS["bm25"](Collection(memories.texts, memories.names), asked.texts, 60)
    scored = PhaseScorer(memories).score(direct, asked, slice(0, 20), [None] * 20)
    assert np.isneginf(scored.scores[np.isneginf(direct.scores)]).all()
    assert scored.allowed[np.isneginf(direct.scores)].any()  # a layer may still offer them


def test_valence_asked_for_is_a_filter():
    rng = np.random.default_rng(3)
    memories = some_memories(rng)
    asked = some_questions(rng, memories, count=2, known=60)
    wished = np.array([[-20, 30], [-np.inf, np.inf]], np.float32)
    asked = replace(asked, valence=wished, filter_tags=None)
    collection = Collection(memories.texts, memories.names, HashingEmbedder())
    direct = SEEDERS["dense"](collection, asked.texts, 60)
    allowed = PhaseScorer(memories).score(direct, asked, slice(0, 2), [None] * 2).allowed
    inside = (memories.valence >= -20) & (memories.valence <= 30)
    assert np.array_equal(allowed[0], allowed[1] & inside)


def test_a_wandering_profile_lifts_three_far_memories_at_most():
    rng = np.random.default_rng(4)
    memories = some_memories(rng)
    asked = some_questions(rng, memories, known=60)
    collection = Collection(memories.texts, memories.names, HashingEmbedder())
    direct = SEEDERS["dense"](collection, asked.texts, 60)
    rows = slice(0, len(asked))
    scorer = PhaseScorer(memories)
    wandering = scorer.score(direct, asked, rows, [PROFILES["DIVERGENT"]] * 20).scores
    beta_alone = scorer.score(direct, asked, rows, [PROFILES["EXPLORING"]] * 20).scores
    lifted = (wandering > beta_alone).sum(axis=1)
    tagged = np.diff(asked.filter_tags.ptr) > 0
    assert lifted.max() in (1, 2, 3)
    assert (lifted[~tagged] == 0).all()


def test_as_it_stands_filters_nothing():
    scores = np.array([[1.0, -0.5, -np.inf]], np.float32)
    scored = as_it_stands(Direct(scores, scores, np.ones(1, np.float32)))
    assert scored.similarity.tolist() == [[1.0, 0.0, 0.0]]
    assert scored.allowed.all()
