"""Rows of a leaderboard from per-query rows: one data set, or the mean over several."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.evaluation.bootstrap import Resampling
from hebb_lab.evaluation.leaderboard.arms import arms_of, over_data_sets, same
from hebb_lab.evaluation.leaderboard.board import ROW_SCHEMA, Leaderboard, Note, Stamp
from hebb_lab.evaluation.leaderboard.notes import notes_of, tie_bands
from hebb_lab.evaluation.leaderboard.scores import score_task
from hebb_lab.evaluation.paired import compare, holm
from hebb_lab.evaluation.spec import parse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.evaluation.leaderboard.arms import Arm
    from hebb_lab.evaluation.leaderboard.board import Settings, Source
    from hebb_lab.evaluation.leaderboard.scores import TaskScores
    from hebb_lab.evaluation.paired import Comparison

_DIGITS = 10  # beyond these, sums differ with the number of threads; no result depends on them


@dataclass(frozen=True)
class _Table:
    """One table in the making: a task with its arms over one data set (or several)."""

    task: str
    stamp: Stamp
    arms: Mapping[str, Arm]
    scores: tuple[TaskScores, ...]  # of the arms that are ok, per data set; empty if there are none
    excluded: Mapping[str, int]
    wall_s: Mapping[str, float | None]  # of each arm, over all data sets

    @property
    def ran(self) -> list[str]:
        """The arms that have scores."""
        return [name for name, arm in self.arms.items() if arm.status == "ok"]


def leaderboard(source: Source, settings: Settings) -> Leaderboard:
    """Every metric of every arm on every task of one data set.

    The Holm family of a task is all arms with a base × its headline metrics. An arm that failed or
    was skipped keeps its rows, with its status and without numbers.

    Args:
        source: per-query rows and descriptions of the arms.
        settings: measures, headline, seed and sizes of the resampling.

    Raises:
        InputError: when an arm that is ok has no rows, or rows have no arm.
        ConfigError: for a base or measure that does not exist.
    """
    tables = [_table(source, task, settings) for task in _tasks(source)]
    return _board(tables, settings)


def macro(sources: Sequence[Source], settings: Settings) -> Leaderboard:
    """The mean over data sets of their means, for each task that two or more of them have.

    Every data set weighs the same, whatever its size. Clusters are resampled, and their signs
    flipped, inside each data set. The data set of the rows is called ``macro(n)``; an arm has
    numbers only when it is ok in all n.

    Args:
        sources: one per data set, of the same experiment.
        settings: as for ``leaderboard``.
    """
    tables = []
    for task in dict.fromkeys(task for source in sources for task in _tasks(source)):
        parts = [_table(s, task, settings) for s in sources if task in _tasks(s)]
        if len(parts) >= 2:
            tables.append(_mean_table(parts))
    return _board(tables, settings)


def _tasks(source: Source) -> list[str]:
    """The tasks of a source, in their order."""
    named = [task for entry in source.arms for task in entry.get("tasks") or ()]
    return list(dict.fromkeys([*source.per_query["task"].unique(maintain_order=True), *named]))


def _table(source: Source, task: str, settings: Settings) -> _Table:
    """One task of one data set, scored."""
    arms = arms_of(source, task)
    rows = source.per_query.filter(pl.col("task") == task)
    there = set(rows["arm"].unique())
    ran = [name for name, arm in arms.items() if arm.status == "ok"]
    for name in ran:
        if name not in there:
            problem = f"arm '{name}' of task '{task}' is marked ok but left no scores"
            raise InputError(problem, "Delete the run folder and run it again")
    if there - set(arms):
        problem = f"there are scores of an arm '{min(there - set(arms))}' that nobody described"
        raise InputError(problem, "Delete the run folder and run it again")
    measures = [parse(name) for name in settings.measures]
    scores = (score_task(rows, ran, measures),) if ran else ()
    queries = len(scores[0].cluster) if scores else 0
    wall = {
        name: None if arm.ms_per_query is None else arm.ms_per_query * queries / 1000
        for name, arm in arms.items()
    }
    return _Table(task, source.stamp, arms, scores, source.excluded.get(task, {}), wall)


def _mean_table(parts: Sequence[_Table]) -> _Table:
    """The same task over several data sets."""
    arms = over_data_sets([(part.stamp.name, part.arms) for part in parts])
    ran = [name for name, arm in arms.items() if arm.status == "ok"]
    hashes = [part.stamp.sha256 or "" for part in parts]
    stamp = Stamp(
        name=f"macro({len(parts)})",
        sha256=hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest(),
        commit=same([part.stamp.commit for part in parts]),
    )
    excluded: dict[str, int] = {}
    for part in parts:
        for reason, count in part.excluded.items():
            excluded[reason] = excluded.get(reason, 0) + count
    scores = tuple(part.scores[0].select(ran) for part in parts) if ran else ()
    wall: dict[str, float | None] = {}
    for name in arms:
        times = [seconds for part in parts if (seconds := part.wall_s.get(name)) is not None]
        wall[name] = sum(times) if len(times) == len(parts) else None
    return _Table(parts[0].task, stamp, arms, scores, excluded, wall)


def _board(tables: Sequence[_Table], settings: Settings) -> Leaderboard:
    """Rows and notes of the tables."""
    rows: list[dict[str, Any]] = []
    notes: list[Note] = []
    for table in tables:
        compared = _compare(table, settings) if table.ran else None
        made = _rows(table, compared, settings)
        rows += made
        lead = settings.headlines(table.task)[:1]
        texts = notes_of(table.arms, table.scores, table.excluded, compared)
        texts += tie_bands([row for row in made if row["metric"] in lead])
        notes += [Note(table.stamp.name, table.task, text) for text in texts]
    headlines = {table.task: settings.headlines(table.task) for table in tables}
    return Leaderboard(pl.DataFrame(rows, schema=ROW_SCHEMA), tuple(notes), headlines)


def _compare(table: _Table, settings: Settings) -> Comparison:
    """All arms × measures of a table against their bases; row m · A + a is measure m of arm a."""
    place = {name: index for index, name in enumerate(table.ran)}
    base = np.array([place.get(table.arms[name].base or "", -1) for name in table.ran])
    first = np.arange(len(settings.measures))[:, None] * len(base)  # row of each measure's arm 0
    against = np.where(base >= 0, first + base, -1).ravel()
    strata = [(part.scores.reshape(len(against), -1), part.cluster) for part in table.scores]
    key = f"{settings.seed}\n{table.stamp.name}\n{table.task}".encode()
    rng = np.random.default_rng(list(hashlib.sha256(key).digest()))
    sizes = Resampling(settings.resamples, settings.flips, method=settings.interval)
    return compare(strata, against, rng, sizes)


def _rows(table: _Table, compared: Comparison | None, settings: Settings) -> list[dict[str, Any]]:
    """One row per arm and measure."""
    place = {name: index for index, name in enumerate(table.ran)}
    adjusted = None if compared is None else _family(table, compared, settings)
    rows = []
    for name, arm in table.arms.items():
        for number, metric in enumerate(settings.measures):
            at = number * len(place) + place[name] if name in place else None
            row: dict[str, Any] = {
                "dataset": table.stamp.name,
                "dataset_sha256": table.stamp.sha256,
                "task": table.task,
                "arm": name,
                "metric": metric,
                "excluded": sum(table.excluded.values()),
                "inert": arm.inert(table.arms),
                "status": arm.status,
                "config_id": arm.config_id,
                "seed": settings.seed,
                "commit": table.stamp.commit,
                "base": arm.base,
                "group": arm.group,
            }
            if at is not None and compared is not None and adjusted is not None:
                row |= {"n": compared.queries, **_numbers(compared, at, adjusted)}
                row |= _costs(table, name, place[name])
                reach = np.mean([p.tie_reach[number, place[name]] for p in table.scores], axis=0)
                row["tie_band"] = _bounds(compared.value[at] + reach)
            rows.append(row)
    return rows


def _costs(table: _Table, name: str, at: int) -> dict[str, Any]:
    """What an arm costs and returns, whatever the measure; means over the data sets."""
    arm = table.arms[name]
    counted = {
        "tokens_per_query": "tokens",
        "edges_per_query": "edges",
        "k_effective": "returned",
        "tie_mass": "ties",
    }
    means = {
        key: _number(float(np.mean([getattr(part, field)[at] for part in table.scores])))
        for key, field in counted.items()
    }
    given = {
        "ms_per_query": arm.ms_per_query,
        "bytes_per_memory": arm.bytes_per_memory,
        "wall_s": table.wall_s[name],
    }
    return means | {key: None if v is None else _number(v) for key, v in given.items()}


def _family(table: _Table, compared: Comparison, settings: Settings) -> NDArray[np.float64]:
    """Holm over the headline measures of a task: adjusted p-values, NaN for the others."""
    headline = np.isin(settings.measures, settings.headlines(table.task))
    return holm(np.where(np.repeat(headline, len(table.ran)), compared.p, np.nan))


def _numbers(compared: Comparison, at: int, adjusted: NDArray[np.float64]) -> dict[str, Any]:
    """What was measured of one arm under one measure; null for what is not a number."""
    wins = [None, None, None] if compared.wins[at, 0] < 0 else compared.wins[at].tolist()
    return {
        "value": _number(compared.value[at]),
        "ci95": _bounds(compared.interval[at]),
        "delta": _number(compared.delta[at]),
        "delta_ci95": _bounds(compared.delta_interval[at]),
        "p_holm": _number(adjusted[at]),
        "dz": _number(compared.dz[at]),
        **dict(zip(("win", "tie", "loss"), wins, strict=True)),
    }


def _number(value: float) -> float | None:
    """A rounded number, or None for NaN; −0 becomes 0."""
    return None if np.isnan(value) else round(float(value), _DIGITS) + 0.0


def _bounds(pair: NDArray[np.float64]) -> list[float | None] | None:
    """An interval, or None when it is not known."""
    return None if np.isnan(pair).any() else [_number(end) for end in pair]
