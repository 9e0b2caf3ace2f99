"""Lists of memories for many questions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.memory.ids import Ids
from hebb_lab.memory.strategies.lists import (
    Flat,
    best_of_each,
    flat,
    joined,
    kept,
    order_of,
    ranks_of,
    table,
)  # fmt: skip
from tests.memory.strategies.small import Small, store, unit

ENTRIES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 3)))


def made(entries):
    columns = np.array(entries, np.int64).reshape(-1, 3).T
    return Flat(columns[0], columns[1], columns[2].astype(np.float32))


def state_of(turned):
    low = np.arange(6)[::-1] if turned else np.arange(6)
    ids = Ids(np.stack([np.ones(6), low], axis=1).astype(np.uint64))
    return store([Small(unit(1, 0))] * 6, ids=ids)[0]


@given(ENTRIES)
def test_each_question_and_row_stays_once_with_its_best_value(entries):
    best = {}
    for question, row, value in entries:
        best[question, row] = max(value, best.get((question, row), 0))
    got = best_of_each(made(entries), 6)
    keys = list(zip(got.question.tolist(), got.row.tolist(), strict=True))
    assert keys == sorted(best)
    assert got.value.tolist() == [best[key] for key in keys]


@given(ENTRIES, st.booleans(), st.integers(1, 4))
def test_a_table_has_the_best_k_by_value_and_then_by_id(entries, turned, k):
    best = best_of_each(made(entries), 6)
    rows, values = table(state_of(turned), best, 4, k, -1.0)
    for question in range(4):
        ours = [
            (-value, row if turned else -row, row)
            for q, row, value in zip(*(column.tolist() for column in best), strict=True)
            if q == question
        ]
        expected = [row for _, _, row in sorted(ours)][:k]
        assert rows[question].tolist() == expected + [-1] * (k - len(expected))
        assert (values[question][len(expected) :] == -1).all()


def test_a_table_and_its_list_are_the_same():
    rows = np.array([[3, 1, -1], [-1, -1, -1], [0, -1, -1]])
    got = flat(rows, rows.astype(np.float32))
    assert (got.question.tolist(), got.row.tolist()) == ([0, 0, 2], [3, 1, 0])
    assert ranks_of(got.question).tolist() == [0, 1, 0]
    again = joined([got, joined([])])
    assert order_of(state_of(turned=False), again).tolist() == [0, 1, 2]


def test_what_stays_moves_up_and_the_end_is_filled():
    rows, values = np.array([[3, 1, 2], [5, -1, -1]]), np.array([[9, 8, 7], [6, 0, 0]], np.float32)
    got = kept(rows, values, rows != 1, 4, -np.inf)
    assert got[0].tolist() == [[3, 2, -1, -1], [5, -1, -1, -1]]
    assert got[1].tolist() == [[9, 7, -np.inf, -np.inf], [6, -np.inf, -np.inf, -np.inf]]
    assert kept(rows, values, rows != 3, 1, 0.0)[0].tolist() == [[1], [5]]
