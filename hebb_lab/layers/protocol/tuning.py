"""Rules chosen on the other scopes: seeded coordinate ascent, one for each fold, in step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.layers.arms.arm import changed_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.layers.protocol.folds import Folds
    from hebb_lab.recall.cognitive.plan import Plan

log = logging.getLogger(__name__)
Evaluate = Callable[[Sequence["Plan"]], "NDArray[np.float64]"]
"""Plans → [P, Q] scores of all questions, NaN where a question is not asked."""


class Pick(NamedTuple):
    """What was chosen for one fold.

    fold: its name.
    changed: setting → value, where it differs from the start.
    plan: the start with these.
    start: mean of the metric on the other folds by the start.
    chosen: the same by the pick.
    """

    fold: str
    changed: Mapping[str, Any]
    plan: Plan
    start: float
    chosen: float


@dataclass
class Search:
    """Coordinate ascent for all folds in step, so that they share what they evaluate.

    In each round the settings of the grid come in a seeded order. Each fold tries all values of
    one setting on top of what it has, and takes the best mean over the questions of the other
    folds; what it has stays unless another is better by more than rounding. A setting whose values
    do not go with the rest is passed over.

    Args:
        start: the plan that all begin with.
        grid: setting → values.
        folds: of the questions.
        evaluate: scores plans; each plan is asked once.
        rounds: passes over the grid at most.
        rng: of the order of settings.
        told: gets (what, done, of how many) before each step.
    """

    start: Plan
    grid: Mapping[str, Sequence[Any]]
    folds: Folds
    evaluate: Evaluate
    rounds: int
    rng: np.random.Generator
    told: Callable[[str, int, int], None] = lambda what, done, total: None
    scores: dict[Plan, NDArray[np.float64]] = field(default_factory=dict)

    def picks(self) -> list[Pick]:
        """What each fold chooses; a fold never sees its own questions."""
        count = len(self.folds.names)
        plans, changed = [self.start] * count, [dict[str, Any]() for _ in range(count)]
        self._ensure([self.start])
        steps = self.rounds * len(self.grid)
        for number in range(self.rounds):
            before = list(plans)
            for place, name in enumerate(self.rng.permutation(list(self.grid)).tolist()):
                self.told(f"tuning {name}", number * len(self.grid) + place, steps)
                self._step(name, plans, changed)
            log.info(
                "tuning, round %d: %d of %d folds changed, %d plans evaluated",
                number + 1, sum(a != b for a, b in zip(before, plans, strict=True)), count,
                len(self.scores),
            )  # fmt: skip
            if plans == before:
                break
        return [
            Pick(name, changed[f], plans[f], self._mean(self.start, f), self._mean(plans[f], f))
            for f, name in enumerate(self.folds.names)
        ]

    def _step(self, name: str, plans: list[Plan], changed: list[dict[str, Any]]) -> None:
        """One setting, all folds."""
        values = [tuple(v) if isinstance(v, list) else v for v in self.grid[name]]
        tried = {
            plan: [(value, changed_plan(plan, {name: value})) for value in values]
            for plan in dict.fromkeys(plans)
        }
        self._ensure([plan for others in tried.values() for _, plan in others])
        for f, plan in enumerate(plans):
            best, chosen = self._mean(plan, f), None
            for value, other in tried[plan]:
                mean = self._mean(other, f)
                if mean > best + 1e-12:
                    best, chosen = mean, (value, other)
            if chosen is not None:
                plans[f] = chosen[1]
                changed[f][name] = chosen[0]
                if changed_plan(self.start, {name: chosen[0]}) == self.start:
                    del changed[f][name]

    def _ensure(self, plans: Sequence[Plan]) -> None:
        new = [plan for plan in dict.fromkeys(plans) if plan not in self.scores]
        if new:
            self.scores.update(zip(new, self.evaluate(new), strict=True))

    def _mean(self, plan: Plan, fold: int) -> float:
        """Mean over the questions of the other folds."""
        others = self.scores[plan][self.folds.fold != fold]
        return float(np.nanmean(others)) if np.isfinite(others).any() else -np.inf
