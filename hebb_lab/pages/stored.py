"""A stored run with its leaderboard: what pages, figures and the command line read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.evaluation.leaderboard import ROW_SCHEMA, Leaderboard
from hebb_lab.runs.reader import read_run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hebb_lab.runs import Run

METRICS = ("nDCG@10", "R@10", "any@10", "all@10")
"""What tables show, where the run measured it."""
_AGAIN = "Delete the run folder and run it again"


@dataclass(frozen=True)
class StoredRun:
    """One run with its leaderboard.

    Args:
        run: as it was read.
        board: its leaderboard.
    """

    run: Run
    board: Leaderboard

    @classmethod
    def of(cls, folder: Path) -> Self:
        """A run with the leaderboard that lies in its folder."""
        rows = json.loads((folder / "leaderboard.json").read_text("utf-8"))["rows"]
        run = read_run(folder)
        heads = {name: tuple(task["headlines"]) for name, task in run.tasks.items()}
        return cls(run, Leaderboard(pl.DataFrame(rows, schema=ROW_SCHEMA), (), heads))

    @property
    def metrics(self) -> list[str]:
        """Those of METRICS that the run measured, in their order."""
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

    def json(self, name: str) -> Any:
        """A file of the run.

        Raises:
            InputError: the file is absent or damaged.
        """
        path = self.run.folder / name
        try:
            return json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read ({error})", _AGAIN, path) from error

    def table(self, name: str, *columns: str) -> pl.DataFrame:
        """A Parquet file of the run.

        Args:
            name: of the file.
            columns: that it must have.

        Raises:
            InputError: the file is absent or damaged.
        """
        path = self.run.folder / name
        try:
            frame = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"cannot be read ({error})", _AGAIN, path) from error
        missing = set(columns) - set(frame.columns)
        if missing:
            raise InputError(f"lacks {', '.join(sorted(missing))}", _AGAIN, path)
        return frame
