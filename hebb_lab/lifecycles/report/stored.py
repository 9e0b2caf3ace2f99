"""A stored run on the lives of memories: its leaderboard, its lives, its curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.pages.stored import StoredRun


@dataclass(frozen=True)
class Stored(StoredRun):
    """One run with its leaderboard."""

    @property
    def memory(self) -> Mapping[str, Any]:
        """Embedder, base rules, horizons, counts, and what became of each life."""
        memory: Mapping[str, Any] = self.run.result["memory"]
        return memory

    @property
    def lives(self) -> Sequence[Mapping[str, Any]]:
        """One entry each: life (its first arm), arms, practice, counts, rows, edges, bytes."""
        lives: Sequence[Mapping[str, Any]] = self.memory["lives"]
        return lives

    def sittings(self) -> dict[str, list[str]]:
        """Task of the data → its tasks of the run, in the order of days."""
        found: dict[str, list[str]] = {}
        for name, entry in self.run.tasks.items():
            found.setdefault(entry["of"], []).append(name)
        return found

    @cached_property
    def retention(self) -> Sequence[Mapping[str, Any]]:
        """Curves of each life: life, half_lives, threshold, days, kept, kept_needed, counts."""
        curves: Sequence[Mapping[str, Any]] = self.json("retention.json")
        return curves

    @cached_property
    def shared(self) -> Mapping[str, float]:
        """Test question → share of what it needs that practice needed before.

        Of those that need anything; empty where the run did not keep it.

        Raises:
            InputError: the file is absent or damaged.
        """
        path = self.run.folder / "questions.parquet"
        try:
            frame = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(
                f"cannot be read ({error})", "Delete the run folder and run it again", path
            ) from error
        if "shared" not in frame.columns:
            return {}
        known = frame.filter(pl.col("shared").is_not_null())
        return dict(zip(known["query_id"], known["shared"], strict=True))

    @cached_property
    def growth(self) -> Mapping[str, Any]:
        """Sizes of a store on a disk; empty where it was not measured."""
        growth: Mapping[str, Any] = self.json("growth.json")
        return growth
