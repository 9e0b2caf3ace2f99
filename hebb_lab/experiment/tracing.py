"""traces.jsonl of a run: why injection changed the lists that it changed."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from hebb_lab.experiment.arms.answerable import parts
from hebb_lab.experiment.methods import injected
from hebb_lab.recall.trace import trace_injection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.workshop import Workshop
    from hebb_lab.recall.trace import AddedCandidate

INJECTING = ("budget_neutral", "additive")


def trace_lines(shop: Workshop, tasks: Mapping[str, Task], arms: Sequence[Arm]) -> Iterator[str]:
    """JSON lines: for each injecting arm and task the first few queries whose list changed.

    One line holds arm, task, query_id, seeds, displaced, and for each added node its rank, score
    and, layer by layer, the edges (hop, sender, receiver, weight, energy) behind it.
    """
    for arm in arms:
        if arm.method in INJECTING:
            for name, task in tasks.items():
                answered = parts(arm, task)
                traces = (trace for part, some in answered for trace in _traces(shop, some, part))
                for trace in islice(traces, shop.settings.recall.traces):
                    yield json.dumps({"arm": arm.name, "task": name, **trace}) + "\n"


def _traces(shop: Workshop, task: Task, arm: Arm) -> Iterator[dict[str, Any]]:
    host, (mixed, _, _) = injected(shop, task, arm)
    queries = shop.seeded(task.queries, arm)
    layers = {name: shop.layer(name) for name in arm.layers}
    config, nodes = shop.config_of(arm), shop.prepared.touches.nodes
    for query in range(len(queries)):
        if set(mixed.ids[query].tolist()) - {-1} - set(host.ids[query].tolist()):
            trace = trace_injection(layers, config, queries, query, host, mixed, nodes)
            yield asdict(trace) | {"added": [_as_dict(added) for added in trace.added]}


def _as_dict(added: AddedCandidate) -> dict[str, Any]:
    edges = {name: [edge._asdict() for edge in found] for name, found in added.edges.items()}
    return {**asdict(added), "edges": edges}
