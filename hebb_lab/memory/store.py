"""A store of memories: each method makes a `Change`, durable in the journal, then in the state.

Nothing here reads a clock: ``at_us`` is µs since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hebb_lab.memory import operations
from hebb_lab.memory.base import OpenStore
from hebb_lab.memory.changes import Change
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.operations import KEEP, Criteria, Forgotten, Keep, Lineage, Revision
from hebb_lab.memory.values import Batch, Cues, Draft, Link, Memory, Recalled, Refused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.memory.decay import Swept
    from hebb_lab.memory.reflection import InsightWriter, Reflected
    from hebb_lab.memory.subscription import Subscription


class MemoryStore(OpenStore):
    """Memories under one rule set. `open` keeps them in a folder, `in_memory` in this process.

    A change that could not be kept leaves the store as it was. Threads may share a store: one at a
    time is in it, the others wait; callbacks and writers of insights run in the thread that asked.

    Args:
        journal: keeps the changes; what it holds is loaded.
        rules: by which memories live.
        embedder: makes vectors of texts; None: vectors are given, or memories have none.
        rng: chance of ids and salts; None: of the operating system.

    >>> import numpy as np
    >>> from hebb_lab.memory.values import EdgeKind
    >>> day = 86_400_000_000
    >>> with MemoryStore.in_memory(2, rng=np.random.default_rng(0)) as store:
    ...     east, north = np.float32([1, 0]), np.float32([0, 1])
    ...     first = store.remember(Draft("rain in Bergen", 0.9, vector=east), day)[0]
    ...     later = store.remember(
    ...         Draft("wet shoes", vector=north, links=[Link(EdgeKind.CAUSED_BY, first)]), 2 * day
    ...     )
    ...     found = store.recall(Cues(vectors=east[None]), 3 * day, k=1)
    ...     newer = store.revise(first, 4 * day, content="snow in Bergen", vector=east)
    ...     [memory.content for memory in store.get([found.hits()[0].id, newer])]
    ...     store.decay(500 * day).flagged, store.auto_forget(500 * day).count
    ['rain in Bergen', 'snow in Bergen']
    (3, 3)
    """

    def remember(
        self, drafts: Draft | Sequence[Draft] | Batch, at_us: int,
        refused: list[Refused] | None = None,
    ) -> Ids:  # fmt: skip
        """New memories, all of them or none; see `operations.remembered`.

        Raises:
            InputError: see `limits`; with ``refused`` memories are listed there instead.
        """
        change, ids = operations.remembered(
            self.state, self.rules, drafts, at_us, self.rng, self._embed, refused
        )
        self._keep(change)
        return ids

    def get(self, ids: Ids | Sequence[str]) -> list[Memory]:
        """Memories as they are; nothing is reinforced.

        Raises:
            MemoryNotFoundError: an id that is not there.
        """
        return operations.memories_of(self.state, self.journal, ids)

    def recall(
        self, cues: Cues | str | Sequence[str], at_us: int, *, k: int = 10,
        strategies: Sequence[str] = ("similarity",), reinforce: bool | None = None,
    ) -> Recalled:  # fmt: skip
        """What cues find; see `strategies.recall`.

        Each strategy gives its best k by relevance, and the score orders those (hebbs.md §2): the
        first hits may be others for another k. A strategy that cannot answer a question is told in
        the answer's ``failures``, not raised.

        Args:
            cues: one or many.
            at_us: the time of the questions.
            k: memories a question; more than 1,000 are 1,000.
            strategies: that are asked.
            reinforce: what is found; None: as rules.reinforcement says, never while reading only.

        Raises:
            InputError: a cue that is none; it says which and why.
            ConfigError: an unknown strategy.
        """
        from hebb_lab.memory import strategies as known

        names, wanted = known.strategy_names(strategies), self._reinforces(reinforce, at_us)
        asked = operations.asked_cues(cues, names, self._embed)
        found = known.recall(self.state, self.journal, self.rules, asked, at_us, k, names)
        if wanted:
            self._keep(operations.reinforced_by(self.state, self.rules, found, at_us))
        return found

    def _reinforces(self, reinforce: bool | None, at_us: int) -> bool:
        if reinforce is None:
            reinforce = self.rules.reinforcement == "on" and self.writable
        clock_us = self.state.clock_us if reinforce else -1
        operations.checked_time(at_us, clock_us, self.rules.clock_back)
        return reinforce

    def reinforce(
        self, ids: Ids | Sequence[str], at_us: int, pairs: Iterable[Sequence[str]] = ()
    ) -> None:
        """An outcome names what helped, an id for each time; see `operations.reinforced_ids`."""
        self._keep(operations.reinforced_ids(self.state, self.rules, ids, at_us, pairs))

    def prime(
        self, entity: str, at_us: int, *, cue: str | None = None, k: int = 20,
        context: Mapping[str, Any] | None = None, vector: NDArray[np.float32] | None = None,
    ) -> Recalled:  # fmt: skip
        """What an entity begins with: its newest, then what is near; see `operations.primed`."""
        wanted = self._reinforces(None, at_us)
        asked = operations.Priming(entity, cue, context or {}, vector, k)
        found = operations.primed(self.state, self.journal, self.rules, asked, at_us, self._embed)
        if wanted:
            self._keep(operations.reinforced_by(self.state, self.rules, found, at_us))
        return found

    def _keep(self, change: Change | None) -> None:
        if change is not None:
            self.commit(change)

    def subscribe(self, **wanted: Any) -> Subscription:
        """What an arriving stream brings to mind; see `subscription.Wanted`, `subscription.stream`.

        Raises:
            StoreError: 100 subscriptions are open.
        """
        return self.subscriptions.open(self, **wanted)

    def revise(
        self, id: str, at_us: int, *, content: str | None = None, importance: float | None = None,
        context: Mapping[str, Any] | None = None, entity_id: str | Keep | None = KEEP,
        links: Sequence[Link] = (), vector: NDArray[np.float32] | None = None,
    ) -> str:  # fmt: skip
        """The next state of a memory; see `operations.revised`.

        Returns:
            The id that it has now: a new one, or the same under rules.revise=in_place.

        Raises:
            MemoryNotFoundError: an id that is not there.
            InputError: nothing is given, a superseded memory, what `limits` refuses.
        """
        revision = Revision(id, content, importance, context, entity_id, links, vector)
        return self.revise_all([revision], at_us)[0]

    def revise_all(self, revisions: Sequence[Revision], at_us: int) -> Ids:
        """Next states of some memories, all of them or none."""
        change, ids = operations.revised(
            self.state, self.journal, self.rules, revisions, at_us, self.rng, self._embed
        )
        self._keep(change)
        return ids

    def forget(self, what: Ids | Sequence[str] | Criteria, at_us: int) -> Forgotten:
        """Memories go for good, with the states that they superseded and what was drawn from them.

        Later revisions of a forgotten state stay, and their text may be the same: forget the newest
        state to forget all of them. See `operations.forgotten`.
        """
        return self._gone(
            operations.forgotten(self.state, self.journal, self.rules, what, at_us, self.rng)
        )

    def auto_forget(self, at_us: int) -> Forgotten:
        """What decay has flagged goes; see `operations.auto_forgotten`."""
        return self._gone(
            operations.auto_forgotten(self.state, self.journal, self.rules, at_us, self.rng)
        )

    def _gone(self, found: tuple[Change | None, Forgotten]) -> Forgotten:
        change, forgotten = found
        self._keep(change)
        if len(forgotten.ids) and self.rules.vacuum:
            self.compact()
        return forgotten

    def collect_tombstones(self, at_us: int) -> int:
        """Tombstones older than rules.tombstone_days go; how many."""
        change, count = operations.collected(self.state, self.journal, self.rules, at_us)
        self._keep(change)
        return count

    def sweep(
        self, at_us: int, half_lives_days: Sequence[float] | None = None
    ) -> NDArray[np.float32]:
        """Decay scores [count, C] of all rows for C half-lives; nothing is written."""
        from hebb_lab.memory.decay import scores

        operations.checked_time(at_us, -1, "keep")
        return scores(self.state, self.rules, at_us, half_lives_days)

    def decay(self, at_us: int) -> Swept:
        """A sweep that writes decay scores and flags."""
        change, swept = operations.decayed(self.state, self.rules, at_us)
        self._keep(change)
        return swept

    def reflect(
        self, at_us: int, *, entity: str | None = None, writer: InsightWriter | None = None
    ) -> Reflected:
        """Insights from episodes; see `reflection.reflected`.

        Args:
            at_us: when.
            entity: of its episodes alone; None: of all.
            writer: says what a cluster tells; None: `extractive`. It may read the store; what it
                would change raises a StoreError in it and nothing is changed.
        """
        from hebb_lab.memory.reflection import extractive, reflected

        operations.checked_time(at_us, self.state.clock_us, self.rules.clock_back)
        self._check_may_change()
        self._only_read = True
        try:
            change, found = reflected(
                self.state, self.journal, self.rules, at_us, entity,
                extractive if writer is None else writer, self.rng, self._embed,
            )  # fmt: skip
        finally:
            self._only_read = False
        self._keep(change)
        return found

    def insights(
        self, *, entity: str | None = None, least_importance: float = 0.0, most: int = 100
    ) -> list[Memory]:
        """Insights, the most important first; see `operations.insights_in`."""
        rows = operations.insights_in(self.state, self.rules, entity, least_importance, most)
        return operations.memories_in(self.state, self.journal, rows)

    def lineage(self, id: str) -> Lineage:
        """Where a memory came from and what came from it; see `operations.lineage_of`."""
        return operations.lineage_of(self.state, self.journal, id)
