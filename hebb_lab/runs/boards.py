"""Leaderboards of stored runs: one run's own, and those of many beside and across data sets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.evaluation.leaderboard import Settings, Source, Stamp, leaderboard, macro, merge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.runs.reader import Run

_TOLD = 3  # settings in a title
_ELSEWHERE = ("paths", "runtime", "hydra")  # where and how fast, not what


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

    The same means: experiment, seed, reader (the data set's name before the colon), and the arms
    with their bases and parameters. Of two runs on one data set (a log that has grown) the later
    one counts, by the end of its last window. Simulated data are no sample of anything, and one
    cluster has no spread: such runs are left out.
    """
    groups: dict[str, dict[str, Run]] = {}
    for run in sorted(filter(_may_be_averaged, runs), key=_age):
        arms = {n: [e.get("base"), e.get("parameters")] for n, e in run.arms.items()}
        one = [run.result["experiment"], run.result["seed"], _reader(run), arms]
        asked = json.dumps(one, sort_keys=True)
        groups.setdefault(asked, {})[run.dataset["name"]] = run
    return [
        sorted(group.values(), key=lambda run: str(run.dataset["name"]))
        for group in groups.values()
        if len(group) > 1
    ]


def _reader(run: Run) -> str:
    return str(run.dataset["name"]).partition(":")[0]


def _may_be_averaged(run: Run) -> bool:
    clusters = [task.get("clusters") for task in run.tasks.values()]
    return _reader(run) != "simulated" and all(count is None or count > 1 for count in clusters)


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
    """Folder → the shortest title that no other run has.

    The data set; with the experiment; with the settings, three at most, that differ among the
    runs of that experiment on that data set; with the id; with the folder.
    """
    differing = _differing(runs)
    spellings = [
        [str(run.dataset["name"]) for run in runs],
        [f"{run.dataset['name']} ({run.result['experiment']})" for run in runs],
        [f"{run.dataset['name']} ({differing[str(run.folder)] or run.name})" for run in runs],
        [f"{run.dataset['name']} ({run.name})" for run in runs],
        [f"{run.dataset['name']} ({run.folder})" for run in runs],
    ]
    return {
        str(run.folder): next(
            (names[i] for names in spellings if names.count(names[i]) == 1), spellings[-1][i]
        )
        for i, run in enumerate(runs)
    }


def _differing(runs: Sequence[Run]) -> dict[str, str]:
    """Folder → the settings that tell it from the others of its data set and experiment."""
    families: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        families.setdefault((run.dataset["name"], run.result["experiment"]), []).append(run)
    told = {}
    for family in families.values():
        flat = [_settings_in(run) if len(family) > 1 else {} for run in family]
        shared = [key for key in flat[0] if all(key in one for one in flat)]
        keys = [key for key in shared if len({one[key] for one in flat}) > 1][:_TOLD]
        for run, one in zip(family, flat, strict=True):
            told[str(run.folder)] = ", ".join(f"{key}={one[key]}" for key in keys)
    return told


def _settings_in(run: Run) -> dict[str, str]:
    """Dotted name → value of what config.yaml says of the question; nothing where it is broken."""
    try:
        config = run.config
    except Exception:  # absent or no YAML: the id still tells the run apart
        return {}
    return dict(_flat({key: value for key, value in config.items() if key not in _ELSEWHERE}))


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield f"{before}{key}", text
