"""What a leaderboard is made of: its settings, its sources, its rows and its notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from hebb_lab.evaluation.bootstrap import Method

UNLISTED = "sets"
"""Group of arms that tables and figures do not list: CSV and JSON have them, and attribution."""

ROW_SCHEMA: dict[str, Any] = {
    "dataset": pl.String,
    "dataset_sha256": pl.String,
    "task": pl.String,
    "arm": pl.String,
    "metric": pl.String,
    "value": pl.Float64,  # mean over the queries
    "ci95": pl.List(pl.Float64),  # [low, high]; null where there is only one cluster
    "delta": pl.Float64,  # value − that of the base
    "delta_ci95": pl.List(pl.Float64),
    "p_holm": pl.Float64,  # null outside the family: no base, or not a headline metric
    "tie_band": pl.List(pl.Float64),  # value in the [worst, best] order of equal scores
    "n": pl.Int64,  # queries
    "excluded": pl.Int64,  # left out of the task: queries, windows, gold; reasons in the notes
    "tokens_per_query": pl.Float64,  # at the reporting cut
    "ms_per_query": pl.Float64,
    "edges_per_query": pl.Float64,  # read while answering; null where not counted
    "bytes_per_memory": pl.Float64,  # all that the arm reads, over the number of nodes
    "wall_s": pl.Float64,  # the arm's time on the task, seconds: ms_per_query · n / 1000
    "k_effective": pl.Float64,  # mean number of nodes returned
    "tie_mass": pl.Float64,  # share of queries with a tie across the reporting cut
    "inert": pl.Boolean,  # ranks everything exactly as its base does
    "status": pl.String,  # ok, failed or skipped
    "config_id": pl.String,
    "seed": pl.Int64,  # of the run
    "commit": pl.String,
    "base": pl.String,
    "dz": pl.Float64,
    "win": pl.Int64,
    "tie": pl.Int64,
    "loss": pl.Int64,
    "group": pl.String,
}
"""One row is one metric of one arm on one task of one data set."""


@dataclass(frozen=True)
class Settings:
    """How rows are made.

    Args:
        measures: names, in the order of the table.
        headline: those whose tests form the Holm family of a task; the first one sorts the
            table. One tuple for all tasks, or task → tuple.
        seed: of the draws. Each data set and task has its own stream, so that leaving one out
            changes nothing in the others.
        resamples: of the bootstrap.
        flips: of the sign-flip test.
        interval: "percentile" or "bca"; the confidence is 0.95.
    """

    measures: tuple[str, ...] = ("R@10", "any@10", "all@10", "nDCG@10", "RR@10")
    headline: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ("R@10",)
    seed: int = 0
    resamples: int = 2000
    flips: int = 10_000
    interval: Method = "percentile"

    def headlines(self, task: str) -> tuple[str, ...]:
        """The headline measures of a task."""
        return self.headline[task] if isinstance(self.headline, Mapping) else self.headline


@dataclass(frozen=True)
class Stamp:
    """Where numbers come from.

    Args:
        name: of the data set.
        sha256: of its content.
        commit: of the code.
    """

    name: str
    sha256: str | None = None
    commit: str | None = None


@dataclass(frozen=True)
class Source:
    """The results of one experiment on one data set.

    Args:
        per_query: rows as ``scores.per_query_frame`` makes them, all tasks and arms together.
        arms: a mapping each: arm, status ("ok", "failed", "skipped"), and, where known, base (the
            arm it is compared with), error, group, config_id, ms_per_query (a number or task →
            number), bytes_per_memory, ranking_sha256 (or rankings: task → hash), tasks (names,
            where not all).
        stamp: where the numbers come from.
        excluded: task → reason → what was left out for it: queries, windows, gold.
    """

    per_query: pl.DataFrame
    arms: Sequence[Mapping[str, Any]]
    stamp: Stamp
    excluded: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Note:
    """A sentence that belongs under one table."""

    dataset: str
    task: str
    text: str


@dataclass(frozen=True)
class Leaderboard:
    """Rows in ROW_SCHEMA, what belongs under the tables, and the metric that sorts each task."""

    rows: pl.DataFrame
    notes: tuple[Note, ...]
    headlines: Mapping[str, tuple[str, ...]]


def merge(boards: Sequence[Leaderboard]) -> Leaderboard:
    """Several leaderboards as one, in their order."""
    frames = [pl.DataFrame(schema=ROW_SCHEMA), *(board.rows for board in boards)]
    return Leaderboard(
        rows=pl.concat(frames),
        notes=tuple(note for board in boards for note in board.notes),
        headlines={task: names for board in boards for task, names in board.headlines.items()},
    )
