"""Test questions that need what practice needed, and those that do not, told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from hebb_lab.evaluation.leaderboard.scores import score_task
from hebb_lab.evaluation.spec import parse
from hebb_lab.lifecycles.report.answers import days_of
from hebb_lab.pages.text import count, markdown, share, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hebb_lab.lifecycles.report.stored import Stored

GROUPS = ("reinforcement", "co_recall", "tuned")
"""Groups of arms that practice can help: shown beside the base."""
SIDES = ("apart", "shared")


class Overlap(NamedTuple):
    """Test questions of one task of the data by what practice needed before them.

    Args:
        of: the task of the data.
        apart, shared: numbers of questions that share no needed memory, and that share some.
        whole: of the latter, those all of whose needed memories practice needed.
        values: sitting → arm → side → mean of the headline; None where a side is empty.
    """

    of: str
    apart: int
    shared: int
    whole: int
    values: Mapping[str, Mapping[str, Mapping[str, float | None]]]


def overlap_of(stored: Stored, of: str, sittings: Sequence[str]) -> Overlap | None:
    """The overlap of one task, at its first and last sitting; None where a run has not kept it.

    Args:
        stored: the run.
        of: the task of the data.
        sittings: its sittings, by days.
    """
    known = stored.shared
    if not known:
        return None
    rows = stored.run.per_query
    asked = rows.filter(pl.col("task") == sittings[0])["query_id"].unique().to_list()
    sides = {
        "apart": [query for query in asked if known.get(query) == 0],
        "shared": [query for query in asked if (known.get(query) or 0) > 0],
    }
    metric = str(stored.run.tasks[sittings[0]]["headline"])
    base = str(stored.run.base)
    every = dict.fromkeys([base, *(arm for group in GROUPS for arm in stored.group(group))])
    arms = [arm for arm in every if stored.entry(arm).get("status") == "ok"]
    values: dict[str, dict[str, dict[str, float | None]]] = {}
    for sitting in dict.fromkeys([sittings[0], sittings[-1]]):
        values[sitting] = {arm: dict.fromkeys(SIDES) for arm in arms}
        for side, queries in sides.items():
            own = rows.filter((pl.col("task") == sitting) & pl.col("query_id").is_in(queries))
            if queries and arms:
                means = score_task(own, arms, [parse(metric)]).scores[0].mean(axis=1).tolist()
                for arm, mean in zip(arms, means, strict=True):
                    values[sitting][arm][side] = round(mean, 6)
    whole = sum(known[query] == 1 for query in sides["shared"])
    return Overlap(of, len(sides["apart"]), len(sides["shared"]), whole, values)


def told(stored: Stored, overlap: Overlap) -> Iterator[str]:
    """A sentence and a table."""
    total = overlap.apart + overlap.shared
    metric = next(stored.run.tasks[name]["headline"] for name in overlap.values)
    yield from ["## Where practice needed the same, and where not", ""]
    if not overlap.shared:
        yield from ["- No test question needs a memory that earlier practice needed.", ""]
        return
    yield (
        f"- {count(overlap.shared)} of {count(total)} test questions"
        f" ({share(overlap.shared, total)}) need a memory that earlier practice needed too,"
        f" {count(overlap.whole)} ({share(overlap.whole, total)}) no other: what reinforcement,"
        " co-recall and tuning give there is repetition as well as memory."
    )
    columns = [(name, side) for name in overlap.values for side in SIDES]
    says = {"apart": f"none shared (n = {overlap.apart:,})",
            "shared": f"some shared (n = {overlap.shared:,})"}  # fmt: skip
    head = ["arm", *(f"{metric}, {days_of(stored.run.tasks[name]['days'])}, {says[side]}"
                     for name, side in columns)]  # fmt: skip
    arms = next(iter(overlap.values.values()))
    body = [[arm, *(value(overlap.values[name][arm][side]) for name, side in columns)]
            for arm in arms]  # fmt: skip
    yield from ["", *markdown(head, body)]


def plain(overlap: Overlap) -> dict[str, Any]:
    """As memory.json keeps it."""
    return overlap._asdict()
