"""The memory model's rules as data: every number and every deviation is a named switch.

Source: "Memory Model" (HEBBS), page and engine v0.1.0 and v0.3.4; rules.md §3. The page is the
default here; `hebb_lab.memory.published` lists what the code turns. Where the page is silent, the
help of the switch says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, asdict, dataclass
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.graph.switches import check_choices, checked
from hebb_lab.memory.rules.lifecycle import LifecycleRules
from hebb_lab.memory.rules.recalling import RecallRules
from hebb_lab.memory.rules.reflecting import ReflectionRules

_SHARES = (
    "analogy_blend", "analogy_empty", "causal_recency", "importance_boost", "co_recall_rate",
    "insight_weight", "push_threshold",
)  # fmt: skip
_COUNTS = (
    "hnsw_neighbours", "hnsw_construction", "hnsw_search", "scope_oversampling", "causal_depth",
    "analogy_candidates", "co_recall_first", "forget_most", "reflect_least", "reflect_most",
    "cluster_least", "clusters_most", "cluster_iterations", "silhouette_sample",
    "push_candidates", "push_queue", "flush_tokens",
)  # fmt: skip
DEEPEST = 10  # edges that a walk may follow


@dataclass(frozen=True)
class MemoryRules(ReflectionRules, LifecycleRules, RecallRules):
    """One rule set of the memory model. The defaults are the documented rules."""

    where: InitVar[str] = "rules"  # the group of settings that errors name

    def __post_init__(self, where: str) -> None:
        check_choices(self, where)
        for name in _SHARES:
            if getattr(self, name) > 1:
                raise ConfigError(
                    f"{where}.{name}={getattr(self, name)} is above 1", "Give a share"
                )
        for name in _COUNTS:
            if getattr(self, name) < 1:
                raise ConfigError(f"{where}.{name} must be at least 1", "Give such a number")
        if self.causal_depth > DEEPEST:
            raise ConfigError(f"{where}.causal_depth={self.causal_depth} is above {DEEPEST}",
                              f"Give 1 to {DEEPEST}")  # fmt: skip
        if not self.half_life_days > 0:
            raise ConfigError(f"{where}.half_life_days must be positive", "Give days")

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any], where: str = "rules") -> MemoryRules:
        """Rules from a config; an unknown name is an error that lists the names.

        Args:
            values: switch → value.
            where: the group of settings that they stand in, which errors name.

        Raises:
            ConfigError: an unknown switch, a wrong choice, a bad number.
        """
        return cls(**checked(cls, values, where), where=where)

    def change(self, **switches: Any) -> MemoryRules:
        """The same rules with some switches set otherwise.

        >>> MemoryRules().change(causal="both").causal
        'both'
        """
        return MemoryRules.from_mapping({**asdict(self), **switches})

    def weight_of(self, kind: int) -> float:
        """What an edge of a kind, 1 to 5 as in EdgeKind, multiplies a walk's relevance by."""
        return (
            self.weight_caused_by, self.weight_related_to, self.weight_followed_by,
            self.weight_revised_from, self.weight_insight_from,
        )[kind - 1]  # fmt: skip


def checked_rules(rules: Any) -> MemoryRules:
    """Rules of a store.

    Raises:
        ConfigError: anything else, such as the name of a rule set.
    """
    if not isinstance(rules, MemoryRules):
        raise ConfigError(
            f"rules are no MemoryRules but {type(rules).__name__}",
            "Give DOCUMENTED, OBSERVED, or MemoryRules.from_mapping(…)",
        )
    return rules
