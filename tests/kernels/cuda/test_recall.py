"""Recall on the host build: chunks, exclusions and numbers at the ends of float32."""

import numpy as np
import pytest

from hebb_lab.kernels.arrays import nothing_found
from tests.kernels.backends import HOST, REFERENCE, made
from tests.kernels.comparing import assert_same_found
from tests.kernels.cuda.host.build import compiler
from tests.kernels.logs import asked

pytestmark = pytest.mark.skipif(compiler() is None, reason="no g++ to build the kernels with")


def recalls(backend, vectors, wanted, k, barred=()):
    queries = asked(*((9, [], list(barred)) for _ in wanted))
    energies = nothing_found(1, len(wanted), 0)
    return backend.recall(vectors, wanted, energies, np.ones(1), queries, k)


def test_queries_in_chunks_find_what_they_find_together():
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(3000, 8)).astype(np.float32)
    wanted = rng.normal(size=(40, 8)).astype(np.float32)
    # 1 MB holds five queries at a time
    whole, parts = (recalls(made(HOST, mb), vectors, wanted, 9, [4, 4]) for mb in (500, 1))
    np.testing.assert_array_equal(whole.ids, parts.ids)
    np.testing.assert_array_equal(whole.scores, parts.scores)
    assert_same_found(whole, recalls(made(REFERENCE), vectors, wanted, 9, [4]), "float64")


def test_products_that_overflow_or_vanish_hide_no_node():
    vectors = np.float32([[3e38, 3e38], [-3e38, -3e38], [1e-38, 0], [3e38, -3e38], [0, 0]])
    wanted = np.float32([[1, 0.1], [3e38, 3e38], [1e-38, -1e-38]])
    with np.errstate(over="ignore"):
        want = recalls(made(REFERENCE), vectors, wanted, 5)
        got = recalls(made(HOST), vectors, wanted, 5)
    np.testing.assert_array_equal(got.ids, want.ids)
    np.testing.assert_array_equal(got.scores, want.scores)


def test_all_nodes_barred_leave_nothing():
    found = recalls(
        made(HOST), np.ones((3, 2), np.float32), np.ones((2, 2), np.float32), 2, range(3)
    )
    assert (found.ids == -1).all()
    assert (found.scores == -np.inf).all()
