"""Recall on the CPU; the rest is in test_conformance_lists."""

import numpy as np
import pytest

from hebb_lab.kernels import nearest
from hebb_lab.kernels.arrays import nothing_found
from hebb_lab.kernels.cpu import recall as module
from hebb_lab.kernels.cpu.recall import recall
from hebb_lab.kernels.reference.recall import recall as meaning
from tests.kernels.logs import asked

NO_FAISS = pytest.mark.parametrize("faiss", [True, False], ids=["faiss", "numpy"])


@pytest.fixture
def world():
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(200, 12)).astype(np.float32)
    vectors[100:] = vectors[:100]  # every node has a double, so all ranks tie
    energies = nothing_found(2, 9, 3)
    energies.ids[:, :, 0], energies.scores[:, :, 0] = rng.integers(0, 200, (2, 9)), 1.0
    queries = asked(*((5, [], rng.integers(0, 200, 30).tolist()) for _ in range(9)))
    return vectors, vectors[:9] * 3, energies, np.array([0.0, 0.7]), queries


def same(one, other):
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.scores, other.scores)


@NO_FAISS
def test_doubles_rank_by_id_with_and_without_faiss(world, faiss, monkeypatch):
    if not faiss:
        real = nearest.vector_index
        monkeypatch.setattr(module, "vector_index", lambda _, *shape: real("numpy", *shape))
    same(recall(*world, 5), meaning(*world, 5))


def test_near_misses_of_the_index_are_widened_until_the_answer_is_exact(world, monkeypatch):
    vectors, wanted, *rest = world
    fetched = []

    class Blurred(nearest.NumpyIndex):
        """Wrong by a little less than the bound."""

        def search(self, queries, count):
            fetched.append(count)
            products = queries @ self.vectors.T
            lengths = np.linalg.norm(self.vectors, axis=1).max() * np.linalg.norm(queries, axis=1)
            bound = nearest.rounding_of(12, 1.0) * lengths[:, None] * 0.4
            products += bound * np.resize([1, -1], products.shape)
            best = np.argpartition(products, -count, axis=1)[:, -count:]
            return np.take_along_axis(products, best, axis=1), best

    monkeypatch.setattr(
        module, "vector_index", lambda _, *shape: Blurred(np.empty(shape, np.float32))
    )
    monkeypatch.setattr(module, "SPARE", 0)
    no_exclusions = asked(*((5, [], []) for _ in wanted))
    got = recall(vectors, wanted, *rest[:2], no_exclusions, 1)
    assert max(fetched) > 1
    same(got, meaning(vectors, wanted, *rest[:2], no_exclusions, 1))


def test_queries_are_searched_in_chunks(world, monkeypatch):
    whole = recall(*world, 5)
    monkeypatch.setattr(module, "CHUNK", 4)
    same(recall(*world, 5), whole)


def test_a_list_longer_than_all_nodes_holds_them_all(world):
    vectors, wanted, energies, boost, _ = world
    got = recall(vectors, wanted, energies, boost, asked(*((5, [], []) for _ in wanted)), 250)
    assert ((got.ids >= 0).sum(axis=-1) == 200).all()


def test_no_nodes_no_queries_and_no_places_find_nothing(world):
    vectors, wanted, energies, boost, queries = world
    nobody = nothing_found(2, 9, 3)
    assert (
        recall(vectors[:0], wanted, nobody, boost, asked(*[(5, [], [])] * 9), 3).ids == -1
    ).all()
    none = nothing_found(2, 0, 3)
    assert recall(vectors, wanted[:0], none, boost, asked(), 3).ids.shape == (2, 0, 3)
    assert recall(vectors, wanted, energies, boost, queries, 0).ids.shape == (2, 9, 0)


@pytest.mark.filterwarnings("ignore:overflow")
def test_products_beyond_float32_hide_no_node():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(300, 4)).astype(np.float32)
    vectors[7] = np.float32([1e30, -1e30, 3e30, 0])  # inf − inf in float32
    wanted = np.float32([[1e20, 1e20, 1e20, 1]])
    energies, queries = nothing_found(1, 1, 1), asked((5, [], []))
    got = recall(vectors, wanted, energies, np.ones(1), queries, 3)
    same(got, meaning(vectors, wanted, energies, np.ones(1), queries, 3))
    assert got.ids[0, 0, 0] == 7
