"""Settings chosen on practice questions alone, and what they come to on those held out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.layers.protocol.folds import folds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.arms import MemoryArm
    from hebb_lab.memory.rules import MemoryRules

ROUNDING = 1e-12


class Candidate(NamedTuple):
    """One combination of a grid, and the arm with it."""

    changed: Mapping[str, Any]
    arm: MemoryArm


@dataclass(frozen=True)
class Pick:
    """What practice chose.

    Args:
        arm: with the settings that are best over all practice questions.
        changed: those settings, where they differ from the arm's own.
        start: mean of the metric over all practice questions as the arm stands.
        chosen: the same by the pick, on the questions that chose it.
        held_out: mean where each fold's questions are answered by what the others chose.
        folds: one entry each: fold, changed, others, own.
        questions: of practice.
    """

    arm: MemoryArm
    changed: Mapping[str, Any]
    start: float
    chosen: float
    held_out: float
    folds: Sequence[Mapping[str, Any]]
    questions: int

    def told(self, metric: str) -> dict[str, Any]:
        """As result.json keeps it."""
        return {
            "metric": metric, "questions": self.questions, "changed": plain(self.changed),
            "start": number(self.start), "chosen": number(self.chosen),
            "held_out": number(self.held_out), "folds": [dict(fold) for fold in self.folds],
        }  # fmt: skip


def candidates(arm: MemoryArm, grid: Mapping[str, Sequence[Any]]) -> list[Candidate]:
    """All combinations of a grid on an arm; the arm as it stands comes first."""
    made: dict[tuple[MemoryRules, tuple[str, ...]], Candidate] = {}
    combined = [
        dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())
    ]
    for changes in [{}, *combined]:
        rules = {name: value for name, value in changes.items() if name != "strategies"}
        asked = tuple(changes.get("strategies", arm.strategies))
        other = replace(arm, rules=arm.rules.change(**rules), strategies=asked)
        differs = {
            name: value for name, value in changes.items()
            if (asked != arm.strategies if name == "strategies"
                else value != getattr(arm.rules, name))
        }  # fmt: skip
        made.setdefault((other.rules, asked), Candidate(differs, other))
    return list(made.values())


def picked(
    tried: Sequence[Candidate], scores: NDArray[np.float64], groups: Sequence[str], folds: int,
    rng: np.random.Generator,
) -> Pick:  # fmt: skip
    """The best candidate over all practice questions; what the folds say of such a choice.

    Args:
        tried: the arm as it stands, then the others; the first best one counts.
        scores: [P, Q] of each candidate on each practice question.
        groups: [Q] cluster of each question; clusters are dealt into folds.
        folds: so many at most.
        rng: of the dealing.

    Raises:
        InputError: all questions are of one cluster.
    """
    none = np.zeros(len(groups), np.int64)
    parts = folds_of(("practice",), none, groups, folds, rng)
    told, held_out = [], np.zeros(len(groups))
    for part, name in enumerate(parts.names):
        own = parts.fold == part
        best = _best(scores[:, ~own])
        held_out[own] = scores[best, own]
        told.append({
            "fold": name, "changed": plain(tried[best].changed),
            "others": number(float(scores[best, ~own].mean())),
            "own": number(float(scores[best, own].mean())),
        })  # fmt: skip
    best = _best(scores)
    return Pick(
        tried[best].arm, tried[best].changed, float(scores[0].mean()), float(scores[best].mean()),
        float(held_out.mean()), told, len(groups),
    )  # fmt: skip


def _best(scores: NDArray[np.float64]) -> int:
    means = scores.mean(axis=1)
    return int(np.flatnonzero(means >= means.max() - ROUNDING)[0])


def plain(changed: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as JSON has them."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in changed.items()}


def number(value: float) -> float | None:
    """Rounded, or None for what is no number."""
    return round(value, 6) if math.isfinite(value) else None
