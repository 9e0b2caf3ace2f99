"""The settings of an experiment on the lives of memories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GRIDS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "tuned": {
        "weight_recency": (0.0, 0.02, 0.05, 0.1, 0.2, 0.4),
        "weight_importance": (0.0, 0.02, 0.05, 0.1, 0.2, 0.4),
        "weight_reinforcement": (0.0, 0.02, 0.05, 0.1, 0.2),
    },
    "tuned_fusion": {
        "strategies": (
            ("similarity",),
            ("similarity", "temporal"),
            ("similarity", "causal"),
            ("similarity", "analogical"),
            ("similarity", "temporal", "causal", "analogical"),
        ),
        "fusion": ("max", "rrf", "normalised"),
    },
}
"""Arm → setting → values: what the arms of the family ``tuned`` may choose from."""


@dataclass(frozen=True)
class WeightSettings:
    """How the family ``tuned`` chooses: on practice questions only.

    Args:
        metric: what is maximised, a mean over practice questions at the first horizon.
        folds: test questions are parted into so many blocks in time, or of clusters.
        grids: arm → setting (a switch, or ``strategies``) → values; all combinations are tried.
    """

    metric: str = "nDCG@10"
    folds: int = 5
    grids: Mapping[str, Any] = field(default_factory=lambda: dict(GRIDS))


@dataclass(frozen=True)
class MemorySettings:
    """A store of memories as it is measured: the base arm's rules, and the arms around it.

    Args:
        rules: of the base arm, all switches.
        strategies: of the base arm.
        horizons: days of silence after which a question is asked.
        families: groups of arms, names of FAMILIES.
        arms: the user's own.
        practice_k: memories that a practice question, or a step of an agent, gets.
        queries_most: test queries of a task, drawn by the seed; None for all.
        sweep_days: an arm that forgets by itself sweeps so often.
        retention_days: the retention curve goes so far.
        retention_half_lives: days; curves of the retention, beside the rules' own.
        growth: whether one replay into a file measures how storage grows.
        tuning: of the family ``tuned``.
    """

    rules: Mapping[str, Any] = field(default_factory=dict)
    strategies: tuple[str, ...] = ("similarity",)
    horizons: tuple[float, ...] = (1, 10, 100)
    families: tuple[str, ...] = ()
    arms: Mapping[str, Any] = field(default_factory=dict)
    practice_k: int = 10
    queries_most: int | None = 500
    sweep_days: float = 1.0
    retention_days: int = 365
    retention_half_lives: tuple[float, ...] = (7, 30, 90)
    growth: bool = True
    tuning: WeightSettings = field(default_factory=WeightSettings)
