"""Tasks of a run: what the data asks, at each horizon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.evaluation.query_set import Task
from hebb_lab.records import Qrels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.replay.story import Asked


@dataclass(frozen=True)
class Sitting:
    """One task of the data after one horizon.

    Args:
        name: of the task in all tables.
        task: of the data.
        horizon: its place among the horizons.
        rows: [q] rows of the test questions, in the order of the task's queries.
        judged: those queries, with their gold.
    """

    name: str
    task: str
    horizon: int
    rows: NDArray[np.int64]
    judged: Task


def sitting_name(task: str, days: float, *, first: bool) -> str:
    """What a task is called after some days; the first task of the data needs no name.

    >>> sitting_name("first_touch", 10.0, first=True), sitting_name("all_touches", 1, first=False)
    ('after_10_days', 'all_touches_after_1_day')
    """
    after = f"after_{days:g}_day{'' if days == 1 else 's'}"
    return after if first else f"{task}_{after}"


def sittings_of(
    tasks: Mapping[str, Task], asked: Asked, horizons: Sequence[float]
) -> list[Sitting]:
    """Every task at every horizon, with the questions of it that are asked.

    Args:
        tasks: of the data.
        asked: the test questions.
        horizons: days.
    """
    row = {query: number for number, query in enumerate(asked.ids)}
    made = []
    for number, (name, task) in enumerate(tasks.items()):
        places = [p for p, query in enumerate(task.queries.query_ids) if query in row]
        if not places:
            continue
        rows = np.array([row[task.queries.query_ids[p]] for p in places], np.int64)
        judged = chosen(task, np.array(places, np.int64))
        made += [
            Sitting(sitting_name(name, days, first=number == 0), name, place, rows, judged)
            for place, days in enumerate(horizons)
        ]
    return made


def chosen(task: Task, places: NDArray[np.int64]) -> Task:
    """A task with some of its queries, in their order, and their gold."""
    own, qrels = task.queries, task.qrels
    seed_ptr, seeds = _taken(own.seed_ptr, places)
    exclude_ptr, excluded = _taken(own.exclude_ptr, places)
    gold_ptr, gold = _taken(qrels.ptr, places)
    some = places.tolist()
    queries = replace(
        own,
        query_ids=tuple(own.query_ids[place] for place in some),
        time_us=own.time_us[places],
        cluster=own.cluster[places],
        block=own.block[places],
        event_row=own.event_row[places],
        seed_ptr=seed_ptr,
        seed_ids=own.seed_ids[seeds],
        seed_energy=own.seed_energy[seeds],
        exclude_ptr=exclude_ptr,
        exclude_ids=own.exclude_ids[excluded],
        texts=tuple(own.texts[place] for place in some) if own.texts else (),
    )
    return replace(
        task, queries=queries, qrels=Qrels(gold_ptr, qrels.ids[gold], qrels.grades[gold])
    )


def _taken(
    pointer: NDArray[np.int64], places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(pointer of some rows, places of their values)."""
    counts = np.diff(pointer)[places]
    taken = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    first = np.repeat(pointer[:-1][places] - taken[:-1], counts)
    return taken, first + np.arange(int(taken[-1]))
