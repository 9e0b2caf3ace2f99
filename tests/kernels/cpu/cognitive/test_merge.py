"""The merge against one that is written out with dictionaries."""

import numpy as np
import pytest

from hebb_lab.kernels.cpu.cognitive.lists import Lists, best_lists, empty_lists
from hebb_lab.kernels.cpu.cognitive.merge import Offers, count_listed, merged_lists

MEMORIES, QUERIES, DEPTH = 40, 70, 8


def some_scores(rng, coarse=False):
    scores = rng.normal(1, 1, (QUERIES, MEMORIES)).astype(np.float32)
    if coarse:
        scores = np.round(scores)
    scores[rng.random(scores.shape) < 0.4] = -np.inf
    return scores


def some_offers(rng, layers=3, most=15, memories=MEMORIES):
    rows = [
        [
            np.sort(rng.choice(memories, rng.integers(0, most + 1), replace=False))
            for _ in range(QUERIES)
        ]
        for _ in range(layers)
    ]
    memory = np.concatenate([row for layer in rows for row in layer]).astype(np.int32)
    ends = np.cumsum([len(row) for layer in rows for row in layer])
    ptr = np.array([
        [0 if (i, q) == (0, 0) else ends[i * QUERIES + q - 1] for q in range(QUERIES + 1)]
        for i in range(layers)
    ], np.int64)  # fmt: skip
    return Offers(
        ptr, memory, rng.choice([0.0, 0.5, 1.0, 2.0, 3.3], len(memory)).astype(np.float32),
        rng.choice([0.0, 0.5, 1.0], layers), rng.random(layers) < 0.4,
        np.arange(layers) == 2 if rng.random() < 0.5 else np.zeros(layers, np.bool_),
    )  # fmt: skip


def by_hand(q, direct, scores, similarity, allowed, offers, expanded, rank, sums, raises):
    """(all candidates with their scores, best first; the candidates that each layer offered)."""
    listed = [m for m in direct.memory[q].tolist() if m >= 0]
    offered, bonus = {}, dict.fromkeys(listed, 0.0)
    new = [set() for _ in offers.weight]
    for layer, weight in enumerate(offers.weight):
        span = slice(offers.ptr[layer, q], offers.ptr[layer, q + 1])
        for m, energy in zip(offers.memory[span], offers.energy[span], strict=True):
            given = float(energy) * weight
            shut = not expanded[q] and not offers.reranks[layer]
            if shut or m >= scores.shape[1] or given <= 0 or not allowed[q, m]:
                continue
            if offers.reranks[layer]:
                if m in bonus:
                    bonus[m] += given
                continue
            if m not in listed:
                new[layer].add(int(m))
            offered.setdefault(int(m), []).append((given, offers.adds_similarity[layer]))
    merged = {}
    for m in {*listed, *offered}:
        own, likeness = float(scores[q, m]), float(similarity[q, m])
        given = offered.get(m, [])
        if m in listed and (not given or not raises):
            value = own
        elif sums and raises:
            value = (own if np.isfinite(own) else 0.0) + sum(energy for energy, _ in given)
        elif sums:
            value = sum(e for e, _ in given) + likeness * any(adds for _, adds in given)
        else:
            value = max(energy + likeness * adds for energy, adds in given)
            value = max(value, own) if raises else value
        merged[m] = np.float32(value + bonus.get(m, 0.0))
    order = sorted(merged, key=lambda m: (-merged[m], -rank[m]))
    return [(m, merged[m]) for m in order], new


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("sums", [False, True])
@pytest.mark.parametrize("raises", [False, True])
def test_lists_are_those_of_the_merge_written_out(seed, sums, raises):
    rng = np.random.default_rng(seed)
    scores, rank = (
        some_scores(rng, coarse=seed % 2 == 0),
        rng.permutation(MEMORIES).astype(np.int32),
    )
    similarity = np.maximum(scores, 0).astype(np.float32)
    allowed = rng.random(scores.shape) < 0.9
    scores[~allowed] = -np.inf
    offers = some_offers(rng, memories=MEMORIES + 5)
    expanded = rng.random(QUERIES) < 0.8
    direct = best_lists(scores, rank, DEPTH)
    final, found = merged_lists(
        direct, scores, similarity, allowed, offers, expanded, rank, sums, raises, DEPTH
    )
    listed = count_listed(direct, final, offers, expanded, MEMORIES)
    for q in range(QUERIES):
        expected, new = by_hand(
            q, direct, scores, similarity, allowed, offers, expanded, rank, sums, raises
        )
        kept = expected[:DEPTH]
        assert [m for m in final.memory[q].tolist() if m >= 0] == [m for m, _ in kept]
        assert final.score[q, : len(kept)] == pytest.approx([s for _, s in kept], rel=1e-6)
        assert np.isneginf(final.score[q, len(kept) :]).all()
        assert found[:, q].tolist() == [len(each) for each in new]
        inside = {m for m, _ in kept}
        assert listed[:, q].tolist() == [len(each & inside) for each in new]


@pytest.mark.parametrize("seed", range(4))
def test_nothing_offered_leaves_the_lists_as_they_are_to_the_byte(seed):
    rng = np.random.default_rng(seed)
    scores, rank = some_scores(rng, coarse=True), rng.permutation(MEMORIES).astype(np.int32)
    similarity, allowed = np.zeros_like(scores), np.ones(scores.shape, np.bool_)
    direct = best_lists(scores, rank, DEPTH)
    empty = some_offers(rng, most=0)
    unopened = some_offers(rng)._replace(reranks=np.zeros(3, np.bool_))
    for offers, open_to in ((empty, True), (unopened, False)):
        for sums in (False, True):
            for raises in (False, True):
                final, found = merged_lists(
                    direct, scores, similarity, allowed, offers, np.full(QUERIES, open_to), rank,
                    sums, raises, DEPTH,
                )  # fmt: skip
                assert final.memory.tobytes() == direct.memory.tobytes()
                assert final.score.tobytes() == direct.score.tobytes()
                assert not found.any()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sums", [False, True])
@pytest.mark.parametrize("raises", [False, True])
def test_expansion_only_adds(seed, sums, raises):
    rng = np.random.default_rng(seed)
    scores, rank = some_scores(rng), rng.permutation(MEMORIES).astype(np.int32)
    allowed, offers = np.ones(scores.shape, np.bool_), some_offers(rng)
    similarity = np.maximum(scores, 0)
    direct = best_lists(scores, rank, DEPTH)
    whole, _ = merged_lists(
        direct, scores, similarity, allowed, offers, np.ones(QUERIES, np.bool_), rank, sums, raises,
        MEMORIES,
    )  # fmt: skip
    for q in range(QUERIES):
        before = {m for m in direct.memory[q].tolist() if m >= 0}
        after = dict(zip(whole.memory[q].tolist(), whole.score[q].tolist(), strict=True))
        assert before <= set(after)
        assert all(after[m] >= scores[q, m] for m in before)


def test_a_list_of_no_depth_and_no_queries():
    offers = some_offers(np.random.default_rng(0), most=0)
    none = np.zeros((QUERIES, 3), np.float32)
    lists = best_lists(none, np.arange(3, dtype=np.int32), 0)
    assert lists.memory.shape == (QUERIES, 0)
    final, _ = merged_lists(
        lists, none, none, none == 0, offers, np.ones(QUERIES, np.bool_),
        np.arange(3, dtype=np.int32), True, True, 0,
    )  # fmt: skip
    assert final.memory.shape == (QUERIES, 0)
    assert empty_lists(0, 4).memory.shape == (0, 4)
    assert isinstance(best_lists(none[:0], np.arange(3, dtype=np.int32), 2), Lists)
