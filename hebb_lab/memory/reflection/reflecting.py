"""One reflection: which episodes, what was drawn from them, and the change that keeps it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.changes import Added, Change, Journal, Updated
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import entity_problem, raised
from hebb_lab.memory.reflection.clustering import Clusters, clustered
from hebb_lab.memory.reflection.insight import (
    Checked,
    InsightWriter,
    Sources,
    checked_insights,
)
from hebb_lab.memory.reflection.keeping import Drawn, kept_insights, shared_entity
from hebb_lab.memory.values import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.reflection.insight import Embed
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

_LOG = logging.getLogger(__name__)


class ClusterFailure(NamedTuple):
    """A cluster that gave no insight because its writer could not: returned, not raised."""

    cluster: int
    episodes: int
    problem: str


@dataclass(frozen=True)
class Reflected:
    """What a reflection did.

    seen = in clusters + too_small + noise; 0 where fewer than reflect_least waited.

    Args:
        waiting: episodes in scope that had not been reflected on.
        seen: of them, those of this reflection, the oldest.
        clusters: that were handed to the writer.
        too_small: episodes of clusters below cluster_least.
        noise: episodes in no cluster (HDBSCAN).
        failures: clusters whose writer failed, or all of whose insights were refused.
        refused: insights that the limits refused, each with why.
        unknown_sources: sources that a writer named and the cluster does not have.
        silhouette: mean of the clustering.
        ids: of the new insights.
        vectors_by: "embedder", or "mean" of the sources where the store has none.
    """

    waiting: int = 0
    seen: int = 0
    clusters: int = 0
    too_small: int = 0
    noise: int = 0
    failures: tuple[ClusterFailure, ...] = ()
    refused: tuple[str, ...] = ()
    unknown_sources: int = 0
    silhouette: float = 0.0
    ids: Ids = field(default_factory=Ids.none)
    vectors_by: str = "mean"

    @property
    def insights(self) -> int:
        """How many insights were kept."""
        return len(self.ids)


def reflected(
    state: State, journal: Journal, rules: MemoryRules, at_us: int, entity: str | None,
    writer: InsightWriter, rng: np.random.Generator, embed: Embed | None = None,
) -> tuple[Change | None, Reflected]:  # fmt: skip
    """Draw insights from the oldest episodes that have not been reflected on.

    Only episodes with a vector that were written until now are seen, the oldest reflect_most,
    none where fewer than reflect_least wait (page: only Episodes are clustered). An insight
    belongs to the entity asked for, else to the one that all its sources share, else to none.
    Its importance is that of `insight_importance`, and InsightFrom edges have it as confidence; its
    vector is the embedder's, or the unit mean of its sources where there is none.

    An episode is not seen again, whether its cluster was kept or too small or it was noise;
    one whose cluster failed is, unless reflect_cursor=always. Nothing is kept before the last
    cluster is written: a process that dies between leaves the store as it was.

    Args:
        state: of the store.
        journal: of the store, for what episodes say.
        rules: of the store.
        at_us: now, µs since 1970.
        entity: its episodes only; None: all.
        writer: of insights; what it raises fails its cluster alone.
        rng: for ids.
        embed: texts → unit vectors, or None.

    Raises:
        InputError: an entity that no memory has, a writer that cannot be called.

    >>> from hebb_lab.memory.store import MemoryStore
    >>> from hebb_lab.memory.values import Draft
    >>> store = MemoryStore.in_memory(2)
    >>> said = ["We sailed to the island.", "They sailed all night long.", "Sails in the wind."]
    >>> east = np.float32([1, 0])
    >>> _ = store.remember([Draft(text, vector=east) for text in 2 * said], 1_000)
    >>> report = store.reflect(2_000)
    >>> report.seen, report.clusters, report.insights
    (6, 1, 1)
    >>> [insight] = store.insights()
    >>> insight.content, insight.kind.name, round(insight.importance, 2)
    ('We sailed to the island.', 'INSIGHT', 0.65)
    """
    if problem := entity_problem(entity):
        raise raised(problem)
    if not callable(writer):
        raise InputError(f"{type(writer).__name__} is no writer", "Give a function of a cluster")
    rows = unreflected(state, rules, at_us, entity)
    waiting, rows = len(rows), rows[: rules.reflect_most]
    if len(rows) < rules.reflect_least:
        return None, Reflected(waiting=waiting)
    clusters = clustered(state.vectors.take(rows), rules)
    written = [
        _written(state, journal, rows[members], clusters.centroids[place], writer, embed)
        for place, members in enumerate(clusters.members)
    ]
    failed = [place for place, (answer, _) in enumerate(written) if answer is None]
    drawn = [
        Drawn(place, rows[clusters.members[place]], insight)
        for place, (answer, _) in enumerate(written)
        if answer is not None
        for insight in answer.insights
    ]
    added, edges = kept_insights(state, rules, at_us, entity, drawn, rng, embed)
    done = np.ones(len(rows), bool)
    if rules.reflect_cursor == "success":
        for place in failed:
            done[clusters.members[place]] = False
    marked = Updated(state.ids_of(rows[done]), {"reflected": np.ones(int(done.sum()), bool)})
    report = _report(clusters, written, added, waiting, len(rows), embed)
    if added is None and not done.any():
        return None, report
    return Change(at_us, added=added, updated=(marked,) if done.any() else (), edges=edges), report


def unreflected(
    state: State, rules: MemoryRules, at_us: int, entity: str | None
) -> NDArray[np.int64]:
    """Rows of episodes that wait for a reflection, the oldest first, equal times by id."""
    if entity is None:
        rows = np.flatnonzero(state.alive)
    else:
        number = state.entity_number(entity)
        rows = state.rows_of_entity(number) if number >= 0 else np.zeros(0, np.int64)
    created = state.column("created_us")
    keep = (state.column("kind")[rows] == Kind.EPISODE) & ~state.column("reflected")[rows]
    keep &= state.has_vector[rows] & (created[rows] <= at_us)
    if not rules.reflect_superseded:
        keep &= ~state.column("superseded")[rows]
    rows = rows[keep]
    high, low = state.ids_of(rows).array.T
    ordered: NDArray[np.int64] = rows[np.lexsort((low, high, created[rows]))]
    return ordered


def _written(
    state: State, journal: Journal, rows: NDArray[np.int64], centroid: NDArray[np.float32],
    writer: InsightWriter, embed: Embed | None,
) -> tuple[Checked | None, str]:  # fmt: skip
    """What can be kept of a writer's answer; None and why, where nothing can."""
    ids = state.ids_of(rows)
    sources = Sources(
        journal.contents(ids), journal.contexts(ids), shared_entity(state, rows),
        state.vectors.take(rows), centroid, embed,
    )  # fmt: skip
    try:
        checked = checked_insights(writer(sources), len(sources))
    except Exception as error:  # whatever users bring may raise whatever it likes
        return None, f"{type(error).__name__}: {error}"
    if checked.refused and not checked.insights:
        return None, checked.refused[0]
    return checked, ""


def _report(
    clusters: Clusters, written: list[tuple[Checked | None, str]], added: Added | None,
    waiting: int, seen: int, embed: Embed | None,
) -> Reflected:  # fmt: skip
    failures = tuple(
        ClusterFailure(place, len(clusters.members[place]), problem)
        for place, (answer, problem) in enumerate(written)
        if answer is None
    )
    if failures:
        _LOG.warning("%d of %d clusters gave no insight: their writer failed", len(failures),
                     len(written))  # fmt: skip
    answers = [answer for answer, _ in written if answer is not None]
    return Reflected(
        waiting, seen, len(written), clusters.too_small, clusters.noise, failures,
        tuple(why for answer in answers for why in answer.refused),
        sum(answer.unknown_sources for answer in answers), clusters.silhouette,
        Ids.none() if added is None else added.ids, "mean" if embed is None else "embedder",
    )  # fmt: skip
