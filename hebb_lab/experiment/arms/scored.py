"""How an arm of the method ``memory`` scores: rules of the memory model, and what is relevant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.rules.scoring import scoring_rules

RELEVANCE = ("bm25", "dense", "none")


@dataclass(frozen=True)
class MemoryScore:
    """How an arm scores.

    Args:
        relevance: bm25: a node's score as a share of the query's best; dense: its cosine, at least
            0; none: 0 for all.
        rules: of the memory model.
    """

    relevance: str = "bm25"
    rules: MemoryRules = field(default_factory=MemoryRules)

    def __post_init__(self) -> None:
        if self.relevance not in RELEVANCE:
            raise ConfigError(
                f"relevance={self.relevance!r} is not a choice",
                f"Use one of {', '.join(RELEVANCE)}",
            )

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any], where: str) -> MemoryScore:
        """From a config: relevance, start, and switches of the memory model.

        Raises:
            ConfigError: an unknown switch, a value that it cannot have.
        """
        own = {name: value for name, value in values.items() if name != "relevance"}
        return cls(values.get("relevance", "bm25"), scoring_rules(own, where))


def score_of(name: str, method: str, values: Mapping[str, Any] | None) -> MemoryScore | None:
    """What ``arms.NAME.memory`` says; None for an arm of another method.

    Raises:
        ConfigError: another method has such settings.
    """
    if method == "memory":
        return MemoryScore.from_mapping(values or {}, f"arms.{name}.memory")
    if values is not None:
        raise ConfigError(
            f"arms.{name}.memory is set, and method={method} does not read it",
            "Set method: memory, or leave it out",
        )
    return None
