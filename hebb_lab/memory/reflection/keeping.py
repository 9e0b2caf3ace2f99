"""The change that keeps insights: memories of kind Insight with edges to their sources."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.memory.changes import SCALARS, Added, Edges, Texts
from hebb_lab.memory.ids import Ids, made_ids
from hebb_lab.memory.reflection.clustering import unit_mean
from hebb_lab.memory.values import EdgeKind, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.reflection.insight import Embed, Insight
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


class Drawn(NamedTuple):
    """An insight, the number of its cluster, and the cluster's rows in the order of its places."""

    cluster: int
    members: NDArray[np.int64]
    insight: Insight

    def rows(self) -> NDArray[np.int64]:
        """Of its sources."""
        return self.members[list(self.insight.sources)]


def kept_insights(
    state: State, rules: MemoryRules, at_us: int, entity: str | None, drawn: list[Drawn],
    rng: np.random.Generator, embed: Embed | None,
) -> tuple[Added | None, Edges | None]:  # fmt: skip
    """New memories for insights, and their edges.

    Args:
        state: of the store.
        rules: of the store.
        at_us: now.
        entity: of all insights; None: the one that all sources of an insight share.
        drawn: the insights.
        rng: for ids.
        embed: texts → unit vectors; None: the unit mean of an insight's sources.
    """
    if not drawn:
        return None, None
    ids = made_ids(np.full(len(drawn), at_us, np.int64), state.highest_id, rng)
    texts = [one.insight.text for one in drawn]
    vectors = (
        np.stack([unit_mean(state.vectors.take(one.rows())) for one in drawn])
        if embed is None
        else np.ascontiguousarray(embed(texts), np.float32)
    )
    entities = [entity if entity is not None else shared_entity(state, o.rows()) for o in drawn]
    importance = [
        insight_importance(state.column("importance")[one.rows()], one.insight.confidence, rules)
        for one in drawn
    ]
    said = Texts(texts, [_context(one) for one in drawn], entities, vectors)
    scalars = _scalars(at_us, np.array(importance, np.float32))
    return Added(ids, said, scalars), _edges(state, ids, drawn, scalars["importance"], at_us)


def insight_importance(
    importance: NDArray[np.float32], confidence: float, rules: MemoryRules
) -> float:
    """insight_weight × mean importance of the sources + the rest × confidence, in [0, 1].

    With insight_source_gain, ln(1 + sources)/10 is added first.

    Args:
        importance: [n] of the sources.
        confidence: of the insight.
        rules: for both switches.
    """
    value = rules.insight_weight * float(importance.mean(dtype=np.float64))
    value += (1 - rules.insight_weight) * confidence
    if rules.insight_source_gain:
        value += math.log1p(len(importance)) / 10
    return min(1.0, max(0.0, value))


def shared_entity(state: State, rows: NDArray[np.int64]) -> str | None:
    """The entity that all rows share, or None."""
    numbers = np.unique(state.entity[rows])
    return state.entities[int(numbers[0])] if len(numbers) == 1 and numbers[0] >= 0 else None


def _context(one: Drawn) -> str:
    told = {
        "cluster": one.cluster,
        "confidence": round(one.insight.confidence, 6),
        "sources": len(one.insight.sources),
        "tags": list(one.insight.tags),
    }
    return json.dumps(told, sort_keys=True, ensure_ascii=False)


def _scalars(at_us: int, importance: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    made = {name: np.zeros(len(importance), kind) for name, kind in SCALARS.items()}
    for name in ("created_us", "updated_us", "accessed_us"):
        made[name][:] = at_us
    made["kind"][:] = Kind.INSIGHT
    return {**made, "importance": importance, "decay_score": importance.copy()}


def _edges(
    state: State, ids: Ids, drawn: list[Drawn], importance: NDArray[np.float32], at_us: int
) -> Edges:
    """InsightFrom edges; their confidence is the insight's importance (hebbs.md §4.6)."""
    counts = [len(one.insight.sources) for one in drawn]
    total = sum(counts)
    return Edges(
        Ids(np.repeat(ids.array, counts, axis=0)),
        state.ids_of(np.concatenate([one.rows() for one in drawn])),
        np.full(total, EdgeKind.INSIGHT_FROM, np.int8),
        np.repeat(importance, counts),
        np.full(total, at_us, np.int64),
    )
