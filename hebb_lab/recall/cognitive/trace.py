"""Why is it here? Every candidate that expansion added to one query's list, edge by edge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.graph.cognitive.layer import CUE, Cues
from hebb_lab.recall.cognitive.seeding import some_seeds
from hebb_lab.recall.cognitive.session import keys_of

if TYPE_CHECKING:
    from hebb_lab.graph.cognitive.layer import Step
    from hebb_lab.recall.cognitive.pipeline import Pipeline
    from hebb_lab.recall.cognitive.plan import Asked, Plan
    from hebb_lab.recall.cognitive.session import Group, GrowthKey, Session
    from hebb_lab.records import Lists


def trace(
    pipeline: Pipeline, asked: Asked, plan: Plan, query: int, depth: int
) -> list[dict[str, Any]]:
    """The candidates that layers added to the list of one query, best first.

    Each is a mapping: memory, rank (from 1), score, and layers, one entry for each layer that
    offered it: layer, energy, activation, hop, seed (the name, None where a cue led there), seed
    score, and edges (layer, hop, sender, receiver, relation, weight). Under ``trace=metadata`` an
    entry holds what the code logs alone: graph_source, graph_seed_id, graph_seed_score.

    The query is asked once more, with those before it, so that it meets what it met.

    Args:
        pipeline: of the scope.
        asked: all queries of the scope.
        plan: of the arm.
        query: which of them.
        depth: of the list.
    """
    until = first_queries(asked, query + 1)
    answers, session = pipeline.answer_traced(until, plan, depth)
    group = session.groups[-1]
    direct = {m for m in group.found[keys_of(plan).direct].lists.memory[-1].tolist() if m >= 0}
    names, added = pipeline.memories.names, []
    for rank, memory in enumerate(answers.memory[query].tolist(), 1):
        if memory < 0 or memory in direct:
            continue
        offered = [
            entry
            for layer, key in zip(plan.layers, keys_of(plan).layers, strict=True)
            if (entry := _offer(pipeline, session, group, plan, layer, key, memory)) is not None
        ]
        if offered:
            score = float(answers.score[query, rank - 1])
            added.append({"memory": names[memory], "rank": rank, "score": score, "layers": offered})
    return added


def first_queries(asked: Asked, count: int) -> Asked:
    """The first of some queries."""

    def first(lists: Lists) -> Lists:
        return lists.some(np.arange(count))

    return replace(
        asked,
        texts=asked.texts[:count],
        known=asked.known[:count],
        time_us=asked.time_us[:count],
        cues=Cues(first(asked.cues.tags), first(asked.cues.entities)),
        profile=asked.profile[:count],
        filter_tags=None if asked.filter_tags is None else first(asked.filter_tags),
        valence=None if asked.valence is None else asked.valence[:count],
    )


def _offer(
    pipeline: Pipeline, session: Session, group: Group, plan: Plan, layer: str, key: GrowthKey,
    memory: int,
) -> dict[str, Any] | None:  # fmt: skip
    """What one layer says of a candidate of the last query; None where it did not offer it."""
    expansion, last = group.grown[key].expansion, group.rows.stop - group.rows.start - 1
    start, stop = int(expansion.ptr[last]), int(expansion.ptr[last + 1])
    at = np.flatnonzero(expansion.memory[start:stop] == memory)
    if not len(at):
        return None
    place = start + int(at[0])
    seeds = some_seeds(session.seeds(group, key), last, last + 1)
    origin = int(expansion.origin[place])
    seed = None if origin == CUE else pipeline.memories.names[origin]
    of_seed = seeds.score[seeds.memory == origin]
    score = float(of_seed[0]) if len(of_seed) else None
    if plan.rules.trace == "metadata":
        return {"graph_source": layer, "graph_seed_id": seed, "graph_seed_score": score}
    return {
        "layer": layer,
        "energy": float(expansion.energy[place]),
        "activation": float(expansion.activation[place]),
        "hop": int(expansion.hop[place]),
        "seed": seed,
        "seed_score": score,
        "edges": [step._asdict() for step in _steps(pipeline, session, group, key, memory)],
    }


def _steps(
    pipeline: Pipeline, session: Session, group: Group, key: GrowthKey, memory: int
) -> tuple[Step, ...]:
    """The edges of the best path, as the layer tells them."""
    learned, config = pipeline.shelf.layer(key.layer, key.rules)
    if learned is None:
        return ()
    last = group.rows.stop - 1
    here = some_seeds(
        session.seeds(group, key), last - group.rows.start, last - group.rows.start + 1
    )
    return learned.explain(config, here, session.cues(slice(last, last + 1)), 0, memory)
