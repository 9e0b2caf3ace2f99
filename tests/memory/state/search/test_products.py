import numpy as np
import pytest

from hebb_lab.memory.state import Vectors
from hebb_lab.memory.state.search.products import BFloat16Products, Float32Products, products_for


def made(count, dimensions, seed=0):
    return np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)


@pytest.mark.parametrize("kind", [Float32Products, BFloat16Products])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 300.0])
def test_no_product_is_off_by_more_than_half_its_window(kind, scale):
    rows = made(3000, 384) * np.float32(scale / 20)
    queries = np.concatenate([rows[:20], made(20, 384, seed=1)])
    held = Vectors(384)
    held.extend(rows)
    products = kind(queries, held)
    exact = queries.astype(float) @ rows.astype(float).T
    for first in (0, 1024, 2048):
        part = slice(first, first + 1024)
        made_of = products.of(rows[part]).astype(float)
        off = 2 * np.abs(made_of - exact[:, part])
        assert (off <= products.window[:, None] + products.relative * np.abs(made_of)).all()


def test_few_products_are_made_in_float32():
    held = Vectors(4)
    held.extend(made(10, 4))
    assert isinstance(products_for(made(3, 4), held, 10), Float32Products)
