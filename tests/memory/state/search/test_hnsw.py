import sys

import numpy as np
import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.memory.changes import Change, Rewritten
from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.state import State, nearest
from hebb_lab.memory.state.search.hnsw import LOT, Settings
from tests.memory.made import made_added

EXACT = MemoryRules()
HNSW = MemoryRules(index="hnsw")
SETTINGS = Settings(16, 200)
D = 24

faiss = pytest.importorskip("faiss")


def clustered(count, *, seed=0, spread=0.7):
    """Unit vectors around fifty centres, as embeddings of texts lie."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(77).standard_normal((50, D))
    made = centres[rng.integers(0, 50, count)] + spread * rng.standard_normal((count, D))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def grown(count, *, lots=1, vectors=None):
    """A state that ``count`` memories came to in so many changes."""
    added = made_added(count, dimensions=D, entities=["one"] * count)
    vectors = clustered(count) if vectors is None else vectors
    state = State(D)
    for part in np.array_split(np.arange(count), lots):
        first, stop = int(part[0]), int(part[-1]) + 1
        texts = added.texts._replace(
            **{name: getattr(added.texts, name)[first:stop]
               for name in ("contents", "contexts", "entities")},
            vectors=vectors[first:stop],
        )  # fmt: skip
        scalars = {name: column[first:stop] for name, column in added.scalars.items()}
        state.apply(Change(1, added=added._replace(
            ids=added.ids[first:stop], texts=texts, scalars=scalars)))  # fmt: skip
        nearest(state, vectors[:1], 1, None, HNSW)
    return state, added.ids


def share_found(state, queries, rows=None, k=10):
    found = nearest(state, queries, k, rows, HNSW)[0]
    right = nearest(state, queries, k, rows, EXACT)[0]
    return np.mean([len({*a} & {*b}) / k for a, b in zip(found, right, strict=True)])


def links(state):
    return faiss.vector_to_array(state.graphs[SETTINGS]._index.hnsw.neighbors)


def test_the_graph_finds_nearly_all_and_says_their_exact_cosines():
    state, _ = grown(5 * LOT + 100)
    queries = clustered(200, seed=1)
    assert share_found(state, queries) >= 0.98
    found, cosines = nearest(state, queries, 10, None, HNSW)
    for q in range(0, 200, 20):
        exact = (state.vectors.take(found[q]).astype(float) * queries[q].astype(float)).sum(axis=1)
        assert cosines[q].tolist() == exact.astype(np.float32).tolist()
        assert (np.diff(cosines[q]) <= 0).all()


def test_the_graph_is_the_same_however_memories_came():
    at_once, _ = grown(3 * LOT + 5)
    bit_by_bit, _ = grown(3 * LOT + 5, lots=7)
    assert (links(at_once) == links(bit_by_bit)).all()
    queries = clustered(50, seed=1)
    for first, second in zip(
        nearest(at_once, queries, 10, None, HNSW), nearest(bit_by_bit, queries, 10, None, HNSW),
        strict=True,
    ):  # fmt: skip
        assert (first == second).all()


def test_memories_whose_lot_is_not_full_are_found():
    state, _ = grown(LOT + 9)
    newest = state.vectors.take(np.arange(LOT, LOT + 9))
    assert len(state.graphs[SETTINGS].rows) == LOT
    assert nearest(state, newest, 1, None, HNSW)[0].ravel().tolist() == list(range(LOT, LOT + 9))


def test_a_forgotten_vector_is_overwritten_in_the_graph_at_once_and_never_found():
    state, ids = grown(4 * LOT)
    gone = np.arange(0, 4 * LOT, 15)
    lost = state.vectors.take(gone)
    state.apply(Change(2, forgotten=type(ids)(ids.array[gone])))
    held = state.graphs[SETTINGS].vectors()
    assert not held[gone].any()
    assert held[np.setdiff1d(np.arange(4 * LOT), gone)].any(axis=1).all()
    found = nearest(state, lost, 10, None, HNSW)[0]
    assert (found >= 0).all()
    assert not np.isin(found, gone).any()
    assert share_found(state, clustered(200, seed=1)) >= 0.97


def test_the_graph_is_built_anew_when_a_tenth_is_gone():
    state, ids = grown(4 * LOT)
    state.apply(Change(2, forgotten=ids[: LOT // 2]))
    nearest(state, clustered(1), 1, None, HNSW)
    assert len(state.graphs[SETTINGS].rows) == 3 * LOT
    assert share_found(state, clustered(200, seed=1)) >= 0.98


def test_among_some_rows_nothing_else_is_found_and_as_many_as_there_are():
    state, _ = grown(4 * LOT + 50)
    queries = clustered(100, seed=1)
    few, half = np.arange(3, 60, 3), np.arange(1, 4 * LOT + 50, 2)
    assert share_found(state, queries, few) == 1.0
    assert share_found(state, queries, half) >= 0.97
    assert np.isin(nearest(state, queries, 10, half, HNSW)[0], half).all()
    third = np.flatnonzero(state.vectors.take(np.arange(4 * LOT))[:, 0] > 0.1)
    found = nearest(state, -queries, 10, third, HNSW)[0]
    assert np.isin(found, third).all()


def test_more_than_there_are_is_filled_up_with_nothing():
    state, _ = grown(LOT + 3)
    found, cosines = nearest(state, clustered(2, seed=1), LOT + 5, None, HNSW)
    assert ((found >= 0).sum(axis=1) == LOT + 3).all()
    assert (cosines[:, LOT + 3 :] == -np.inf).all()


def test_a_rewritten_memory_is_found_by_its_new_vector_and_not_by_its_old_one():
    state, ids = grown(2 * LOT)
    old, new = state.vectors.take(np.array([5])), -clustered(1, seed=8)
    texts = made_added(1, dimensions=D).texts._replace(vectors=new)
    state.apply(Change(2, rewritten=Rewritten(ids[5:6], texts)))
    assert nearest(state, new, 1, None, HNSW)[0].tolist() == [[5]]
    assert nearest(state, old, 1, None, HNSW)[0].tolist() != [[5]]
    assert not state.graphs[SETTINGS].vectors()[5].any()


def test_without_faiss_the_error_names_the_extra_and_exact_search_works(monkeypatch):
    state = State(D)
    state.apply(Change(1, added=made_added(10, dimensions=D)))
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtraError, match=r"hebb_lab\[cpu\]"):
        nearest(state, clustered(1), 1, None, HNSW)
    assert nearest(state, clustered(1), 1, None, EXACT)[0].tolist() != [[-1]]
