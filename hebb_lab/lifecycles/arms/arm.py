"""One arm: how a store learns, and how it is then read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple

from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.rules.recalling import RecallRules

SWITCHES = tuple(part.name for part in fields(MemoryRules))
LEARNED = (
    "reinforcement", "count_gain", "access_moves_clock", "importance_boost", "co_recall",
    "co_recall_first", "co_recall_rate", "revise", "revise_context", "revisions_kept",
)  # fmt: skip
"""Switches on which depends what a store holds after a life: an arm that turns one has its own."""
FORGOTTEN = (
    "half_life_days", "half_life_gain", "decay_anchor", "count_in_decay", "forget_below",
    "fresh_look", "auto_forget_most", "decay_superseded", "decay_epsilon", "unflag",
    "reinforcement_cap",
)  # fmt: skip
"""Switches that decide what a store forgets by itself; they count where it does."""
DECAY = ("half_life_days", "half_life_gain", "decay_anchor", "count_in_decay")
"""Switches that recall reads beside its own, where decay takes part in the score."""
READ = (
    *(part.name for part in fields(RecallRules) if part.name not in LEARNED), *DECAY,
    "stale_recalled",
)  # fmt: skip
"""All switches that a recall which changes nothing reads."""
OUTCOMES = ("off", "on", "outcome", "named")


class Life(NamedTuple):
    """How a store learns: arms with the same life are read off the same store.

    rules: by which it learns, and by which it recalls while it does.
    strategies: of those recalls.
    practice: what a practice question, or a step of an agent, reinforces: nothing (off), what
        recall returned (on), what of it was needed (outcome), what was needed (named).
    forgets: whether it sweeps and forgets by itself.
    revises: whether an edit of an agent's node is a revision.
    """

    rules: MemoryRules
    strategies: tuple[str, ...]
    practice: str
    forgets: bool = False
    revises: bool = False

    def key(self) -> str:
        """Names the life, whatever the arm."""
        values = [asdict(self.rules), *self[1:]]
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]


class Reading(NamedTuple):
    """How a store is asked: arms with the same life and reading give the same answers."""

    rules: MemoryRules
    strategies: tuple[str, ...]


class Start(NamedTuple):
    """The base arm's rules and strategies: what the arms vary."""

    rules: MemoryRules
    strategies: tuple[str, ...]


@dataclass(frozen=True)
class MemoryArm:
    """One arm.

    Args:
        name: as the leaderboard shows it.
        group: the kind of change, for tables and figures.
        base: the arm that it is compared with; None for none.
        rules: the whole rule set.
        strategies: of recall.
        start: what the others vary; what an arm does not learn otherwise, it learns as this does.
        method: ``recall``, or a floor: a method of the main experiment.
        changed: in what it differs from the arm it starts from.
        about: one line for the legend.
        practice: of OUTCOMES; None: as rules.reinforcement says.
        forgets, revises: of its life.
        whole: its life, too, is by all its own rules: a system by itself.
        tuned: name of the grid that chooses its rules; None for given ones.
    """

    name: str
    group: str
    base: str | None
    rules: MemoryRules
    strategies: tuple[str, ...]
    start: Start
    method: str = "recall"
    changed: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    practice: str | None = None
    forgets: bool = False
    revises: bool = False
    whole: bool = False
    tuned: str | None = None

    def life(self) -> Life:
        """How its store learns."""
        practice = self.rules.reinforcement if self.practice is None else self.practice
        if self.whole:
            return Life(self.rules, self.strategies, practice, self.forgets, self.revises)
        names = LEARNED + (FORGOTTEN if self.forgets else ())
        own = {name: getattr(self.rules, name) for name in names}
        rules = self.start.rules.change(**own)
        return Life(rules, self.start.strategies, practice, self.forgets, self.revises)

    def reading(self) -> Reading:
        """How its store is asked: its rules in the switches of READ, all others as documented."""
        read = {name: getattr(self.rules, name) for name in READ}
        return Reading(MemoryRules(**read), self.strategies)

    def config_id(self) -> str:
        """Hash of what the arm does, whatever its name."""
        does = [
            self.method, asdict(self.rules), self.strategies, self.practice, self.forgets,
            self.revises, self.whole, self.tuned,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(does, sort_keys=True).encode()).hexdigest()[:12]

    def parameters(self) -> dict[str, Any]:
        """The resolved arm, for result.json."""
        life = self.life()
        return {
            "method": self.method, "strategies": list(self.strategies), "life": life.key(),
            "practice": life.practice, "forgets": self.forgets, "revises": self.revises,
            "tuned": self.tuned, "rules": asdict(self.rules),
        }  # fmt: skip
