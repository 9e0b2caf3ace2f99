"""Quality by the kind of question."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from hebb_lab.evaluation.leaderboard.scores import score_task
from hebb_lab.evaluation.spec import parse
from hebb_lab.layers.arms.standard import BASE, CODE, FULL, PAGE, added

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.layers.report.stored import Stored

METRICS = ("R@10", "nDCG@10")
MOST_ARMS, MOST_CATEGORIES = 16, 12


class Cell(NamedTuple):
    """One arm on the questions of one category of one task."""

    task: str
    category: str
    n: int
    arm: str
    metric: str
    value: float


def category_cells(stored: Stored) -> list[Cell]:
    """Mean of R@10 and nDCG@10 of the main arms in each category; nothing where there is one.

    Categories stand in byte-wise order, questions without one last, as ``other``.

    Raises:
        InputError: the run's files are damaged.
    """
    kind_of = dict(stored.questions.select("query_id", "category").iter_rows())
    cells: list[Cell] = []
    for task in stored.run.tasks:
        arms = main_arms(stored)
        rows = stored.run.per_query.filter((pl.col("task") == task) & pl.col("arm").is_in(arms))
        asked = rows.filter(pl.col("arm") == arms[0])["query_id"].to_list() if arms else []
        kinds = np.array([kind_of.get(name) or "other" for name in asked])
        names = sorted(set(kinds.tolist()), key=lambda name: (name == "other", name))
        if len(names) < 2:
            continue
        measures = [parse(metric) for metric in METRICS]
        scored = score_task(rows, arms, measures)
        for name in names[:MOST_CATEGORIES]:
            chosen = kinds == name
            cells += [
                Cell(task, name, int(chosen.sum()), arm, metric,
                     float(scored.scores[m, a, chosen].mean()))
                for m, metric in enumerate(METRICS)
                for a, arm in enumerate(scored.arms)
            ]  # fmt: skip
    return cells


def main_arms(stored: Stored) -> Sequence[str]:
    """The arms that tables and figures by category show: those that gave a result.

    Where the stack has the page's rules, they stand there once.
    """
    wanted = [
        BASE, *(added(layer) for layer in stored.layers), FULL, PAGE, "ungated", CODE, "tuned",
        *stored.group("own"),
    ]  # fmt: skip
    twin = stored.entry(PAGE).get("rankings") == stored.entry(FULL).get("rankings")
    return [
        arm
        for arm in dict.fromkeys(wanted)
        if stored.entry(arm).get("status") == "ok" and not (twin and arm == PAGE)
    ][:MOST_ARMS]
