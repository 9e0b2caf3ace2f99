"""What a test question needs that practice needed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.replay.story import Story


def shared_of(story: Story) -> NDArray[np.float64]:
    """[Q] share of a test question's needed memories that practice needed too, before it.

    Practice is every practice question of the same scope at a time strictly before, and in an
    agent's log every step of the agent's too. NaN where the question needs nothing that is there.

    Args:
        story: with its questions.
    """
    first: dict[tuple[str | None, int], int] = {}
    for asked in (story.practice, story.steps):
        if asked is None:
            continue
        rows = zip(asked.entities, asked.time_us.tolist(), asked.needed, strict=True)
        for entity, time_us, needed in rows:
            for item in needed[needed >= 0].tolist():
                first[entity, item] = min(time_us, first.get((entity, item), time_us))
    exam = story.exam
    shares = np.full(len(exam), np.nan)
    rows = zip(exam.entities, exam.time_us.tolist(), exam.needed, strict=True)
    for row, (entity, time_us, needed) in enumerate(rows):
        known = [
            first.get((entity, item), time_us) < time_us for item in needed[needed >= 0].tolist()
        ]
        if known:
            shares[row] = sum(known) / len(known)
    return shares
