"""traces.jsonl of a run: why injection changed the lists that it changed."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hebb_lab.experiment.methods import injected
from hebb_lab.recall.trace import trace_injection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.workshop import Workshop

INJECTING = ("budget_neutral", "additive")


def trace_lines(shop: Workshop, tasks: Mapping[str, Task], arms: Sequence[Arm]) -> Iterator[str]:
    """JSON lines: for each injecting arm and task the first few queries whose list changed.

    One line holds arm, task, query_id, seeds, displaced, and for each added node its rank, score
    and the edges (hop, sender, receiver, weight, energy) behind it.
    """
    for arm in arms:
        if arm.method in INJECTING:
            for name, task in tasks.items():
                for trace in _traces(shop, task, arm):
                    yield json.dumps({"arm": arm.name, "task": name, **trace}) + "\n"


def _traces(shop: Workshop, task: Task, arm: Arm) -> Iterator[dict[str, Any]]:
    host, mixed = injected(shop, task, arm)
    queries, found = shop.seeded(task.queries, arm), 0
    for query in range(len(queries)):
        if found == shop.settings.recall.traces:
            return
        if set(mixed.ids[query].tolist()) - {-1} - set(host.ids[query].tolist()):
            found += 1
            config = shop.config_of(arm)
            trace = asdict(trace_injection(shop.synapses, config, queries, query, host, mixed))
            for added in trace["added"]:
                added["edges"] = [edge._asdict() for edge in added["edges"]]
            yield trace
