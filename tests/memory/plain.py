"""The memory model's whole lifecycle over dicts: what stores are held against.

Written from the rules alone, one memory at a time, without arrays. It is told the ids that a store
has made, and nothing else of what the store did.
"""

from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from hebb_lab.memory.values import EdgeKind, Kind

DAY_US = 86_400_000_000
SUPERSEDES, DRAWN = EdgeKind.REVISED_FROM, EdgeKind.INSIGHT_FROM


@dataclass(frozen=True)
class Plain:
    """One memory."""

    content: str
    importance: float
    context: dict
    entity: str | None
    kind: Kind
    vector: tuple
    created: int
    updated: int
    accessed: int
    score: float
    count: int = 0
    clock: int = 0
    superseded: bool = False
    stale: bool = False
    flagged: bool = False
    reflected: bool = False


@dataclass(frozen=True)
class Revision:
    """What changes of a memory; None and KEEP leave a field as it is."""

    content: str | None
    importance: float | None
    context: dict | None
    entity_id: object
    links: tuple
    vector: object


@dataclass
class PlainStore:
    """Memories by id, edges by (source, target, kind), tombstones by id."""

    rules: object
    memories: dict = field(default_factory=dict)
    edges: dict = field(default_factory=dict)  # → (confidence, time)
    tombstones: dict = field(default_factory=dict)  # → (content, time)
    clock_us: int = -1

    # writing
    def remember(self, names, drafts, at):
        """Drafts become memories of these ids; links lead to ids or to places of the call."""
        self.clock_us = at
        for name, draft in zip(names, drafts, strict=True):
            importance = float(np.float32(draft.importance))
            self.memories[name] = Plain(
                draft.content, importance, dict(draft.context), draft.entity_id, draft.kind,
                _numbers(draft.vector), at, at, at, importance,
            )  # fmt: skip
        for name, draft in zip(names, drafts, strict=True):
            for link in draft.links:
                self._link(name, link, names, at)

    def _link(self, name, link, names, at):
        other = names[link.target] if isinstance(link.target, int) else link.target
        ends = (other, name) if link.incoming else (name, other)
        self.edges[(*ends, link.kind)] = (float(np.float32(link.confidence)), at)
        if link.kind == SUPERSEDES and self.rules.revise == "new":
            self._supersede(ends[1])

    def _supersede(self, name):
        if name in self.memories:
            self._set(name, superseded=True)
            if self.rules.insight_stale:
                self._mark_insights({name})

    def _set(self, name, **values):
        self.memories[name] = replace(self.memories[name], **values)

    def _mark_insights(self, names, spared=frozenset()):
        """Insights drawn from some memories, these themselves aside, are stale."""
        for source, target, kind in self.edges:
            if (
                kind == DRAWN
                and target in names
                and source in self.memories.keys() - names - spared
            ):
                self._set(source, stale=True)

    # revision
    def revise(self, name, at, fresh, revision):
        """A memory's next state; ``fresh`` is the id that the store made, if it made one."""
        old = self.memories[name]
        self.clock_us = at
        merged = old.context
        if revision.context is not None:
            keep = self.rules.revise_context == "merge"
            merged = {**(old.context if keep else {}), **revision.context}
        importance = old.importance
        if revision.importance is not None:
            importance = float(np.float32(revision.importance))
        new = replace(
            old, content=old.content if revision.content is None else revision.content,
            importance=importance, score=importance, context=merged, kind=Kind.REVISION,
            entity=revision.entity_id if revision.entity_id is not KEEP else old.entity,
            vector=old.vector if revision.vector is None else _numbers(revision.vector),
            updated=at, clock=old.clock + 1, stale=False, flagged=False, reflected=False,
        )  # fmt: skip
        if self.rules.revise == "new":
            self._revise_new(name, at, fresh, new)
            now = fresh
        else:
            self._revise_in_place(name, at, fresh, new)
            now = name
        for link in revision.links:
            self._link(now, link, (), at)
        self._prune({name, now}, now, at)

    def _revise_new(self, name, at, fresh, new):
        self.memories[fresh] = replace(new, created=at)
        for (source, target, kind), (confidence, _) in list(self.edges.items()):
            if source == name and kind == DRAWN and target in self.memories:
                self.edges[(fresh, target, DRAWN)] = (confidence, at)
        self.edges[(fresh, name, SUPERSEDES)] = (1.0, at)
        self._set(name, superseded=True)
        if self.rules.insight_stale:
            self._mark_insights({name})

    def _revise_in_place(self, name, at, fresh, new):
        if fresh is not None:
            self.memories[fresh] = replace(self.memories[name], superseded=True)
            self.edges[(name, fresh, SUPERSEDES)] = (1.0, at)
        if self.rules.insight_stale:
            self._mark_insights({name})
        self.memories[name] = replace(new, reflected=self.memories[name].reflected)

    def _prune(self, revised, name, at):
        """States that a memory superseded beyond revisions_kept go; it never goes with them."""
        if self.rules.revisions_kept is not None:
            states = sorted(self._states({name}) - {name}, reverse=True)
            asked = set(states[self.rules.revisions_kept :])
            self._go(asked, at, revised - asked)

    def _states(self, names):
        """With all that they superseded, except what a memory that stays has superseded too."""
        goes = set(names)
        while True:
            by = {}
            for source, target, kind in self.edges:
                if kind == SUPERSEDES and source in self.memories and target in self.memories:
                    by.setdefault(target, set()).add(source)
            more = {target for target, sources in by.items() if sources <= goes} - goes
            if not more:
                return goes
            goes |= more

    # forgetting
    def forget(self, names, at):
        """(asked for and gone, gone with them)."""
        asked = {name for name in names if name in self.memories}
        if not asked:
            return 0, 0
        gone = self._go(asked, at)
        return len(asked), len(gone) - len(asked)

    def _go(self, asked, at, spared=frozenset()):
        if not asked:
            return set()
        goes = set(asked)
        while True:
            more = self._states(goes) if self.rules.forget_revisions else set(goes)
            if self.rules.forget_insights == "forget":
                more |= {
                    source for source, target, kind in self.edges
                    if kind == DRAWN and target in more and source in self.memories
                }  # fmt: skip
            more -= spared
            if more == goes:
                break
            goes = more
        if self.rules.forget_insights == "mark":
            self._mark_insights(goes, spared)
        for name in goes:
            self.tombstones[name] = (self.memories.pop(name).content, at)
        self.edges = {key: value for key, value in self.edges.items() if goes.isdisjoint(key[:2])}
        self.clock_us = at
        return goes

    def collect(self, at):
        """Old tombstones go; how many."""
        limit = self.rules.tombstone_days * DAY_US
        old = [name for name, (_, time) in self.tombstones.items() if at - time > limit]
        for name in old:
            del self.tombstones[name]
        if old:
            self.clock_us = at
        return len(old)

    # reflection
    def waiting(self, at, entity):
        """Episodes that a reflection sees, the oldest first."""
        rules = self.rules
        found = [
            name for name, one in self.memories.items()
            if one.kind == Kind.EPISODE and one.vector and not one.reflected and one.created <= at
            and (rules.reflect_superseded or not one.superseded) and entity in {None, one.entity}
        ]  # fmt: skip
        return sorted(found, key=lambda name: (self.memories[name].created, name))

    def reflect(self, at, entity, insights, failed):
        """Insights {id: (text, confidence, context, vector, sources)} were drawn of what waited.

        Args:
            at: now.
            entity: that was asked for.
            insights: what was drawn.
            failed: episodes whose cluster gave none.
        """
        done = [name for name in self.waiting(at, entity) if name not in failed]
        for name, (text, confidence, context, vector, sources) in insights.items():
            owners = {self.memories[source].entity for source in sources}
            owner = entity or (owners.pop() if len(owners) == 1 else None)
            weight = self.rules.insight_weight
            mean = sum(self.memories[source].importance for source in sources) / len(sources)
            importance = weight * mean + (1 - weight) * confidence
            if self.rules.insight_source_gain:
                importance = min(1.0, importance + float(np.log(1 + len(sources))) / 10)
            importance = float(np.float32(importance))
            self.memories[name] = Plain(
                text, importance, context, owner, Kind.INSIGHT, _numbers(vector), at, at, at,
                importance,
            )  # fmt: skip
            for source in sources:
                self.edges[(name, source, DRAWN)] = (importance, at)
        for name in done:
            self._set(name, reflected=True)
        if done or insights:
            self.clock_us = at

    # decay
    def score(self, name, at):
        """What decay leaves of a memory."""
        one, rules = self.memories[name], self.rules
        if one.importance <= 0:
            return 0.0
        anchor = one.created if rules.decay_anchor == "created" else one.accessed
        half_life = rules.half_life_days * DAY_US * (1 + rules.half_life_gain * one.importance)
        score = one.importance * 2.0 ** (-max(at - anchor, 0) / half_life)
        if rules.count_in_decay and rules.reinforcement_cap:
            cap = rules.reinforcement_cap
            score *= 1 + np.log2(1 + min(one.count, cap)) / np.log2(1 + cap)
        return float(np.float32(score))

    @property
    def threshold(self):
        """forget_below as scores are kept: a score of 0.01 is not below 0.01."""
        return float(np.float32(self.rules.forget_below))

    def _seen(self):
        return [
            name for name, one in self.memories.items()
            if self.rules.decay_superseded or not one.superseded
        ]  # fmt: skip

    def decay(self, at):
        """A sweep: (written, flagged, unflagged)."""
        written, flagged, unflagged = 0, 0, 0
        for name in self._seen():
            one, now = self.memories[name], self.score(name, at)
            if abs(now - one.score) > self.rules.decay_epsilon:
                self._set(name, score=now)
                written += 1
            low = now < self.threshold
            if low and not one.flagged:
                self._set(name, flagged=True)
                flagged += 1
            elif one.flagged and not low and self.rules.unflag:
                self._set(name, flagged=False)
                unflagged += 1
        if written or flagged or unflagged:
            self.clock_us = at
        return written, flagged, unflagged

    def auto_forget(self, at):
        """What was flagged goes, the lowest first."""
        fresh = self.rules.fresh_look
        chosen = []
        for name in self._seen():
            score = self.score(name, at) if fresh else self.memories[name].score
            if self.memories[name].flagged and not (fresh and score >= self.threshold):
                chosen.append((score, name))
        names = [name for _, name in sorted(chosen)]
        most = len(names) if self.rules.auto_forget_most is None else self.rules.auto_forget_most
        gone = self.forget(names[:most], at)
        for name in names[most:]:
            if not fresh and name in self.memories:
                self._set(name, flagged=False)
        return gone

    # what accesses do
    def access(self, groups, at):
        """Each list of ids was returned, best first."""
        rules = self.rules
        counts = {}
        for name in (name for group in groups for name in group):
            counts[name] = counts.get(name, 0) + 1
        for name, times in counts.items():
            one = self.memories[name]
            left = (1 - one.importance) * (1 - rules.importance_boost) ** times
            boosted = float(np.float32(1 - left)) if rules.importance_boost else one.importance
            self._set(
                name, count=one.count + times * rules.count_gain, importance=boosted,
                accessed=at if rules.access_moves_clock else one.accessed,
            )  # fmt: skip
        if rules.co_recall == "all_pairs":
            for group in groups:
                for pair in combinations(sorted(group[: rules.co_recall_first]), 2):
                    self._grow(*pair, at)
        if counts:
            self.clock_us = at

    def _grow(self, older, newer, at):
        key = (newer, older, EdgeKind.RELATED_TO)
        turned = (older, newer, EdgeKind.RELATED_TO)
        if key not in self.edges and turned in self.edges:
            key = turned
        before = self.edges.get(key, (0.0, 0))[0]
        left = (1 - before) * (1 - self.rules.co_recall_rate)
        self.edges[key] = (float(np.float32(1 - left)), at)


class _Keep:
    """The entity stays as it is."""


KEEP = _Keep()


def _numbers(vector):
    return () if vector is None or not np.any(vector) else tuple(float(one) for one in vector)
