import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.memory.changes import Change
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.state import State
from tests.memory.made import made_added, made_edges
from tests.memory.state.model import Chance


def small_world(count=6):
    state, added = State(4), made_added(count)
    state.apply(Change(1, added=added))
    return state, added.ids.to_bytes()


def link(state, pairs, **settings):
    state.apply(Change(2, edges=made_edges(pairs, **settings)))


def test_a_repeated_key_overwrites_and_keeps_its_place():
    state, ids = small_world()
    link(state, [(ids[0], ids[1]), (ids[1], ids[2])], confidence=0.1)
    link(state, [(ids[0], ids[1]), (ids[0], ids[1])], confidence=0.7, time_us=99)
    link(state, [(ids[0], ids[1])], kind=2)
    edges = state.edges
    assert len(edges) == 3
    assert edges.kind.tolist() == [1, 1, 2]
    assert edges.confidence.tolist() == np.float32([0.7, 0.1, 0.5]).tolist()
    assert edges.time_us.tolist() == [99, 7, 7]


def test_rows_of_a_matrix_hold_edges_in_the_order_of_writing_along_and_against():
    state, ids = small_world()
    link(state, [(ids[2], ids[5]), (ids[0], ids[1]), (ids[2], ids[3])])
    link(state, [(ids[2], ids[4]), (ids[4], ids[5])], kind=3)
    ptr, col, edge = state.edges.csr()
    assert ptr.tolist() == [0, 1, 1, 4, 4, 5, 5]
    assert col.tolist() == [1, 5, 3, 4, 5]
    assert edge.tolist() == [1, 0, 2, 3, 4]
    ptr, col, edge = state.edges.csr((1,), backward=True)
    assert ptr.tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert col.tolist() == [0, 2, 2]
    assert edge.tolist() == [1, 2, 0]
    assert state.edges.csr((5,))[1].tolist() == []


def test_a_matrix_is_kept_until_edges_or_memories_change():
    state, ids = small_world()
    link(state, [(ids[2], ids[5])])
    first = state.edges.csr((1, 3))
    assert state.edges.csr((3, 1)) is first
    state.apply(Change(3, added=made_added(2, seed=1, last=Ids.from_bytes(ids).array[-1])))
    assert len(state.edges.csr((1, 3)).ptr) == 9
    link(state, [(ids[0], ids[5])])
    assert state.edges.csr((1, 3)).col.tolist() == [5, 5]


def test_an_edge_waits_for_its_ends_and_has_them_when_they_come():
    state, ids = small_world()
    later = made_added(2, seed=3)
    first, second = later.ids.to_bytes()
    link(state, [(ids[0], first), (second, ids[1]), (first, second), (ids[0], ids[1])])
    assert state.edges.source.tolist() == [0, -1, -1, 0]
    assert state.edges.target.tolist() == [-1, 1, -1, 1]
    assert state.edges.csr().edge.tolist() == [3]
    state.apply(Change(3, added=later))
    assert state.edges.source.tolist() == [0, 7, 6, 0]
    assert state.edges.target.tolist() == [6, 1, 7, 1]
    link(state, [(first, second)], confidence=1.0)
    assert len(state.edges) == 4
    assert state.edges.confidence[2] == 1.0


def test_edges_of_a_forgotten_memory_go_both_ways_and_so_do_those_that_wait_for_it():
    state, ids = small_world()
    unknown = b"u" * 16
    link(state, [(ids[0], ids[1]), (ids[1], ids[2]), (ids[2], ids[0]), (ids[3], unknown)])
    state.apply(Change(3, forgotten=Ids.from_bytes([ids[1], unknown])))
    assert state.edges.source.tolist() == [2]
    assert state.edges.csr().col.tolist() == [0]
    link(state, [(ids[0], ids[1])])  # to what was forgotten: it waits for another of that id
    assert state.edges.target.tolist() == [0, -1]


def test_keys_are_found_after_many_of_them_had_waited():
    state, ids = small_world(1)
    later = made_added(500, seed=3)
    pairs = [(ids[0], part) for part in later.ids.to_bytes()]
    link(state, pairs)
    state.apply(Change(3, added=later))
    link(state, pairs, confidence=0.9)
    assert len(state.edges) == 500
    assert (state.edges.confidence == np.float32(0.9)).all()
    assert state.edges.byte_count() < 500 * 200


@pytest.mark.filterwarnings("ignore:Sparse")
@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_matrices_of_all_kinds_hold_what_the_dicts_hold(seed):
    torch = pytest.importorskip("torch")
    chance, state = Chance(seed), State(3)
    for _ in range(25):
        change = chance.change()
        chance.model.apply(change)
        state.apply(change)
    for kind in range(1, 6):
        expected = np.zeros((state.count, state.count), np.float32)
        for (source, target, of), (confidence, _) in chance.model.edges.items():
            if of == kind and min(chance.model.row(source), chance.model.row(target)) >= 0:
                expected[chance.model.row(source), chance.model.row(target)] = confidence
        with torch.sparse.check_sparse_tensor_invariants(enable=True):
            matrix = state.edges.to_torch(kind)
        assert (matrix.to_dense().numpy() == expected).all()
        for backward in (False, True):
            ptr, col, edge = state.edges.csr((kind,), backward=backward)
            dense = np.zeros_like(expected)
            row = np.repeat(np.arange(state.count), np.diff(ptr))
            dense[row, col] = state.edges.confidence[edge]
            assert (dense == (expected.T if backward else expected)).all()
            assert (np.diff(edge)[np.diff(row) == 0] > 0).all()
