"""One list of several strategies' lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.strategies.lists import Flat, flat

if TYPE_CHECKING:
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.strategies.strategy import Found


class Fused(NamedTuple):
    """What all strategies found: each (question, row) once, ordered by question, then row.

    flat: value is the fused relevance, float32. found_by: [n] int16, bit s: the s-th list has it.
    """

    flat: Flat
    found_by: NDArray[np.int16]


def fused(lists: Sequence[Found], count: int, rules: MemoryRules) -> Fused:
    """Fuse the lists of several strategies; one list alone keeps its relevances.

    max: the best relevance. rrf: Σ 1/(fusion_rrf_k + rank), rank from 1, divided by what a memory
    that is first in every list would have, so that the best possible is 1. normalised: in each
    list (relevance − least)/(greatest − least), 1 where all are alike; the sum divided by the
    number of lists, so a list without the memory counts 0.

    Args:
        lists: of strategies, for the same Q questions.
        count: rows of the state.
        rules: fusion, fusion_rrf_k.
    """
    parts = [flat(each.rows, _values(each, len(lists), rules)) for each in lists]
    found = Flat(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    bit = np.repeat(np.arange(len(parts)), [len(part.row) for part in parts])
    keys, place = np.unique(found.keys(count), return_inverse=True)
    place = place.reshape(-1)
    values = np.zeros(len(keys))
    if rules.fusion == "max" or len(lists) == 1:
        np.maximum.at(values, place, found.value)
    else:
        np.add.at(values, place, found.value)
    found_by = np.zeros(len(keys), np.int16)
    np.bitwise_or.at(found_by, place, np.left_shift(1, bit).astype(np.int16))
    return Fused(Flat(keys // count, keys % count, values.astype(np.float32)), found_by)


def _values(found: Found, lists: int, rules: MemoryRules) -> NDArray[np.float64]:
    """[Q, k] what each place of a list brings."""
    relevance = found.relevance.astype(np.float64)
    if rules.fusion == "max" or lists == 1:
        return relevance
    if rules.fusion == "rrf":
        rank = np.arange(1, relevance.shape[1] + 1)
        share: NDArray[np.float64] = (rules.fusion_rrf_k + 1) / (rules.fusion_rrf_k + rank) / lists
        return np.broadcast_to(share, relevance.shape)
    return _normalised(found.rows >= 0, relevance) / lists


def _normalised(there: NDArray[np.bool_], relevance: NDArray[np.float64]) -> NDArray[np.float64]:
    least = np.where(there, relevance, np.inf).min(1, keepdims=True)
    span = np.where(there, relevance, -np.inf).max(1, keepdims=True) - least
    alike = ~(span > 0) | ~np.isfinite(span)
    return np.where(alike, 1.0, (relevance - least) / np.where(alike, 1.0, span))
