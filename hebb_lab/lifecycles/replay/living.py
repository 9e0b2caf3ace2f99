"""A story replayed on one store under one way of learning."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.lifecycles.replay.cues import cues_of
from hebb_lab.lifecycles.replay.held import Held
from hebb_lab.lifecycles.replay.story import DAY_US, Practised, Touched, Written
from hebb_lab.lifecycles.replay.sweeping import swept
from hebb_lab.memory.changes import Change, Edges
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.values import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from hebb_lab.lifecycles.arms import Life
    from hebb_lab.lifecycles.replay.story import Asked, Event, Story
    from hebb_lab.memory.store import MemoryStore

NEVER = np.iinfo(np.int64).max


@dataclass
class Living:
    """One life: what happens in a story happens to a store.

    At each moment that something is asked the store holds what happened strictly before. A life
    that forgets does so every so many days from its first memory on: what the sweep before flagged
    goes, then a sweep flags anew; between the two a touch can save. A touch of what was forgotten
    remembers it anew.

    Args:
        story: what happens.
        life: how the store learns.
        store: empty.
        practice_k: memories that practice gets.
        sweep_us: time between sweeps.
        held: which memory stands for which item.
        counts: of what happened, by name.
        sweep_at: time of the next sweep; NEVER where the life does not forget.
    """

    story: Story
    life: Life
    store: MemoryStore
    practice_k: int = 10
    sweep_us: int = DAY_US
    held: Held = field(init=False)
    counts: Counter[str] = field(default_factory=Counter)
    sweep_at: int = field(default=NEVER, init=False)

    def __post_init__(self) -> None:
        self.held = Held(self.story.items, self.store)
        if self.life.forgets and len(self.story.items):
            self.sweep_at = int(self.story.items.time_us[0]) + self.sweep_us

    def run(
        self, asked: Asked, ask: Callable[[int, NDArray[np.int64]], None],
        told: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:  # fmt: skip
        """Replay the story; at each moment that questions are asked, call ``ask(time, rows)``.

        Args:
            asked: whose moments count.
            ask: gets the time and the rows of ``asked``; it must not change the store.
            told: gets (events done, of how many), now and then.
        """
        moments = asked.moments()[::-1]
        total = len(self.story.events)
        for number, event in enumerate(self.story.events):
            if number % 256 == 0:
                told(number, total)
            if isinstance(event.what, Written):
                self._write(event.what, moments, ask)
            else:
                self._until(event.time_us, moments, ask)
                self._happen(event)
        self._until(NEVER, moments, ask)
        told(total, total)

    # what happens

    def _until(
        self, time_us: int, moments: list[tuple[int, NDArray[np.int64]]],
        ask: Callable[[int, NDArray[np.int64]], None],
    ) -> None:  # fmt: skip
        """Ask and sweep what is due at this time or before; a question comes before a sweep."""
        while True:
            asked_at = moments[-1][0] if moments else NEVER
            due = min(asked_at, self.sweep_at)
            if due > time_us or due == NEVER or (time_us == NEVER and not moments):
                return
            if asked_at <= self.sweep_at:
                ask(*moments.pop())
            else:
                self._sweep()

    def _sweep(self) -> None:
        self.counts["forgotten"] += swept(self.store, self.sweep_at)
        self.sweep_at += self.sweep_us

    def _write(
        self, what: Written, moments: list[tuple[int, NDArray[np.int64]]],
        ask: Callable[[int, NDArray[np.int64]], None],
    ) -> None:  # fmt: skip
        """Remember items, as many at once as nothing comes between."""
        times, first = self.story.items.time_us, what.first
        while first < what.stop:
            self._until(int(times[first]), moments, ask)
            due = min(moments[-1][0] if moments else NEVER, self.sweep_at)
            stop = first + int(np.searchsorted(times[first : what.stop], due, side="left"))
            self._remember(np.arange(first, stop), times[first:stop])
            first = stop

    def _happen(self, event: Event) -> None:
        if isinstance(event.what, Practised):
            self._practise(self.story.practice, event.what.question, event.time_us)
        elif isinstance(event.what, Touched):
            self._touch(event.what, event.time_us)

    def _touch(self, what: Touched, at_us: int) -> None:
        if what.question >= 0 and self.story.steps is not None:
            self._practise(self.story.steps, what.question, at_us)
        if not self.held.alive(what.item):
            self._remember(np.array([what.item]), np.array([at_us]))
            self.counts["remembered_again"] += 1
        elif what.edited and self.life.revises:
            self._revise(what.item, at_us)
        if what.before >= 0 and self.held.alive(what.before):
            self._follow(what.before, what.item, at_us)

    def _remember(self, items: NDArray[np.int64], time_us: NDArray[np.int64]) -> None:
        self.held.write(items, time_us)
        self.counts["remembered"] += len(items)

    def _revise(self, item: int, at_us: int) -> None:
        """An edit: what the node says is not in the log, that it was edited is."""
        self.counts["revised"] += 1
        edits = {"edits": int(self.counts["revised"])}
        made = self.store.revise(self.held.ids([item])[0], at_us, context=edits)
        self.held.place(np.array([item]), Ids.parse([made]))

    def _follow(self, before: int, after: int, at_us: int) -> None:
        """An edge from what was touched to what is touched after it."""
        edge = Edges(
            self.held.ids([before]), self.held.ids([after]),
            np.array([EdgeKind.FOLLOWED_BY], np.int8), np.ones(1, np.float32),
            np.array([at_us], np.int64),
        )  # fmt: skip
        self.store.commit(Change(at_us, edges=edge))
        self.counts["followed"] += 1

    # what recall does to memories

    def _practise(self, asked: Asked, row: int, at_us: int) -> None:
        """Ask one question, and reinforce what the life says."""
        way = self.life.practice
        if way == "off":
            return
        items = asked.needed[row]
        there = [item for item in items[items >= 0].tolist() if self.held.alive(item)]
        wanted = self.held.row_of[there]
        if way == "named":
            self._reinforce(wanted, at_us)
            return
        found = self.store.recall(
            cues_of(asked, np.array([row]), self.held), at_us, k=self.practice_k,
            strategies=self.life.strategies, reinforce=way == "on",
        )  # fmt: skip
        returned = found.rows[0][found.rows[0] >= 0]
        useful = returned[np.isin(returned, wanted)]
        self.counts.update(practised=1, returned=len(returned), useful=len(useful))
        if way == "outcome":
            self._reinforce(useful, at_us)
        elif self.life.rules.co_recall == "outcome":
            self._reinforce(useful[:0], at_us, useful)
        self.counts["reinforced"] += len(returned) if way == "on" else 0

    def _reinforce(
        self, rows: NDArray[np.int64], at_us: int, together: NDArray[np.int64] | None = None
    ) -> None:
        """Name what helped; with co-recall by outcome, what helped together is linked."""
        linked = rows if together is None else together
        groups = []
        if self.life.rules.co_recall == "outcome" and len(linked) > 1:
            groups = [self.store.state.ids_of(linked)]  # as one, so that co_recall_first bounds it
        if len(rows) or groups:
            self.store.reinforce(self.store.state.ids_of(rows), at_us, groups)
            self.counts["reinforced"] += len(rows)
