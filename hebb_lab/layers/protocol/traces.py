"""traces.jsonl of a layers run: the edges behind what the full stack added."""

from __future__ import annotations

import json
import logging
from itertools import islice
from typing import TYPE_CHECKING, Any

from hebb_lab.layers.arms.standard import FULL
from hebb_lab.layers.protocol.pipelines import WithoutVectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hebb_lab.layers.arms import LayerArm
    from hebb_lab.layers.protocol.bench import Bench
    from hebb_lab.layers.protocol.scopes import Scope

log = logging.getLogger(__name__)
NAME = "traces.jsonl"
TRIED = 3  # questions that are asked again for each trace that is wanted, at most


def trace_lines(bench: Bench, arms: list[LayerArm], wanted: int) -> str:
    """JSON lines: the first questions, scope by scope, to which the full stack added something.

    One line holds arm, scope, query_id and what was added, each with rank, score and the edges of
    its layers (``hebb_lab.recall.cognitive.trace``). That nothing can be traced fails no run.

    Args:
        bench: what answered.
        arms: of the run that have a result.
        wanted: lines at most.
    """
    chosen = [arm for arm in arms if arm.name == FULL and arm.method == "recall" and not arm.tuned]
    try:
        return "".join(
            json.dumps(trace, ensure_ascii=False) + "\n"
            for arm in chosen
            for trace in islice(_traces(bench, arm, wanted), wanted)
        )
    except Exception as error:
        log.warning("no traces: %s: %s", type(error).__name__, error)
        return ""


def _traces(bench: Bench, arm: LayerArm, wanted: int) -> Iterator[dict[str, Any]]:
    """As many of each scope as bring all to what is wanted."""
    share = -(-wanted // max(len(bench.scopes), 1))
    for scope in bench.scopes:
        yield from islice(_of_scope(bench, scope, arm, share), share)


def _of_scope(bench: Bench, scope: Scope, arm: LayerArm, share: int) -> Iterator[dict[str, Any]]:
    from hebb_lab.recall.cognitive.pipeline import Pipeline
    from hebb_lab.recall.cognitive.trace import trace

    pipeline = bench.pipeline(scope)
    if isinstance(pipeline, WithoutVectors):
        pipeline = pipeline.pipeline
    if not isinstance(pipeline, Pipeline):
        return
    for query in range(min(len(scope.asked), TRIED * share)):
        added = trace(pipeline, scope.asked, arm.plan, query, bench.depth)
        if added:
            query_id = bench.exam.ids[int(scope.rows[query])]
            yield {"arm": arm.name, "scope": scope.name, "query_id": query_id, "added": added}
