"""A stored run on the lives of memories: its leaderboard, its lives, its curves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.evaluation.leaderboard import ROW_SCHEMA, Leaderboard
from hebb_lab.runs.reader import read_run

if TYPE_CHECKING:
    from pathlib import Path

    from hebb_lab.runs import Run

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
    def rows(self) -> dict[tuple[str, str, str], dict[str, Any]]:
        """(task, arm, metric) → row of the leaderboard."""
        return {(r["task"], r["arm"], r["metric"]): r for r in self.board.rows.to_dicts()}

    def row(self, task: str, arm: str, metric: str) -> Mapping[str, Any]:
        """Row of the leaderboard; empty where there is none."""
        return self.rows.get((task, arm, metric), {})

    def group(self, name: str) -> list[str]:
        """Arms of a group, in the order of the run."""
        return [arm for arm, entry in self.run.arms.items() if entry.get("group") == name]

    @cached_property
    def retention(self) -> Sequence[Mapping[str, Any]]:
        """Curves of each life: life, half_lives, threshold, days, kept, kept_needed, counts."""
        curves: Sequence[Mapping[str, Any]] = self._json("retention.json")
        return curves

    @cached_property
    def growth(self) -> Mapping[str, Any]:
        """Sizes of a store on a disk; empty where it was not measured."""
        growth: Mapping[str, Any] = self._json("growth.json")
        return growth

    def _json(self, name: str) -> Any:
        """A file of the run.

        Raises:
            InputError: the file is absent or damaged.
        """
        path = self.run.folder / name
        try:
            return json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read ({error})", _AGAIN, path) from error


def stored_of(folder: Path) -> Stored:
    """A run with the leaderboard that lies in its folder."""
    rows = json.loads((folder / "leaderboard.json").read_text("utf-8"))["rows"]
    run = read_run(folder)
    heads = {name: tuple(task["headlines"]) for name, task in run.tasks.items()}
    return Stored(run, Leaderboard(pl.DataFrame(rows, schema=ROW_SCHEMA), (), heads))
