"""Settings chosen on practice questions alone, for each part of the test by those that may."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.arms import MemoryArm
    from hebb_lab.lifecycles.protocol.parts import Part
    from hebb_lab.memory.rules import MemoryRules

ROUNDING = 1e-12


class Candidate(NamedTuple):
    """One combination of a grid, and the arm with it."""

    changed: Mapping[str, Any]
    arm: MemoryArm


class Chosen(NamedTuple):
    """What answers one part of the test questions.

    part: the questions, and those that chose.
    changed: the settings chosen, where they differ from the arm's own.
    arm: with them.
    start, chosen: means of the metric over the questions that chose, as the arm stands and by the
        choice; None where none could choose.
    """

    part: Part
    changed: Mapping[str, Any]
    arm: MemoryArm
    start: float | None
    chosen: float | None


@dataclass(frozen=True)
class Pick:
    """What practice chose, part by part; and over all practice, which answers no test question.

    Args:
        by: what parts are, ``time`` or ``clusters``.
        parts: what answers each part.
        changed: settings that are best over all practice questions, where they differ.
        start: mean of the metric over all practice questions as the arm stands.
        chosen: the same by those settings, on the questions that chose them.
        questions: of practice.
    """

    by: str
    parts: Sequence[Chosen]
    changed: Mapping[str, Any]
    start: float
    chosen: float
    questions: int

    def told(self, metric: str) -> dict[str, Any]:
        """As result.json keeps it."""
        return {
            "metric": metric, "by": self.by, "questions": self.questions,
            "changed": plain(self.changed), "start": number(self.start),
            "chosen": number(self.chosen),
            "parts": [
                {"part": each.part.name, "changed": plain(each.changed),
                 "practice": int(each.part.practice.sum()), "test": int(each.part.test.sum()),
                 "start": number(each.start), "chosen": number(each.chosen)}
                for each in self.parts
            ],
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
    tried: Sequence[Candidate], scores: NDArray[np.float64], parts: Sequence[Part], by: str
) -> Pick:
    """The best candidate for each part by the questions that may choose for it.

    Args:
        tried: the arm as it stands, then the others; the first best one counts.
        scores: [C, P] of each candidate on each practice question.
        parts: of the test questions.
        by: what the parts are.
    """
    best = _best(scores)
    return Pick(
        by, [_chosen(tried, scores, part) for part in parts], tried[best].changed,
        _mean(scores[0]), _mean(scores[best]), scores.shape[1],
    )  # fmt: skip


def _chosen(tried: Sequence[Candidate], scores: NDArray[np.float64], part: Part) -> Chosen:
    if not part.practice.any():
        return Chosen(part, tried[0].changed, tried[0].arm, None, None)
    own = scores[:, part.practice]
    best = _best(own)
    return Chosen(part, tried[best].changed, tried[best].arm, _mean(own[0]), _mean(own[best]))


def _mean(scores: NDArray[np.float64]) -> float:
    return float(scores.mean()) if scores.size else math.nan


def _best(scores: NDArray[np.float64]) -> int:
    if not scores.shape[1]:
        return 0
    means = scores.mean(axis=1)
    return int(np.flatnonzero(means >= means.max() - ROUNDING)[0])


def plain(changed: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as JSON has them."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in changed.items()}


def number(value: float | None) -> float | None:
    """Rounded, or None for what is no number."""
    return round(value, 6) if value is not None and math.isfinite(value) else None
