"""Rules chosen on the other scopes: seeded coordinate ascent, one for each fold, in step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.layers.arms.arm import PLAN_KEYS, SWITCHES, changed_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.layers.protocol.folds import Folds
    from hebb_lab.recall.cognitive.plan import Plan

log = logging.getLogger(__name__)
ROUNDING = 1e-12
Evaluate = Callable[[Sequence["Plan"]], "NDArray[np.float64]"]
"""Plans → [P, Q] scores of all questions, NaN where a question is not asked."""


class Top(NamedTuple):
    """Where the ascent from one start ended, for one fold.

    begin: name of the start.
    changed: setting → value, where it differs from the plan that the run has.
    plan: that plan with these.
    others: mean of the metric on the other folds, by which it was chosen.
    own: the same on the fold itself, which the search never saw.
    """

    begin: str
    changed: Mapping[str, Any]
    plan: Plan
    others: float
    own: float


class Pick(NamedTuple):
    """What was chosen for one fold.

    fold: its name.
    changed: setting → value, where it differs from the start.
    plan: the start with these.
    start: mean of the metric on the other folds by the start.
    chosen: the same by the pick.
    begin: name of the start from which it was reached; empty where nothing beat the run's plan.
    tops: what each start reached, in their order.
    """

    fold: str
    changed: Mapping[str, Any]
    plan: Plan
    start: float
    chosen: float
    begin: str = ""
    tops: tuple[Top, ...] = ()

    def of_first(self) -> Pick:
        """The same where the search knew its first start alone."""
        top = self.tops[0]
        return self._replace(
            changed=top.changed, plan=top.plan, chosen=top.others, begin=top.begin,
            tops=self.tops[:1],
        )  # fmt: skip


@dataclass
class Search:
    """Coordinate ascent for all folds in step, so that they share what they evaluate.

    In each round the settings of the grid come in a seeded order. Each fold tries all values of
    one setting on top of what it has, and takes the best mean over the questions of the other
    folds; what it has stays unless another is better by more than rounding. Ascent finds the top
    of the hill that it starts on, so it may begin at several places: each fold takes the best top.

    Args:
        start: the plan that the run has.
        grid: setting → values.
        folds: of the questions.
        evaluate: scores plans; each plan is asked once.
        rounds: passes over the grid at most.
        rng: of the order of settings.
        told: gets (what, done, of how many) before each step.
        starts: name → settings on top of the start: where ascents begin.
    """

    start: Plan
    grid: Mapping[str, Sequence[Any]]
    folds: Folds
    evaluate: Evaluate
    rounds: int
    rng: np.random.Generator
    told: Callable[[str, int, int], None] = lambda what, done, total: None
    starts: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"start": {}})
    scores: dict[Plan, NDArray[np.float64]] = field(default_factory=dict)

    def picks(self) -> list[Pick]:
        """What each fold chooses; a fold never sees its own questions."""
        self._ensure([self.start])
        reached = {
            name: self._ascend(name, changed_plan(self.start, changes), number)
            for number, (name, changes) in enumerate(self.starts.items())
        }
        return [self._pick(f, {name: plans[f] for name, plans in reached.items()})
                for f in range(len(self.folds.names))]  # fmt: skip

    def _pick(self, f: int, reached: Mapping[str, Plan]) -> Pick:
        """The best of what one fold reached; the run's own plan where none is better."""
        begin = next((name for name, plan in reached.items() if plan == self.start), "")
        best, start = self.start, self._mean(self.start, f)
        for name, plan in reached.items():
            if self._mean(plan, f) > self._mean(best, f) + ROUNDING:
                begin, best = name, plan
        tops = tuple(
            Top(name, difference(self.start, plan), plan, self._mean(plan, f),
                self._mean(plan, f, own=True))
            for name, plan in reached.items()
        )  # fmt: skip
        changed = difference(self.start, best)
        return Pick(self.folds.names[f], changed, best, start, self._mean(best, f), begin, tops)

    def _ascend(self, start: str, plan: Plan, number: int) -> list[Plan]:
        """The top that each fold reaches from one plan."""
        plans = [plan] * len(self.folds.names)
        self._ensure([plan])
        steps = self.rounds * len(self.grid)
        for turn in range(self.rounds):
            before = list(plans)
            for place, name in enumerate(self.rng.permutation(list(self.grid)).tolist()):
                done = number * steps + turn * len(self.grid) + place
                self.told(f"tuning {name}", done, steps * len(self.starts))
                self._step(name, plans)
            log.info(
                "tuning from %s, round %d: %d of %d folds changed, %d plans evaluated",
                start, turn + 1, sum(a != b for a, b in zip(before, plans, strict=True)),
                len(plans), len(self.scores),
            )  # fmt: skip
            if plans == before:
                break
        return plans

    def _step(self, name: str, plans: list[Plan]) -> None:
        """One setting, all folds."""
        tried = {
            plan: [changed_plan(plan, {name: value}) for value in self.grid[name]]
            for plan in dict.fromkeys(plans)
        }
        self._ensure([plan for others in tried.values() for plan in others])
        for f, plan in enumerate(plans):
            best = self._mean(plan, f)
            for other in tried[plan]:
                mean = self._mean(other, f)
                if mean > best + ROUNDING:
                    best, plans[f] = mean, other

    def _ensure(self, plans: Sequence[Plan]) -> None:
        new = [plan for plan in dict.fromkeys(plans) if plan not in self.scores]
        if new:
            self.scores.update(zip(new, self.evaluate(new), strict=True))

    def _mean(self, plan: Plan, fold: int, *, own: bool = False) -> float:
        """Mean over the questions of the other folds, or over the fold's own."""
        scores = self.scores[plan][(self.folds.fold == fold) == own]
        return float(np.nanmean(scores)) if np.isfinite(scores).any() else -np.inf


def difference(start: Plan, plan: Plan) -> dict[str, Any]:
    """The settings in which a plan differs from another, as ``changed_plan`` takes them.

    >>> from hebb_lab.recall.cognitive.plan import Plan
    >>> difference(Plan(), changed_plan(Plan(), {"seeder": "dense", "merge": "sum"}))
    {'seeder': 'dense', 'merge': 'sum'}
    """
    keys = {key: getattr(plan, key) for key in PLAN_KEYS}
    own = {key: value for key, value in keys.items() if value != getattr(start, key)}
    if "memory" in own:
        own["memory"] = {
            part.name: value
            for part in fields(plan.memory)
            if (value := getattr(plan.memory, part.name)) != getattr(start.memory, part.name)
        }
    switches = {name: getattr(plan.rules, name) for name in SWITCHES}
    return own | {
        name: value for name, value in switches.items() if value != getattr(start.rules, name)
    }
