"""A stored layers run: its leaderboard, its arms' facts, its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.runs import Run

METRICS = ("nDCG@10", "R@10", "any@10", "all@10")
"""What the layers' tables show, where the run measured it."""
QUESTIONS = "questions.parquet"
_AGAIN = "Delete the run folder and run it again"


@dataclass(frozen=True)
class Stored:
    """One run with its leaderboard.

    Args:
        run: as it was read.
        board: its leaderboard.
    """

    run: Run
    board: Leaderboard

    @property
    def layers(self) -> Sequence[str]:
        """The stack, in its order."""
        layers: Sequence[str] = self.run.result["layers"]["stack"]["layers"]
        return layers

    @property
    def metrics(self) -> list[str]:
        """Those of METRICS that the run measured, its own headline first."""
        measured = set(self.board.rows["metric"])
        return [metric for metric in METRICS if metric in measured]

    @cached_property
    def rows(self) -> dict[tuple[str, str, str], dict[str, Any]]:
        """(task, arm, metric) → row of the leaderboard."""
        return {(r["task"], r["arm"], r["metric"]): r for r in self.board.rows.to_dicts()}

    def row(self, task: str, arm: str, metric: str) -> Mapping[str, Any]:
        """Row of the leaderboard; empty where there is none."""
        return self.rows.get((task, arm, metric), {})

    def group(self, name: str) -> list[str]:
        """Arms of a group, in the order of the run."""
        return [arm for arm, entry in self.run.arms.items() if entry.get("group") == name]

    def entry(self, arm: str) -> Mapping[str, Any]:
        """The arm's item of result.json; empty where the run has no such arm."""
        return self.run.arms.get(arm, {})

    @cached_property
    def questions(self) -> pl.DataFrame:
        """One row a question: query_id, category, scope, group.

        Raises:
            InputError: the file is absent or damaged.
        """
        path = self.run.folder / QUESTIONS
        try:
            frame = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"cannot be read ({error})", _AGAIN, path) from error
        missing = {"query_id", "category"} - set(frame.columns)
        if missing:
            raise InputError(f"lacks {', '.join(sorted(missing))}", _AGAIN, path)
        return frame


def rate_of(entry: Mapping[str, Any], name: str, task: str) -> float | None:
    """An arm's expansion_rate or candidate_rate on a task; None where it has no layers to expand.

    >>> rate_of({"parameters": {"layers": []}, "expansion_rate": {"t": 1.0}}, "expansion_rate", "t")
    """
    if not (entry.get("parameters") or {}).get("layers"):
        return None
    rate: float | None = (entry.get(name) or {}).get(task)
    return rate
