from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.graph.files.encoding.slots import PAIR, PAIRS, slot_count, slots, used

NUMBER = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(NUMBER, NUMBER), unique=True, max_size=32), st.booleans())
def test_every_entry_is_found_by_probing_from_its_slot(entries, full):
    size = max(1, 1 << (len(entries) - 1).bit_length()) if full and entries else 64
    a, b = np.array(sorted(entries), np.int64).reshape(-1, 2).T
    value = SimpleNamespace(pair_a=a, pair_b=b, pair_count=np.arange(len(a), dtype=np.int32))
    table = slots(value, PAIRS, PAIR, size)
    for i, (first, second) in enumerate(sorted(entries)):
        slot = (first * 0x9E3779B97F4A7C15 + second) % size
        while (table["pair_a"][slot], table["pair_b"][slot]) != (first, second):
            assert table["flags"][slot] == 1  # a gap would end the search
            slot = (slot + 1) % size
        assert table["pair_count"][slot] == i
    assert used(table).columns["pair_a"].tolist() == a.tolist()


@pytest.mark.parametrize(("entries", "size"), [(0, 1), (1, 2), (2, 4), (3, 8), (10_000, 32_768)])
def test_tables_are_at_most_half_full(entries, size):
    assert slot_count(entries) == size
