"""One arm of a layers experiment, and the stack that most of them vary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, NamedTuple

from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.memory.rules.scoring import rules_over
from hebb_lab.recall.cognitive.plan import Plan

PLAN_KEYS = ("seeder", "layers", "scoring", "profile", "habituation", "importance", "memory")
"""What an arm says of its plan beside the rules."""
SWITCHES = tuple(part.name for part in fields(CognitiveRules))


class Stack(NamedTuple):
    """Direct search, all the layers, and their rules: what arms add to, take from and vary."""

    seeder: str
    layers: tuple[str, ...]
    rules: CognitiveRules

    def plan(self, *layers: str, **others: Any) -> Plan:
        """How an arm with these layers recalls; all else as the stack does."""
        plan = Plan(self.seeder, layers, self.rules)
        return replace(plan, **others)

    def full(self, **others: Any) -> Plan:
        """With all layers."""
        return self.plan(*self.layers, **others)


@dataclass(frozen=True)
class LayerArm:
    """One arm.

    Args:
        name: as the leaderboard shows it.
        group: the kind of change, for tables and figures.
        base: the arm that it is compared with; None for none.
        plan: how it recalls; of a tuned arm, what it starts from where nothing was tuned.
        method: ``recall`` by the plan, or an order that no plan makes: a name of FLOORS.
        changed: in what it differs from what it starts from.
        about: one line for the legend.
        parts: the layers that it holds, if it is one of the sets that share out the credit.
        tuned: whether ``changed`` applies to the rules that were chosen on the other scopes.
        first_start: of a tuned arm: whether the search counts from its first start alone.
    """

    name: str
    group: str
    base: str | None
    plan: Plan
    method: str = "recall"
    changed: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    parts: tuple[str, ...] | None = None
    tuned: bool = False
    first_start: bool = False

    def on(self, pick: Plan) -> Plan:
        """The arm's plan where ``pick`` was chosen on the other scopes."""
        return changed_plan(pick, self.changed) if self.tuned else self.plan

    def config_id(self) -> str:
        """Hash of what the arm does, whatever its name."""
        changed = dict(self.changed) if self.tuned else None
        if self.first_start:
            changed = {**self.changed, "starts": "first"}
        plan = _said(self.plan)
        text = json.dumps([self.method, plan, changed], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def parameters(self) -> dict[str, Any]:
        """The resolved arm, for result.json."""
        plan = _said(self.plan)
        rules = plan.pop("rules")
        return {"method": self.method, **plan, "tuned": self.tuned, "rules": rules}


def _said(plan: Plan) -> dict[str, Any]:
    """A plan as plain values; rules of the memory model only where scores are its own."""
    said = asdict(plan)
    if plan.scoring != "memory":
        del said["memory"]
    return said


def changed_plan(plan: Plan, changes: Mapping[str, Any]) -> Plan:
    """A plan with some of its settings, or switches of its rules, set otherwise.

    Args:
        plan: what is changed.
        changes: names of PLAN_KEYS or switches; ``memory`` holds switches of the memory model.

    Raises:
        ConfigError: an unknown switch or a value that it cannot have.

    >>> changed_plan(Plan(), {"seeder": "dense", "walk": "dfs"}).rules.walk
    'dfs'
    """
    own = {key: value for key, value in changes.items() if key in PLAN_KEYS}
    if "layers" in own:
        own["layers"] = tuple(own["layers"])
    if "memory" in own:
        own["memory"] = rules_over(plan.memory, own["memory"], "memory")
    switches = {key: value for key, value in changes.items() if key not in PLAN_KEYS}
    return replace(plan, rules=plan.rules.change(**switches) if switches else plan.rules, **own)
