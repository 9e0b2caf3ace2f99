"""Which memories pieces of a stream would push."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.memory.state import nearest
from hebb_lab.memory.subscription.scope import Scope, pushable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


class Candidate(NamedTuple):
    """A memory that reaches the threshold."""

    row: int
    cosine: float


def candidates(
    state: State, rules: MemoryRules, scope: Scope, threshold: float,
    vectors: NDArray[np.float32], at_us: NDArray[np.int64], barred: NDArray[np.int64],
) -> list[list[Candidate]]:  # fmt: skip
    """For each piece the memories in scope from the threshold on, best first.

    push_scope=before: scope, and what may not be pushed again, are left out before the best are
    chosen, so that each piece finds push_candidates where there are so many. Pieces of one call
    may push each other's: piece p gets (p + 1) × push_candidates, of which those before it push
    at most p × push_candidates. after: the best push_candidates of the whole store are chosen and
    then filtered, which finds none where another scope is nearer.

    What was written after a piece is not found.

    Args:
        state: of the store.
        rules: of the store.
        scope: of the subscription.
        threshold: least cosine.
        vectors: [P, d] unit vectors.
        at_us: [P] ascending.
        barred: rows that may not be pushed again now.
    """
    before = rules.push_scope == "before"
    rows = scope.rows(state, rules) if before else np.flatnonzero(state.alive)
    rows = rows[pushable(state, rules, rows)]
    if before:
        rows = rows[~np.isin(rows, barred, assume_unique=True)]
    created = state.column("created_us")[rows]
    if (created > at_us[0]).any() and len(at_us) > 1:
        return [
            one for place in range(len(at_us))
            for one in candidates(state, rules, scope, threshold, vectors[place : place + 1],
                                  at_us[place : place + 1], barred)
        ]  # fmt: skip
    rows = rows[created <= at_us[0]]
    most = rules.push_candidates * (len(at_us) if before else 1)
    # A search that knows it is of all memories need not look which ones they are.
    every = len(rows) == np.count_nonzero(state.alive & state.has_vector)
    found, cosines = nearest(state, vectors, most, None if every else rows, rules)
    reach = ((cosines >= threshold) & (found >= 0)).sum(1)  # the first so many of each piece
    return [
        _in_scope(state, rules, scope, found[place, : reach[place]], cosines[place])
        for place in range(len(at_us))
    ]


def _in_scope(
    state: State, rules: MemoryRules, scope: Scope, rows: NDArray[np.int64],
    cosines: NDArray[np.float32],
) -> list[Candidate]:  # fmt: skip
    held = scope.holds(state, rules, rows)
    return [
        Candidate(int(row), float(cosine))
        for row, cosine, good in zip(rows, cosines[: len(rows)], held, strict=True)
        if good
    ]
