"""Recall: strategies, fusion, score, the best k. It only reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import checked_most
from hebb_lab.memory.strategies.asking import checked, strategy_names
from hebb_lab.memory.strategies.fusion import Fused, fused
from hebb_lab.memory.strategies.lists import Flat, order_of, ranks_of
from hebb_lab.memory.strategies.score import composite
from hebb_lab.memory.strategies.strategy import STRATEGIES, Found
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.values import Cues, Recalled

if TYPE_CHECKING:
    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

MOST = 1000  # memories of one recall


def recall(
    state: State, journal: Journal, rules: MemoryRules, cues: Cues, at_us: int, k: int = 10,
    strategies: str | Sequence[str] = ("similarity",),
) -> Recalled:  # fmt: skip
    """Ask a store Q questions: each strategy's best k, fused, scored, and the best k of them.

    A strategy that cannot answer a question is a `Failure` of it, not an error. Memories that were
    written after ``at_us`` are not found. Nothing is changed; `reinforced` makes what recall
    changes.

    Args:
        state: the memories.
        journal: their contexts, which analogies may look at.
        rules: all of `hebb_lab.memory.rules.recalling`.
        cues: Q questions, with vectors where a strategy needs them.
        at_us: when they are asked.
        k: how many memories; more than 1000 are 1000.
        strategies: names of STRATEGIES, each once.

    Raises:
        InputError: a cue that is empty or too long, what `asking.check_shapes` refuses, no
            strategy, one that comes twice, k below 1.
        ConfigError: an unknown strategy.
    """
    names = strategy_names(strategies)
    finders = [STRATEGIES[name] for name in names]
    cues, k = checked(cues, state.dimensions, names), min(checked_most(k, "k"), MOST)
    view = View(state, journal, rules, at_us, cues)
    lists = [finder(view, cues, k) for finder in finders]
    everything = fused(lists, max(state.count, 1), rules)
    score = _scored(state, rules, everything.flat, at_us)
    return _recalled(state, everything, score, names, lists)


def _scored(state: State, rules: MemoryRules, found: Flat, at_us: int) -> NDArray[np.float32]:
    columns = {
        name: state.column(name)[found.row]
        for name in ("created_us", "accessed_us", "importance", "access_count")
    }
    return composite(
        found.value, columns["created_us"], columns["accessed_us"], columns["importance"],
        _decay(state, rules, found.row, at_us), columns["access_count"], at_us, rules,
    )  # fmt: skip


def _decay(
    state: State, rules: MemoryRules, rows: NDArray[np.int64], at_us: int
) -> NDArray[np.float32]:
    """Decay scores [n] at the time of the question, not those of the last sweep."""
    if rules.decay_in_rank == "none":
        return np.zeros(len(rows), np.float32)
    from hebb_lab.memory.decay import scores

    decayed: NDArray[np.float32] = scores(state, rules, at_us, (rules.half_life_days,))[rows, 0]
    return decayed


def _recalled(
    state: State, everything: Fused, score: NDArray[np.float32], names: tuple[str, ...],
    lists: list[Found],
) -> Recalled:  # fmt: skip
    questions, k = lists[0].rows.shape
    order = order_of(state, everything.flat._replace(value=score))
    rank = ranks_of(everything.flat.question[order])
    order, rank = order[rank < k], rank[rank < k]
    at = everything.flat.question[order], rank
    rows = np.full((questions, k), -1, np.int64)
    out = np.full((questions, k), -np.inf, np.float32)
    relevance = np.zeros((questions, k), np.float32)
    found_by = np.zeros((questions, k), np.int16)
    rows[at], out[at] = everything.flat.row[order], score[order]
    relevance[at], found_by[at] = everything.flat.value[order], everything.found_by[order]
    ids = np.zeros((questions * k, 2), np.uint64)
    ids[rows.ravel() >= 0] = state.ids_of(rows[rows >= 0]).array
    return Recalled(
        rows, Ids(ids), out, relevance, found_by, names,
        {name: (each.rows >= 0).sum(1) >= k for name, each in zip(names, lists, strict=True)},
        tuple(failure for each in lists for failure in each.failures),
    )  # fmt: skip
