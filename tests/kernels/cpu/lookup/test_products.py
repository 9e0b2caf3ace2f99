import numpy as np
import pytest

from hebb_lab.kernels.cpu.lookup.products import inner_products


@pytest.mark.parametrize("width", [1, 3, 8, 21, 384])
def test_products_are_those_of_the_pairs_and_equal_pairs_have_equal_ones(width):
    rng = np.random.default_rng(width)
    vectors = rng.standard_normal((50, width)).astype(np.float32)
    vectors[7] = vectors[31]
    queries = rng.standard_normal((9, width)).astype(np.float32)
    rows, asked = rng.integers(0, 50, 200), rng.integers(0, 9, 200)
    rows[:2], asked[:2] = (7, 31), 4
    places = rng.permutation(200)
    out = np.full(200, np.nan)
    inner_products(vectors, rows, queries, asked, places, out, 0, 120)
    assert np.isnan(out[places[120:]]).all()
    inner_products(vectors, rows, queries, asked, places, out, 120, 200)
    expected = (vectors[rows].astype(float) * queries[asked].astype(float)).sum(axis=1)
    np.testing.assert_allclose(out[places], expected, rtol=1e-12, atol=1e-14)
    assert out[places[0]] == out[places[1]]
