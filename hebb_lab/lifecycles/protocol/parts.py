"""Which practice questions may choose the settings that which test questions are answered by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.layers.protocol.folds import folds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.replay.story import Asked, Story


class Part(NamedTuple):
    """Some test questions, and the practice questions that may choose for them.

    name: for tables.
    test: [Q] bool, the test questions that it answers.
    practice: [P] bool, the practice questions that choose; none: the arm answers as it stands.
    """

    name: str
    test: NDArray[np.bool_]
    practice: NDArray[np.bool_]


def parts_of(story: Story, count: int, rng: np.random.Generator) -> list[Part]:
    """The parts of a story: by time where its questions have one, else by clusters.

    By time, the first part is answered by the arm as it stands, and each later one by what was
    chosen strictly before its first test question. By clusters, each part is answered by what the
    practice questions of all other clusters chose.

    Args:
        story: with its questions.
        count: parts at most.
        rng: of the dealing of clusters.

    Raises:
        InputError: all questions are of one cluster, or all test questions of one time.
    """
    if story.ordered:
        return _by_time(story.exam, story.practice, count)
    return _by_cluster(story.exam, story.practice, count, rng)


def _by_time(exam: Asked, practice: Asked, count: int) -> list[Part]:
    """Blocks of test questions in time order, as even as equal times allow."""
    times = np.sort(exam.time_us)
    firsts = np.searchsorted(times, exam.time_us)  # equal times are of one block
    block = firsts * count // max(len(times), 1)
    found = np.unique(block)
    if len(found) < 2:
        raise InputError(
            "settings are chosen on what was asked before, and all test questions are of one time",
            "Give questions of several times",
        )
    made = []
    for place, own in enumerate(found.tolist()):
        test = block == own
        before = practice.time_us < (exam.time_us[test].min() if place else np.iinfo(np.int64).min)
        made.append(Part(f"block {place + 1} of {len(found)}", test, before))
    return made


def _by_cluster(exam: Asked, practice: Asked, count: int, rng: np.random.Generator) -> list[Part]:
    """Clusters of all questions dealt into parts; a cluster is never split."""
    groups = sorted({*exam.groups, *practice.groups})
    folds = folds_of(("all",), np.zeros(len(groups), np.int64), groups, count, rng)
    fold = dict(zip(groups, folds.fold.tolist(), strict=True))
    test = np.array([fold[group] for group in exam.groups], np.int64)
    own = np.array([fold[group] for group in practice.groups], np.int64)
    return [
        Part(name, test == number, own != number)
        for number, name in enumerate(folds.names)
        if (test == number).any()
    ]
