"""Which questions are practice, and which are the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task


class Paper(NamedTuple):
    """Questions that are asked, each once, though several tasks may judge it.

    ids: [Q] names.
    task: [Q] the first task that asks it.
    place: [Q] its place among that task's queries.
    groups: [Q] its cluster.
    """

    ids: tuple[str, ...]
    task: tuple[str, ...]
    place: NDArray[np.int64]
    groups: tuple[str, ...]

    def some(self, rows: NDArray[np.int64]) -> Paper:
        """Some of the questions."""
        chosen = rows.tolist()
        return Paper(
            tuple(self.ids[row] for row in chosen),
            tuple(self.task[row] for row in chosen),
            self.place[rows],
            tuple(self.groups[row] for row in chosen),
        )


def papers(
    tasks: Mapping[str, Task], most: int | None, rng: np.random.Generator
) -> tuple[Paper, Paper, dict[str, int]]:
    """(test, practice, how many of each task are left out) of all questions of some tasks.

    Args:
        tasks: name → task.
        most: questions of a task on either side; None for all.
        rng: of the dealing, and of the drawing.
    """
    first: dict[str, tuple[str, int, str]] = {}
    for name, task in tasks.items():
        own = zip(task.queries.query_ids, task.queries.cluster.tolist(), strict=True)
        for place, (query, cluster) in enumerate(own):
            first.setdefault(query, (name, place, task.clusters[cluster]))
    whole = Paper(
        tuple(first),
        tuple(task for task, _, _ in first.values()),
        np.array([place for _, place, _ in first.values()], np.int64),
        tuple(group for _, _, group in first.values()),
    )
    sides, left_out = [], dict.fromkeys(tasks, 0)
    practice = dealt(whole.groups, rng)
    asks = np.array(whole.task)
    for chosen in (~practice, practice):
        rows = [drawn(np.flatnonzero(chosen & (asks == name)), most, rng) for name in tasks]
        for name, kept in zip(tasks, rows, strict=True):
            left_out[name] += int((chosen & (asks == name)).sum()) - len(kept)
        sides.append(whole.some(np.sort(np.concatenate(rows))))
    return sides[0], sides[1], left_out


def dealt(groups: Sequence[str], rng: np.random.Generator) -> NDArray[np.bool_]:
    """[Q] whether a question is practice: in turns, cluster after cluster, each in a drawn order.

    So each cluster gives half of its questions to either side, up to one.

    Args:
        groups: [Q] cluster of each question.
        rng: of the order in a cluster, and of which side begins.

    >>> dealt(["a", "a", "b", "b", "b"], np.random.default_rng(0)).tolist()
    [True, False, False, True, True]
    """
    practice = np.zeros(len(groups), np.bool_)
    members: dict[str, list[int]] = {}
    for question, group in enumerate(groups):
        members.setdefault(group, []).append(question)
    turn = int(rng.integers(2))
    for own in members.values():
        for question in rng.permutation(own).tolist():
            practice[question] = turn % 2 == 1
            turn += 1
    return practice


def drawn(rows: NDArray[np.int64], most: int | None, rng: np.random.Generator) -> NDArray[np.int64]:
    """Some of the rows, in their order: all, or so many of them by chance.

    >>> drawn(np.arange(5), 2, np.random.default_rng(0)).tolist()
    [3, 4]
    """
    if most is None or len(rows) <= most:
        return rows
    return np.sort(rng.choice(rows, most, replace=False))
