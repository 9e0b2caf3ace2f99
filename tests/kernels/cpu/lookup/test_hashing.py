import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.kernels.cpu.lookup.hashing import KeyTable

FEW = st.lists(st.lists(st.integers(0, 30), max_size=40), max_size=8)


def keys_of(numbers):
    """128-bit keys that share halves."""
    numbers = np.array(numbers, np.uint64)
    return np.stack([numbers // np.uint64(4), numbers % np.uint64(4)], axis=1)


@given(FEW)
def test_keys_have_the_last_place_that_they_were_put_at(batches):
    table, keys, plain = KeyTable(), np.zeros((0, 2), np.uint64), {}
    for batch in batches:
        first = len(keys)
        keys = np.concatenate([keys, keys_of(batch)])
        table.put(keys, first, first, len(keys))
        plain.update({number: first + at for at, number in enumerate(batch)})
    wanted = list(range(32))
    assert table.find(keys, keys_of(wanted)).tolist() == [plain.get(n, -1) for n in wanted]


@given(FEW)
def test_keys_that_are_new_are_appended_once_in_the_order_given(batches):
    table, keys, held, order = KeyTable(), np.zeros((400, 2), np.uint64), 0, []
    for batch in batches:
        places, held = table.find_or_put(keys, held, keys_of(batch))
        order += [number for number in dict.fromkeys(batch) if number not in order]
        assert places.tolist() == [order.index(number) for number in batch]
        assert held == len(order)
    assert (keys[:held] == keys_of(order)).all()


def test_a_key_that_changes_again_and_again_never_fills_the_table():
    table, keys = KeyTable(), keys_of(range(50))
    table.put(keys, 0, 0, 50)
    for round_ in range(1, 200):
        keys[7] = round_ << 32, 5
        table.put(keys, 50, 7, 8)
        assert table.find(keys, keys[[7, 8]]).tolist() == [7, 8]
    assert table.byte_count() <= 4 * 1024


def test_many_keys_are_found_after_the_table_has_grown_and_gone():
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 2**64, (20_000, 2), np.uint64)
    table = KeyTable()
    table.put(keys, 0, 0, len(keys))
    assert (table.find(keys, keys) == np.arange(len(keys))).all()
    table.rebuild(keys[:100])
    found = table.find(keys, keys)
    assert (found[:100] == np.arange(100)).all()
    assert (found[100:] == -1).all()
