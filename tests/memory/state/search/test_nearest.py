import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.memory.changes import Change, Rewritten
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.state import State, nearest
from hebb_lab.memory.state.search import exact
from hebb_lab.memory.state.search.products import BFloat16Products
from tests.memory.made import made_added
from tests.memory.state.model import Chance

EXACT = MemoryRules()


def sorted_plainly(state, query, k, rows=None):
    """(row, cosine) of the best k, by float64 products of everything."""
    allowed = state.alive & state.has_vector
    if rows is not None:
        allowed &= np.isin(np.arange(state.count), rows)
    chosen = np.flatnonzero(allowed)
    vectors = state.vectors.take(chosen).astype(np.float64)
    scores = (vectors * query.astype(np.float64)).sum(axis=1).astype(np.float32)
    ids = state.ids_of(chosen).to_bytes()
    order = sorted(range(len(chosen)), key=lambda n: (scores[n], ids[n]), reverse=True)[:k]
    return [(int(chosen[n]), float(scores[n])) for n in order]


def agrees(state, queries, k, rows=None, rules=EXACT):
    found, cosines = nearest(state, queries, k, rows, rules)
    assert found.shape == cosines.shape == (len(queries), k)
    assert (found.dtype, cosines.dtype) == (np.int64, np.float32)
    for q, query in enumerate(queries):
        expected = sorted_plainly(state, query, k, rows)
        there = len(expected)
        got = zip(found[q, :there].tolist(), cosines[q, :there].tolist(), strict=True)
        assert list(got) == expected
        assert (found[q, there:] == -1).all()
        assert (cosines[q, there:] == -np.inf).all()


def unit(rng, *shape):
    made = rng.standard_normal(shape).astype(np.float32)
    return made / np.linalg.norm(made, axis=-1, keepdims=True)


def filled(count, dimensions, *, seed=0, vectors=None):
    state = State(dimensions)
    added = made_added(count, seed=seed, dimensions=dimensions)
    if vectors is not None:
        added = added._replace(texts=added.texts._replace(vectors=vectors))
    state.apply(Change(1, added=added))
    return state, added


@pytest.fixture(params=["processor", "bfloat16", "torch"])
def path(request, monkeypatch):
    """How products are made: in float32, in bfloat16, or as on a device."""
    if request.param == "bfloat16":
        monkeypatch.setattr(exact, "products_for", lambda q, v, _: BFloat16Products(q, v))
    return (lambda state: state.to("cpu")) if request.param == "torch" else lambda state: state


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.integers(1, 40))
def test_after_any_changes_search_is_a_plain_sort_with_many_ties(seed, ascending, k):
    chance = Chance(seed, ascending=ascending)
    state = State(3)
    for _ in range(20):
        change = chance.change()
        chance.model.apply(change)
        state.apply(change)
    queries = np.concatenate([chance.texts(4).vectors, unit(chance.rng, 2, 3)])
    some = np.flatnonzero(chance.rng.random(state.count) < 0.5)
    for on in (None, "cpu"):
        state.to(on)
        agrees(state, queries, k)
        agrees(state, queries, k, some)
        agrees(state, queries, k, some[:2])


def test_near_ties_in_many_dimensions_are_settled_in_float64(path):
    rng = np.random.default_rng(5)
    base = unit(rng, 20, 48)
    vectors = np.repeat(base, 50, axis=0) + 1e-7 * rng.standard_normal((1000, 48))
    state, _ = filled(1000, 48, vectors=vectors.astype(np.float32))
    agrees(path(state), np.concatenate([base, unit(rng, 20, 48)]), 30)


@pytest.mark.parametrize("at_once", [50, 10**6])
def test_more_equal_vectors_than_there_is_room_for_still_end_in_the_highest_ids(
    path, at_once, monkeypatch
):
    monkeypatch.setattr("hebb_lab.memory.state.search.settling._AT_ONCE", at_once)
    vectors = np.tile(unit(np.random.default_rng(1), 8), (6000, 1))
    vectors[:100] = unit(np.random.default_rng(2), 100, 8)
    state, _ = filled(6000, 8, vectors=vectors)
    agrees(path(state), np.stack([vectors[-1], np.zeros(8, np.float32)]), 7)


def test_search_goes_over_all_blocks_and_tiles(path, monkeypatch):
    monkeypatch.setattr("hebb_lab.memory.state.vectors.BLOCK", 100)
    monkeypatch.setattr("hebb_lab.memory.state.search.settling._AT_ONCE", 70)
    monkeypatch.setattr("hebb_lab.memory.state.search.exact._PRODUCTS", 300)
    state, added = filled(730, 16)
    state.apply(Change(2, forgotten=added.ids[95:305]))
    queries = unit(np.random.default_rng(3), 300, 16)
    agrees(path(state), queries[:20], 5)
    agrees(path(state), queries, 1)
    agrees(path(state), queries[:3], 5, np.arange(100, 700, 9))
    agrees(path(state), queries[:3], 5, np.arange(100, 700))


def test_what_is_gone_or_has_no_vector_is_never_found(path):
    state, added = filled(40, 6)
    path(state)
    queries = unit(np.random.default_rng(1), 3, 6)
    state.apply(Change(2, forgotten=added.ids[10:20]))
    found = nearest(state, queries, 40, None, EXACT)[0]
    assert set(found.ravel().tolist()) == {-1} | {
        row for row in range(40) if row % 5 != 4 and not 10 <= row < 20
    }
    found = nearest(state, queries, 3, np.array([4, 12, 13]), EXACT)[0]
    assert (found == -1).all()


def test_a_rewritten_memory_is_found_by_its_new_vector(path):
    state, added = filled(40, 6)
    query = unit(np.random.default_rng(9), 1, 6)
    nearest(path(state), query, 1, None, EXACT)
    texts = added.texts._replace(
        contents=[""], contexts=["{}"], entities=[None], vectors=query.copy()
    )
    state.apply(Change(2, rewritten=Rewritten(added.ids[7:8], texts)))
    agrees(state, query, 5)
    assert nearest(state, query, 1, None, EXACT)[0].tolist() == [[7]]


@pytest.mark.parametrize("rules", [EXACT, EXACT.change(index="hnsw")])
def test_nothing_to_find_is_no_error(rules):
    empty = State(4)
    queries = np.eye(4, dtype=np.float32)
    assert (nearest(empty, queries, 3, None, rules)[0] == -1).all()
    state, _ = filled(3, 4)
    assert nearest(state, queries, 0, None, rules)[0].shape == (4, 0)
    assert nearest(state, queries[:0], 2, None, rules)[0].shape == (0, 2)
    assert (nearest(state, queries, 2, np.zeros(0, np.int64), rules)[0] == -1).all()
    found, cosines = nearest(state, queries, 5, None, rules)
    assert (found[:, :3] >= 0).all()
    assert (found[:, 3:] == -1).all()
    assert (cosines[:, 3:] == -np.inf).all()


def test_ids_that_do_not_ascend_still_settle_ties():
    state = State(2)
    added = made_added(4, dimensions=2)
    ids = Ids(added.ids.array[[2, 0, 3, 1]].copy())
    same = np.tile(np.array([[0.6, 0.8]], np.float32), (4, 1))
    state.apply(Change(1, added=added._replace(ids=ids, texts=added.texts._replace(vectors=same))))
    assert not state.ascending
    found = nearest(state, same[:1], 3, None, EXACT)[0]
    assert found.tolist() == [[2, 0, 3]]
