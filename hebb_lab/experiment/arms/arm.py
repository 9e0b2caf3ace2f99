"""One arm of an ablation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hebb_lab.experiment.arms.in_time import RulesInTime
    from hebb_lab.experiment.arms.references import Fit
    from hebb_lab.experiment.arms.scored import MemoryScore
    from hebb_lab.graph.rules import SynapseRules

_HALF_LIVES = ("half_life_personal_days", "half_life_shared_days", "half_life_ephemeral_days")
IGNORES_RULES = (
    "random", "popularity", "recency", "oracle", "bm25", "dense", "hybrid", "memory",
)  # fmt: skip
"""Methods that read no rules: a fit of half-lives is nothing to them."""


@dataclass(frozen=True)
class Arm:
    """One arm.

    Args:
        name: as the leaderboard shows it.
        method: how it ranks, a name of METHODS.
        group: the kind of change, for the figures.
        base: the arm it is compared with; None for the base itself.
        rules: the whole rule set that it runs under; with a schedule, the last of it.
        layers: the graph layers that it walks, names of LAYERS.
        changed: the switches in which it differs from the base's rules.
        about: one line for the leaderboard's legend.
        parts: for attribution: the parts that are on.
        schedule: (from_us, rules), ascending: the rules of queries strictly after from_us, up to
            the next one; empty where ``rules`` hold for all queries.
        fit: where its half-lives come from, if a run has fitted them.
        memory: of the method memory: how it scores.
    """

    name: str
    method: str
    group: str
    base: str | None
    rules: SynapseRules
    layers: tuple[str, ...] = ("synapse",)
    changed: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    parts: tuple[str, ...] | None = None
    schedule: tuple[tuple[int, SynapseRules], ...] = ()
    fit: Fit | None = None
    memory: MemoryScore | None = None

    @classmethod
    def under(cls, rules: RulesInTime, **others: Any) -> Arm:
        """An arm under rules that may come from a fit; a method that reads no rules has no fit."""
        if others["method"] in IGNORES_RULES:
            return cls(rules=rules.plain, **others)
        return cls(rules=rules.last(), schedule=rules.schedule(), fit=rules.used, **others)

    def all_rules(self) -> tuple[SynapseRules, ...]:
        """Every rule set that some query of it runs under."""
        return tuple(rules for _, rules in self.schedule) or (self.rules,)

    def config_id(self) -> str:
        """Hash of what the arm does, whatever its name."""
        does: list[Any] = [self.method, self.layers, asdict(self.rules)]
        if self.schedule:
            does.append([[from_us, asdict(rules)] for from_us, rules in self.schedule])
        if self.memory is not None:
            does.append(asdict(self.memory))
        text = json.dumps(does, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def parameters(self) -> dict[str, Any]:
        """The resolved arm, for result.json; ``half_life_days`` null where nothing decays.

        An arm whose half-lives change with time has ``schedule`` instead.
        """
        named = {"method": self.method, "layers": list(self.layers), **asdict(self.rules)}
        if self.memory is not None:
            named["memory"] = asdict(self.memory)
        if self.fit is not None:
            named["fitted"] = self.fit.named()
        if self.schedule:
            named["schedule"] = [
                {"from_us": from_us, **{name: getattr(rules, name) for name in _HALF_LIVES}}
                for from_us, rules in self.schedule
            ]
            return named
        fixed = self.rules.half_life == "fixed"
        return {**named, "half_life_days": self.rules.half_life_personal_days if fixed else None}
