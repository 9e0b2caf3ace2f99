"""What arms are asked, and their answers over all scopes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from hebb_lab.layers.protocol.floors import FLOORS
from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.layers.protocol.scopes import Exam, Scope
    from hebb_lab.recall.cognitive.plan import Answers, Asked, LayerUse, Plan


class Answerer(Protocol):
    """The recall pipeline over the memories of one scope."""

    def answer(self, asked: Asked, plans: Sequence[Plan], depth: int) -> list[Answers]:
        """What each plan gives."""


class Use(NamedTuple):
    """What one layer did for all Q questions under one arm.

    failures: why it was a no-op → in how many scopes.
    """

    layer: str
    found: NDArray[np.int64]  # [Q]
    listed: NDArray[np.int64]  # [Q]
    seconds: float
    bytes: int
    edges: int
    failures: Mapping[str, int]
    learning_seconds: float = 0.0


class Answered(NamedTuple):
    """What one arm gives to all Q questions: node ids, best first."""

    ranking: Ranking
    expanded: NDArray[np.bool_]  # [Q] whether the gate let expansion happen
    uses: tuple[Use, ...]


@dataclass(frozen=True)
class Bench:
    """The questions of a run and the pipelines that answer them.

    Args:
        exam: the questions.
        scopes: what holds the memories.
        pipeline_of: makes the pipeline of a scope, when it is first asked.
        depth: memories that a list holds.
        seed: of the floors that draw.
    """

    exam: Exam
    scopes: Sequence[Scope]
    pipeline_of: Callable[[Scope], Answerer]
    depth: int
    seed: int = 0
    _pipelines: dict[str, Answerer] = field(default_factory=dict)

    @cached_property
    def scope_of(self) -> NDArray[np.int64]:
        """[Q] the scope of each question."""
        found = np.zeros(len(self.exam), np.int64)
        for number, scope in enumerate(self.scopes):
            found[scope.rows] = number
        return found

    def answer(
        self, plans: Sequence[Plan], told: Callable[[int], None] | None = None
    ) -> list[Answered]:
        """What each of some plans gives; they share what they have in common.

        Args:
            plans: of the arms.
            told: gets the number of scopes that are done, after each.
        """
        parts = []
        for number, scope in enumerate(self.scopes):
            parts.append(self.pipeline(scope).answer(scope.asked, plans, self.depth))
            if told:
                told(number + 1)
        return [self._whole([part[p] for part in parts]) for p in range(len(plans))]

    def pipeline(self, scope: Scope) -> Answerer:
        """What answers in a scope, made when it is first asked."""
        if scope.name not in self._pipelines:
            self._pipelines[scope.name] = self.pipeline_of(scope)
        return self._pipelines[scope.name]

    def floor(self, name: str) -> Answered:
        """What an order gives that no plan makes."""
        rng = np.random.default_rng([self.seed, 0x5EED])
        ids, scores = self._blank()
        for scope in self.scopes:
            memory, score = FLOORS[name](scope.asked, self.depth, rng)
            ids[scope.rows] = np.where(memory >= 0, scope.node[memory], -1)
            scores[scope.rows] = score
        return Answered(Ranking(ids, scores), np.zeros(len(ids), np.bool_), ())

    def _blank(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        shape = (len(self.exam), self.depth)
        return np.full(shape, -1, np.int32), np.full(shape, -np.inf, np.float32)

    def _whole(self, parts: Sequence[Answers]) -> Answered:
        """The answers of all scopes as one."""
        ids, scores = self._blank()
        expanded = np.zeros(len(ids), np.bool_)
        for scope, part in zip(self.scopes, parts, strict=True):
            ids[scope.rows] = np.where(part.memory >= 0, scope.node[part.memory], -1)
            scores[scope.rows] = part.score
            expanded[scope.rows] = part.expanded
        named = dict.fromkeys(use.layer for part in parts for use in part.uses)
        return Answered(
            Ranking(ids, scores), expanded, tuple(self._use(name, parts) for name in named)
        )

    def _use(self, layer: str, parts: Sequence[Answers]) -> Use:
        """What one layer did in all scopes."""
        found, listed = (np.zeros(len(self.exam), np.int64) for _ in range(2))
        own: list[LayerUse] = []
        for scope, part in zip(self.scopes, parts, strict=True):
            for use in part.uses:
                if use.layer == layer:
                    found[scope.rows] += use.found
                    listed[scope.rows] += use.listed
                    own.append(use)
        return Use(
            layer, found, listed, sum(use.seconds for use in own), sum(use.bytes for use in own),
            sum(use.edges for use in own), Counter(use.failure for use in own if use.failure),
            sum(use.learning_seconds for use in own),
        )  # fmt: skip


def by_fold(parts: Sequence[Answered], fold: NDArray[np.int64]) -> Answered:
    """One answer of several: question q is answered by ``parts[fold[q]]``.

    The times of a layer are added up, of its bytes and edges the most counts.

    Args:
        parts: one for each fold.
        fold: [Q] of each question.
    """
    rows, none = np.arange(len(fold)), np.zeros(len(fold), np.int64)
    uses = []
    for layer in dict.fromkeys(use.layer for part in parts for use in part.uses):
        own = [next((use for use in part.uses if use.layer == layer), None) for part in parts]
        there = [use for use in own if use is not None]
        failures: Counter[str] = Counter()
        for use in there:
            failures |= Counter(use.failures)
        found = np.stack([none if use is None else use.found for use in own])[fold, rows]
        listed = np.stack([none if use is None else use.listed for use in own])[fold, rows]
        uses.append(
            Use(layer, found, listed, sum(use.seconds for use in there),
                max(use.bytes for use in there), max(use.edges for use in there), failures,
                sum(use.learning_seconds for use in there))
        )  # fmt: skip
    ranking = Ranking(
        np.stack([part.ranking.ids for part in parts])[fold, rows],
        np.stack([part.ranking.scores for part in parts])[fold, rows],
    )
    return Answered(ranking, np.stack([part.expanded for part in parts])[fold, rows], tuple(uses))
