"""What the parts of a mechanism are worth, from the stored scores of the arms that hold them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.evaluation.attribution import attribute
from hebb_lab.evaluation.bootstrap import Resampling
from hebb_lab.evaluation.leaderboard.scores import score_task
from hebb_lab.evaluation.spec import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hebb_lab.evaluation.leaderboard import Settings
    from hebb_lab.runs.reader import Run

EFFECT_SCHEMA: dict[str, Any] = {
    "task": pl.String,
    "metric": pl.String,
    "method": pl.String,  # shapley, leave_one_out, ladder, one_change
    "step": pl.Int64,
    "part": pl.String,
    "effect": pl.Float64,
    "low": pl.Float64,  # null where there is only one cluster
    "high": pl.Float64,
    "n": pl.Int64,  # queries
    "start": pl.Float64,  # the metric with no part at all; null where no arm has none
}


def effects_of(run: Run, settings: Settings) -> pl.DataFrame:
    """Effect of every part on every task's headline metrics, in EFFECT_SCHEMA.

    ``result.json["attribution"]`` names the method (``kind``), the ``parts`` in the ladder's order
    and the ``sets``: arm → parts that it holds. Empty where a run attributes nothing, or where one
    of those arms has no result.
    """
    asked = run.result.get("attribution") or {}
    sets: Mapping[str, list[str]] = asked.get("sets") or {}
    whole = all(run.arms[arm]["status"] == "ok" for arm in sets)
    frames = [pl.DataFrame(schema=EFFECT_SCHEMA)]
    for task in run.tasks if sets and whole else ():
        rows = run.per_query.filter(task=task)
        metrics = settings.headlines(task)
        frames += [_effects(rows, task, metric, asked, settings) for metric in metrics]
    return pl.concat(frames)


def _effects(
    rows: pl.DataFrame, task: str, metric: str, asked: Mapping[str, Any], settings: Settings
) -> pl.DataFrame:
    arms = list(asked["sets"])
    scored = score_task(rows, arms, [parse(metric)])
    values = {
        frozenset(asked["sets"][arm]): scores
        for arm, scores in zip(arms, scored.scores[0], strict=True)
    }
    key = f"{settings.seed}\n{task}\n{metric}\nattribution".encode()
    rng = np.random.default_rng(list(hashlib.sha256(key).digest()))
    sizes = Resampling(settings.resamples, settings.flips, method=settings.interval)
    found = attribute(asked["kind"], values, scored.cluster, asked["parts"], rng, sizes)
    empty = values.get(frozenset())
    columns = {
        "task": pl.lit(task),
        "metric": pl.lit(metric),
        "start": pl.lit(None if empty is None else float(empty.mean()), pl.Float64),
    }
    numbers = pl.col("effect", "low", "high", "start").round(10)
    named = found.with_columns(**columns).with_columns(numbers)
    return named.select(pl.col(name).cast(kind) for name, kind in EFFECT_SCHEMA.items())


def markdown(effects: pl.DataFrame) -> str:
    """The effects as one Markdown table a task and metric; empty where there are none."""
    lines: list[str] = []
    for (task, metric, method), rows in effects.group_by(
        ["task", "metric", "method"], maintain_order=True
    ):
        lines += [
            f"## {task} · {str(method).replace('_', ' ')} of {metric}",
            "",
            "| part | effect | 95 % interval |",
            "| :-- | --: | --: |",
            *(f"| {row['part']} | {_signed(row['effect'])} | {_ends(row)} |"
              for row in rows.to_dicts()),
            "",
        ]  # fmt: skip
    return "\n".join(lines)


def _ends(row: Mapping[str, Any]) -> str:
    return "–" if row["low"] is None else f"{_signed(row['low'])} … {_signed(row['high'])}"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
