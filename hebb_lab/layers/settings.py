"""The settings of a layers experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hebb_lab.graph.cognitive.rules import PARTS


@dataclass(frozen=True)
class TuningSettings:
    """How rules are chosen for each scope on the other scopes only.

    Args:
        start: documented, observed, or None for the rules of the stack.
        metric: what is maximised, a mean over the other scopes' questions.
        starts: name → settings on top of that: an ascent begins at each, the best top counts.
        rounds: passes of coordinate ascent over the grid at most; it stops when nothing changes.
        folds: where the data has one scope, its clusters are dealt into so many folds.
        grid: switch (or seeder, scoring, profile, habituation, importance) → values to try.
    """

    start: str | None = None
    metric: str = "nDCG@10"
    starts: Mapping[str, Any] = field(default_factory=lambda: {"start": {}})
    rounds: int = 2
    folds: int = 5
    grid: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class CognitiveSettings:
    """The cognitive graph as it is measured: one stack of layers, and the arms around it.

    Args:
        seeder: direct search; ``auto`` is hybrid where an embedder is there, else bm25.
        entities: extractor of entities, or ``auto``: given where the data has them, else rules.
        tags: tagger, or ``auto``: given where the data has them, else tfidf.
        layers: the full stack.
        rules: of the stack, all switches.
        families: groups of arms, names of FAMILIES.
        arms: the user's own.
        tuning: of the family ``tuned``.
    """

    seeder: str = "auto"
    entities: str = "auto"
    tags: str = "auto"
    layers: tuple[str, ...] = PARTS
    rules: Mapping[str, Any] = field(default_factory=dict)
    families: tuple[str, ...] = ()
    arms: Mapping[str, Any] = field(default_factory=dict)
    tuning: TuningSettings = field(default_factory=TuningSettings)
