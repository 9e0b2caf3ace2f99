"""What a question may see of a store: its scope, the time it is asked, the kinds it wants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.state import nearest
from hebb_lab.memory.strategies.lists import Integers, Numbers, kept

if TYPE_CHECKING:
    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State
    from hebb_lab.memory.values import Cues

ALL, NONE = -2, -1  # scopes: everything; what has no entity, where the rules share that
_SPARE = 32  # more than k that are fetched before what may not be seen is taken out

Flags = NDArray[np.bool_]


@dataclass
class View:
    """A store as questions see it at one moment.

    What was written after ``at_us`` is not there. A scope is the number of an entity; the name of
    an entity that no memory has sees what has no entity, where the rules share that.

    Args:
        state: the memories.
        journal: their contents and contexts.
        rules: the rules.
        at_us: when the questions are asked.
        cues: the questions.
    """

    state: State
    journal: Journal
    rules: MemoryRules
    at_us: int
    cues: Cues

    @cached_property
    def scopes(self) -> Integers:
        """[Q] scope of each question."""
        entities = self.cues.entities
        if entities is None or isinstance(entities, str):
            scope = ALL if entities is None else self.state.entity_number(entities)
            return np.full(len(self.cues), scope, np.int64)
        numbers = {name: self.state.entity_number(name) for name in set(entities)}
        numbers[None] = ALL
        return np.array([numbers[name] for name in entities], np.int64)

    def by_scope(self, places: Integers | None = None) -> Iterator[tuple[int, Integers]]:
        """Scope → places in ``places`` [n] of the questions that have it; or questions, of all."""
        scopes = self.scopes if places is None else self.scopes[places]
        for scope in np.unique(scopes).tolist():
            yield scope, np.flatnonzero(scopes == scope)

    @cached_property
    def there(self) -> Flags:
        """[count] memories that had been written by then."""
        written: Flags = self.state.alive & (self.state.column("created_us") <= self.at_us)
        return written

    @cached_property
    def shown(self) -> Flags:
        """[count] those of them that the rules let recall find: superseded, stale."""
        shown = self.there
        if not self.rules.superseded_recalled:
            shown = shown & ~self.state.column("superseded")
        if not self.rules.stale_recalled:
            shown = shown & ~self.state.column("stale")
        return shown

    @cached_property
    def wanted(self) -> Flags:
        """[count] those of them that are of a kind that the questions want."""
        if not self.cues.kinds:
            return self.shown
        wanted: Flags = self.shown & np.isin(self.state.column("kind"), self.cues.kinds)
        return wanted

    def in_scope(self, questions: Integers, rows: Integers) -> Flags:
        """[n] whether each row is in the scope of its question."""
        scope, entity = self.scopes[questions], self.state.entity[rows]
        inside: Flags = (scope == ALL) | ((scope >= 0) & (entity == scope))
        if self.rules.unscoped_shared:
            inside |= entity == NONE
        return inside

    def rows_of_scope(self, scope: int, among: Flags) -> Integers:
        """Rows of a scope that are flagged in ``among`` [count], ascending."""
        if scope == ALL:
            return np.flatnonzero(among)
        rows = self.state.rows_of_entity(scope)
        if self.rules.unscoped_shared:
            rows = np.sort(np.concatenate([rows, self.state.rows_without_entity()]))
        return rows[among[rows]]

    def nearest(
        self, queries: Numbers, places: Integers, k: int, among: Flags
    ) -> tuple[Integers, Numbers]:
        """The k nearest memories in the scope of each query's question.

        With scope_filter=after, k × scope_oversampling of all memories are fetched, and those
        outside the scope taken out: a small scope may find fewer than k, or none.

        Args:
            queries: [n, d] unit vectors.
            places: [n] the question of each.
            k: how many.
            among: [count] memories that count.

        Returns:
            Rows [n, k], −1 past the end, and cosines [n, k], −inf past the end.
        """
        rows = np.full((len(queries), k), -1, np.int64)
        cosine = np.full((len(queries), k), -np.inf, np.float32)
        if not self.state.count:
            return rows, cosine
        if self.rules.scope_filter == "after" and (self.scopes[places] != ALL).any():
            more = self._nearest_of_all(queries, k * self.rules.scope_oversampling, among)
            question = np.broadcast_to(places[:, None], more[0].shape)
            return kept(*more, self.in_scope(question, more[0]), k, -np.inf)
        for scope, chosen in self.by_scope(places):
            part = np.ascontiguousarray(queries[chosen])
            if scope == ALL:
                found = self._nearest_of_all(part, k, among)
            else:
                inside = self.rows_of_scope(scope, among)
                found = nearest(self.state, part, k, inside, self.rules)
            rows[chosen], cosine[chosen] = found
        return rows, cosine

    def _nearest_of_all(self, queries: Numbers, k: int, among: Flags) -> tuple[Integers, Numbers]:
        usable = self.state.alive & self.state.has_vector
        hidden = int((usable & ~among).sum())
        if not hidden:
            return nearest(self.state, queries, k, None, self.rules)
        if self.rules.index == "hnsw":  # the graph is searched for what may be seen alone
            return nearest(self.state, queries, k, np.flatnonzero(usable & among), self.rules)
        # To search all vectors where they lie, and a few too many, is faster than to gather them;
        # what may be seen of the first k + spare is the true first k where it is k or more.
        spare = min(hidden, k + _SPARE)
        more = nearest(self.state, queries, k + spare, None, self.rules)
        rows, cosine = kept(*more, among[more[0]], k, -np.inf)
        short = np.flatnonzero(rows[:, -1] < 0)
        if len(short) and spare < hidden:
            inside = np.flatnonzero(usable & among)
            rows[short], cosine[short] = nearest(self.state, queries[short], k, inside, self.rules)
        return rows, cosine
