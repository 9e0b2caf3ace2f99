"""A stored layers run: its leaderboard, its stack, its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hebb_lab.pages.stored import StoredRun

if TYPE_CHECKING:
    import polars as pl

QUESTIONS = "questions.parquet"


@dataclass(frozen=True)
class Stored(StoredRun):
    """One run with its leaderboard."""

    @property
    def layers(self) -> Sequence[str]:
        """The stack, in its order."""
        layers: Sequence[str] = self.run.result["layers"]["stack"]["layers"]
        return layers

    @cached_property
    def questions(self) -> pl.DataFrame:
        """One row a question: query_id, category, scope, group.

        Raises:
            InputError: the file is absent or damaged.
        """
        return self.table(QUESTIONS, "query_id", "category")


def rate_of(entry: Mapping[str, Any], name: str, task: str) -> float | None:
    """An arm's expansion_rate or candidate_rate on a task; None where it has no layers to expand.

    >>> rate_of({"parameters": {"layers": []}, "expansion_rate": {"t": 1.0}}, "expansion_rate", "t")
    """
    if not (entry.get("parameters") or {}).get("layers"):
        return None
    rate: float | None = (entry.get(name) or {}).get(task)
    return rate
