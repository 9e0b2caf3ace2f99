"""prime: what an agent begins a session about an entity with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import PRIME_MOST, checked_most, entity_problem, raised
from hebb_lab.memory.operations.asking import asked_cues
from hebb_lab.memory.operations.reading import by_id
from hebb_lab.memory.strategies import recall
from hebb_lab.memory.values import Cues, Recalled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.operations.remember import Embed
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

WEEK_US = 7 * 86_400_000_000
STRATEGIES = ("temporal", "similarity")


class Priming(NamedTuple):
    """What is asked.

    Args:
        entity: the scope.
        cue: text of the similar half; None: "entity key: value …" of the context.
        context: of the session.
        vector: [d] of the cue; None: by the embedder.
        most: memories, 200 at most.
    """

    entity: str
    cue: str | None
    context: Mapping[str, Any]
    vector: NDArray[np.float32] | None
    most: int

    def text(self) -> str:
        """The cue.

        >>> Priming("ada", None, {"topic": "looms"}, None, 20).text()
        'ada topic: looms'
        """
        if self.cue is not None:
            return self.cue
        return " ".join([self.entity, *(f"{key}: {value}" for key, value in self.context.items())])


def primed(
    state: State, journal: Journal, rules: MemoryRules, asked: Priming, at_us: int,
    embed: Embed | None = None,
) -> Recalled:  # fmt: skip
    """The newest of an entity in the order of their writing, then what is near to the cue.

    Of k memories ⌊k/2⌋ at most are the newest of the last 7 days, oldest first; the rest are the
    most similar by their score, without those that stand there already (hebbs.md §1.4). Scope,
    superseded and stale memories are as in recall. Without a vector of the cue there is no second
    half, and a `Failure` says so.

    Returns:
        One question's answer; strategy 0 is temporal, 1 similarity. It is in the order above, not
        in that of the scores.

    Raises:
        InputError: no entity, ``most`` below 1, a cue that is empty or too long.
    """
    if problem := entity_problem(asked.entity):
        raise raised(problem)
    if asked.entity is None:
        raise InputError("no entity is primed", "Name one")
    if not isinstance(asked.context, Mapping):
        raise InputError("the context of a priming is no mapping", "Give names and values")
    most = min(checked_most(asked.most, "k"), PRIME_MOST)
    newest = recall(
        state, journal, rules,
        Cues(("",), entities=asked.entity, since_us=max(at_us - WEEK_US, 0), until_us=at_us + 1),
        at_us, max(most // 2, 1), ("temporal",),
    )  # fmt: skip
    first = _found(newest)[: most // 2]
    vectors = None if asked.vector is None else np.asarray(asked.vector)[None]
    cues = asked_cues(Cues((asked.text(),), vectors, asked.entity), ("similarity",), embed)
    near = recall(state, journal, rules, cues, at_us, most, ("similarity",))
    similar = _found(near)
    rest = similar[~np.isin(similar, first)][: most - len(first)]
    return _joined(state, newest, near, by_id(state, first), rest, most)


def _found(answer: Recalled) -> NDArray[np.int64]:
    rows: NDArray[np.int64] = answer.rows[0]
    return rows[rows >= 0]


def _joined(
    state: State, newest: Recalled, near: Recalled, first: NDArray[np.int64],
    rest: NDArray[np.int64], most: int,
) -> Recalled:  # fmt: skip
    held = len(first) + len(rest)
    rows = np.full((1, most), -1, np.int64)
    score = np.full((1, most), -np.inf, np.float32)
    relevance = np.zeros((1, most), np.float32)
    found_by = np.zeros((1, most), np.int16)
    rows[0, :held] = np.append(first, rest)
    for bit, answer in enumerate((near, newest)):  # what both found counts as the newest
        order = np.argsort(answer.rows[0])
        at = np.searchsorted(answer.rows[0], rows[0, :held], sorter=order)
        at = order[np.minimum(at, len(order) - 1)]
        there = np.flatnonzero(answer.rows[0][at] == rows[0, :held])
        score[0, there] = answer.score[0, at[there]]
        relevance[0, there] = answer.relevance[0, at[there]]
        found_by[0, there] |= 2 - bit
    ids = np.zeros((most, 2), np.uint64)
    ids[:held] = state.ids_of(rows[0, :held]).array
    truncated = {
        "temporal": newest.truncated["temporal"] & (most > 1),
        "similarity": np.array([len(rest) + len(first) >= most]),
    }
    return Recalled(
        rows, Ids(ids), score, relevance, found_by, STRATEGIES, truncated,
        (*newest.failures, *near.failures),
    )  # fmt: skip
