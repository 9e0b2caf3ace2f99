"""Leaderboards of stored runs: one run's own, and those of many beside and across data sets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from hebb_lab.evaluation.leaderboard import Settings, Source, Stamp, leaderboard, macro, merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.runs.reader import Run


def source_of(run: Run) -> Source:
    """What a run hands to the leaderboard."""
    return Source(
        per_query=run.per_query,
        arms=list(run.arms.values()),
        stamp=Stamp(run.dataset["name"], run.dataset.get("sha256"), run.result.get("commit")),
        excluded={name: task.get("excluded") or {} for name, task in run.tasks.items()},
    )


def settings_of(run: Run, resamples: int | None = None) -> Settings:
    """How a run wants its numbers made.

    Args:
        run: its metrics, the headline of each task, seed and ``statistics``.
        resamples: of the bootstrap; the run's own when absent.
    """
    headline = {
        name: tuple(task.get("headlines") or [task["headline"]]) for name, task in run.tasks.items()
    }
    leading = [metric for metrics in headline.values() for metric in metrics]
    stored = run.result.get("statistics") or {}
    sizes = {key: stored[key] for key in ("resamples", "flips", "interval") if key in stored}
    settings = Settings(
        measures=tuple(dict.fromkeys([*leading, *run.result["metrics"]])),
        headline=headline,
        seed=run.result["seed"],
        **sizes,
    )
    return settings if resamples is None else replace(settings, resamples=resamples)


def board_of(run: Run, resamples: int | None = None) -> Leaderboard:
    """The leaderboard of one run.

    Raises:
        InputError: when its rows cannot be read or do not fit its arms.
    """
    return leaderboard(source_of(run), settings_of(run, resamples))


def comparable(runs: Sequence[Run]) -> list[list[Run]]:
    """Groups of two or more runs that asked the same of different data sets.

    The same means: experiment, seed, and the arms with their bases and parameters. Of two runs on
    one data set (a log that has grown) the later one counts, by the end of its last window.
    """
    groups: dict[str, dict[str, Run]] = {}
    for run in sorted(runs, key=_age):
        arms = {n: [e.get("base"), e.get("parameters")] for n, e in run.arms.items()}
        asked = json.dumps([run.result["experiment"], run.result["seed"], arms], sort_keys=True)
        groups.setdefault(asked, {})[run.dataset["name"]] = run
    return [
        sorted(group.values(), key=lambda run: str(run.dataset["name"]))
        for group in groups.values()
        if len(group) > 1
    ]


def _age(run: Run) -> tuple[str, int, str]:
    dataset = run.dataset
    return str(dataset.get("window_last") or "").zfill(32), dataset.get("events") or 0, run.name


def macro_of(group: Sequence[Run], resamples: int | None = None) -> Leaderboard:
    """The mean over the data sets of a group of comparable runs."""
    return macro([source_of(run) for run in group], settings_of(group[0], resamples))


def macro_title(group: Sequence[Run], groups: Sequence[Sequence[Run]]) -> str:
    """``macro(3)``; with the experiment and a run where there is more than one group."""
    title = f"macro({len(group)})"
    if len(groups) == 1:
        return title
    return f"{title} (with {group[0].name})"


def side_by_side(boards: Mapping[str, Leaderboard]) -> Leaderboard:
    """Several leaderboards as one, under titles that tell them apart.

    Args:
        boards: title → leaderboard of one data set; the title takes the data set's place.
    """
    return merge([_titled(board, title) for title, board in boards.items()])


def _titled(board: Leaderboard, title: str) -> Leaderboard:
    return replace(
        board,
        rows=board.rows.with_columns(dataset=pl.lit(title)),
        notes=tuple(replace(note, dataset=title) for note in board.notes),
    )


def titles(runs: Sequence[Run]) -> dict[str, str]:
    """Folder → the shortest title that no other run has: data set, with experiment, with id."""
    spellings = [
        [str(run.dataset["name"]) for run in runs],
        [f"{run.dataset['name']} ({run.result['experiment']})" for run in runs],
        [f"{run.dataset['name']} ({run.name})" for run in runs],
    ]
    return {
        str(run.folder): next(
            (names[i] for names in spellings if names.count(names[i]) == 1), spellings[-1][i]
        )
        for i, run in enumerate(runs)
    }
