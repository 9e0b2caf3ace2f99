import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.memory.state import Vectors, vectors


def made(count, dimensions=3, seed=0):
    return np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)


@given(st.lists(st.integers(0, 25), max_size=8))
def test_vectors_in_blocks_are_as_in_one_array(counts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors, "BLOCK", 10)
        held, plain = Vectors(3), np.zeros((0, 3), np.float32)
        for seed, count in enumerate(counts):
            held.extend(made(count, seed=seed))
            plain = np.concatenate([plain, made(count, seed=seed)])
        rows = np.random.default_rng(1).permutation(len(plain))[: len(plain) // 2]
        held.clear(rows[::2])
        plain[rows[::2]] = 0
        held.write(rows[1::2], made(len(rows) // 2, seed=9))
        plain[rows[1::2]] = made(len(rows) // 2, seed=9)
        assert held.count == len(plain)
        assert (held.take(rows) == plain[rows]).all()
        seen = [(first, block.copy()) for first, block in held.blocks()]
        assert [first for first, _ in seen] == list(range(0, len(plain), 10))
        if seen:
            assert (np.concatenate([block for _, block in seen]) == plain).all()
        assert held.longest >= np.linalg.norm(plain.astype(float), axis=1).max(initial=0)


def test_a_small_store_has_small_room_and_a_full_block_is_never_copied():
    held = Vectors(8)
    held.extend(made(100, 8))
    assert held.byte_count() < 3 * 100 * 8 * 4
    held.extend(made(vectors.BLOCK, 8))
    first = next(held.blocks())[1]
    held.extend(made(vectors.BLOCK, 8))
    assert np.shares_memory(first, next(held.blocks())[1])
    assert held.byte_count() == 3 * vectors.BLOCK * 8 * 4


def test_a_block_that_was_written_to_has_another_version():
    held = Vectors(2)
    held.extend(made(vectors.BLOCK + 1, 2))
    before = list(held.versions)
    held.clear(np.array([3]))
    assert held.versions == [before[0] + 1, before[1]]
    held.write(np.array([vectors.BLOCK]), made(1, 2))
    assert held.versions == [before[0] + 1, before[1] + 1]


def lost(rows):
    torch = pytest.importorskip("torch")
    rounded = torch.from_numpy(rows).bfloat16().float().numpy()
    return np.linalg.norm(rows.astype(float) - rounded, axis=1).max()


def test_what_bfloat16_loses_is_measured_for_all_that_was_ever_there():
    held = Vectors(16)
    held.extend(made(5000, 16))
    found = held.lost_in_bfloat16()
    assert lost(made(5000, 16)) <= found <= 1.01 * lost(made(5000, 16))
    larger = 10 * made(10, 16, seed=1)
    held.write(np.arange(10), larger)
    assert held.lost_in_bfloat16() >= lost(larger) > found
    even_larger = 100 * made(10, 16, seed=2)
    held.extend(even_larger)
    assert held.lost_in_bfloat16() >= lost(even_larger)
