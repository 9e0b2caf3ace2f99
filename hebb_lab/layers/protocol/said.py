"""What a layers run says of itself in result.json, and of its questions beside it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.experiment.execute import task_entry
from hebb_lab.layers.arms.choose import sets_of
from hebb_lab.layers.protocol.scopes import extractors_of
from hebb_lab.recall.embedders import chosen_embedder

if TYPE_CHECKING:
    from hebb_lab.layers.protocol.work import LayersWork


def asked_of(work: LayersWork) -> dict[str, Any]:
    """What was asked: tasks, metrics, attribution and statistics as an ablation has them.

    ``layers`` says what the stack is, who named entities and tags, and how large each scope is.
    """
    settings, tasks = work.settings, work.tasks
    evaluation = settings.evaluation
    return {
        "base": settings.base,
        "tasks": [task_entry(name, task, settings) for name, task in tasks.items()],
        "tasks_without_queries": [t for t in settings.dataset.tasks if t not in tasks],
        "metrics": list(evaluation.measures),
        "attribution": _attribution(work),
        "statistics": {
            "resamples": evaluation.resamples,
            "flips": evaluation.flips,
            "interval": evaluation.interval,
        },
        "layers": _layers(work),
    }


def _layers(work: LayersWork) -> dict[str, Any]:
    stack, memories = work.stack, work.prepared.dataset.memories
    named = None if memories is None else extractors_of(memories, work.settings.cognitive)
    return {
        "stack": {
            "seeder": stack.seeder, "layers": list(stack.layers), "rules": asdict(stack.rules),
        },
        "embedder": chosen_embedder(work.settings.recall.embedder),
        "entities": named.entities if named else "",
        "tags": named.tags if named else "",
        "depth": work.bench.depth,
        "memories": sum(len(scope.memories) for scope in work.bench.scopes),
        "scopes": [
            {"scope": scope.name, "memories": len(scope.memories), "questions": len(scope.rows)}
            for scope in work.bench.scopes
        ],
    }  # fmt: skip


def _attribution(work: LayersWork) -> dict[str, Any] | None:
    """Which arms hold which layers, where all 2^k sets are there."""
    sets = sets_of(work.arms, work.stack)
    if len(sets) < 2 ** len(work.stack.layers):
        return None
    return {"kind": "shapley", "parts": list(work.stack.layers), "sets": sets}


def question_frame(work: LayersWork) -> pl.DataFrame:
    """One row a question: query_id, category, scope, group."""
    questions, exam = work.prepared.dataset.questions, work.bench.exam
    places = exam.place.tolist()
    names = [scope.name for scope in work.bench.scopes]
    return pl.DataFrame(
        {
            "query_id": list(exam.ids),
            "category": [questions.category[i] if questions else "" for i in places],
            "scope": [names[number] for number in work.bench.scope_of.tolist()],
            "group": [questions.group[i] if questions else "" for i in places],
        },
        schema=dict.fromkeys(("query_id", "category", "scope", "group"), pl.String),
    )
