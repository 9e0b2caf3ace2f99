"""Lists of memories for many questions at once: flat as they are found, tables as they go out.

Everything is ordered by (value as float32 descending, id descending).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hebb_lab.memory.state import State

Integers = NDArray[np.int64]
Numbers = NDArray[np.float32]


class Flat(NamedTuple):
    """n memories that were found: for which question [n], which row [n], with what value [n]."""

    question: Integers
    row: Integers
    value: NDArray[Any]

    def where(self, chosen: NDArray[np.bool_] | Integers) -> Flat:
        """Only those: flags [n], or places."""
        return Flat(self.question[chosen], self.row[chosen], self.value[chosen])

    def keys(self, count: int) -> Integers:
        """One number for each (question, row), where rows are below ``count``."""
        keys: Integers = self.question * np.int64(count) + self.row
        return keys


def joined(parts: list[Flat]) -> Flat:
    """Several one after the other."""
    if not parts:
        return Flat(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
    return Flat(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def flat(rows: Integers, values: NDArray[Any]) -> Flat:
    """A table [Q, k] as a list, question by question and in the order of its ranks."""
    question, rank = np.nonzero(rows >= 0)
    return Flat(question, rows[question, rank], values[question, rank])


def best_of_each(found: Flat, count: int) -> Flat:
    """Each (question, row) once, with its greatest value; ordered by question, then row."""
    keys = found.keys(count)
    order = np.lexsort((-found.value, keys))
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    return found.where(order[first])


def order_of(state: State, found: Flat) -> Integers:
    """The order by question, then value as float32 descending, then id descending."""
    least = -found.value.astype(np.float32)
    if state.ascending:
        return np.lexsort((-found.row, least, found.question))
    array = state.ids_of(found.row).array
    return np.lexsort((~array[:, 1], ~array[:, 0], least, found.question))


def ranks_of(questions: Integers) -> Integers:
    """Place of each among those of its question, from 0; ``questions`` ascend."""
    starts = np.flatnonzero(np.diff(questions, prepend=-1))
    lengths = np.diff(np.append(starts, len(questions)))
    ranks: Integers = np.arange(len(questions)) - np.repeat(starts, lengths)
    return ranks


def table(
    state: State, found: Flat, questions: int, k: int, past_end: float = 0.0
) -> tuple[Integers, Numbers]:
    """The best k of each question.

    Args:
        state: of the rows.
        found: each (question, row) at most once.
        questions: Q.
        k: columns.
        past_end: value where there are fewer.

    Returns:
        Rows [Q, k], −1 past the end, and values [Q, k] float32.
    """
    best = found.where(order_of(state, found))
    rank = ranks_of(best.question)
    best, rank = best.where(rank < k), rank[rank < k]
    rows = np.full((questions, k), -1, np.int64)
    values = np.full((questions, k), past_end, np.float32)
    rows[best.question, rank], values[best.question, rank] = best.row, best.value
    return rows, values


def kept(
    rows: Integers, values: Numbers, stays: NDArray[np.bool_], k: int, past_end: float
) -> tuple[Integers, Numbers]:
    """A table without some of its places: what is left moves up, and k columns stay.

    Args:
        rows: [Q, m].
        values: [Q, m].
        stays: [Q, m].
        k: columns.
        past_end: value where there are fewer.
    """
    stays = stays & (rows >= 0)
    order = np.argsort(~stays, axis=1, kind="stable")[:, :k]
    there = np.take_along_axis(stays, order, 1)
    out = (
        np.where(there, np.take_along_axis(rows, order, 1), -1),
        np.where(there, np.take_along_axis(values, order, 1), np.float32(past_end)),
    )
    if out[0].shape[1] == k:
        return out
    room = ((0, 0), (0, k - out[0].shape[1]))
    return (
        np.pad(out[0], room, constant_values=-1),
        np.pad(out[1], room, constant_values=np.float32(past_end)),
    )
