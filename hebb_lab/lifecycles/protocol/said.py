"""What a run on lives of memories says of itself in result.json, and of its questions beside it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.experiment.execute import task_entry
from hebb_lab.lifecycles.protocol.overlap import shared_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.lifecycles.protocol.papers import Sitting
    from hebb_lab.lifecycles.protocol.work import MemoryWork
    from hebb_lab.lifecycles.replay.story import Story


def asked_of(work: MemoryWork, lives: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What was asked: tasks at each horizon, metrics, statistics as an ablation has them.

    ``memory`` says what the base is, what the story holds, and what became of each life.
    """
    settings = work.settings
    evaluation = settings.evaluation
    return {
        "base": settings.base,
        "tasks": [_task(work, sitting) for sitting in work.sittings],
        "tasks_without_queries": [t for t in settings.dataset.tasks if t not in work.tasks],
        "metrics": list(evaluation.measures),
        "attribution": None,
        "statistics": {
            "resamples": evaluation.resamples,
            "flips": evaluation.flips,
            "interval": evaluation.interval,
        },
        "memory": _memory(work, lives),
    }


def _task(work: MemoryWork, sitting: Sitting) -> dict[str, Any]:
    """A sitting's item of result.json: its headline is that of the task of the data."""
    entry = task_entry(sitting.task, sitting.judged, work.settings)
    practice = len(set(work.story.practice.ids) & set(work.tasks[sitting.task].queries.query_ids))
    excluded = {**entry["excluded"], "practice questions": practice}
    beyond = work.story.left_out.get(sitting.task, 0)
    if beyond:
        excluded["queries beyond memory.queries_most"] = beyond
    days = work.settings.memory.horizons[sitting.horizon]
    return {**entry, "task": sitting.name, "excluded": excluded, "of": sitting.task, "days": days}


def _memory(work: MemoryWork, lives: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    memory, story, start = work.settings.memory, work.story, work.arms[0].start
    asked = story.steps if story.steps is not None else ()
    return {
        "embedder": work.embedder,
        "dimensions": int(story.items.vectors.shape[1]),
        "strategies": list(start.strategies),
        "rules": asdict(start.rules),
        "horizons": list(memory.horizons),
        "memories": len(story.items),
        "scopes": len(set(story.items.entities)),
        "without_entity": {
            "memories": sum(not entity for entity in story.items.entities),
            "questions": sum(not e for a in (story.exam, story.practice) for e in a.entities),
        },
        "questions": len(story.exam),
        "practice": len(story.practice),
        "steps": len(asked),
        "stated": dict(story.stated),
        "edits": story.edited,
        "lives": list(lives),
    }


def question_frame(story: Story) -> pl.DataFrame:
    """One row a question: query_id, side (test or practice), group, scope, time_us, needed.

    shared: of a test question, the share of what it needs that practice needed before; see
    `overlap.shared_of`.
    """
    shared = [None if np.isnan(share) else float(share) for share in shared_of(story)]
    rows = [
        {
            "query_id": asked.ids[row], "side": side, "group": asked.groups[row],
            "scope": asked.entities[row] or "", "time_us": int(asked.time_us[row]),
            "needed": int((asked.needed[row] >= 0).sum()),
            "shared": shared[row] if side == "test" else None,
        }
        for side, asked in (("test", story.exam), ("practice", story.practice))
        for row in range(len(asked))
    ]  # fmt: skip
    schema = {
        "query_id": pl.String, "side": pl.String, "group": pl.String, "scope": pl.String,
        "time_us": pl.Int64, "needed": pl.Int64, "shared": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)
