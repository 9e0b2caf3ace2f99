"""A story replayed on one store under one way of learning."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.lifecycles.replay.cues import cues_of
from hebb_lab.lifecycles.replay.story import DAY_US, Practised, Touched, Written
from hebb_lab.memory.changes import Change, Edges
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.values import Batch, EdgeKind, Link

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
    that forgets sweeps, and then forgets, every so many days from its first memory on. A touch of
    what was forgotten remembers it anew.

    Args:
        story: what happens.
        life: how the store learns.
        store: empty.
        practice_k: memories that practice gets.
        sweep_us: time between sweeps.
        row_of: [n] row of each item's newest memory; −1 before it is written.
        item_of: item of each row.
        counts: of what happened, by name.
    """

    story: Story
    life: Life
    store: MemoryStore
    practice_k: int = 10
    sweep_us: int = DAY_US
    row_of: NDArray[np.int64] = field(init=False)
    item_of: NDArray[np.int64] = field(init=False)
    counts: Counter[str] = field(default_factory=Counter)
    _sweep_at: int = field(default=NEVER, init=False)

    def __post_init__(self) -> None:
        n = len(self.story.items)
        self.row_of = np.full(n, -1, np.int64)
        self.item_of = np.full(max(n, 16), -1, np.int64)
        if self.life.forgets and n:
            self._sweep_at = int(self.story.items.time_us[0]) + self.sweep_us

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

    def nodes_of(self, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        """Node of each row, −1 for none; any shape."""
        items = np.where(rows >= 0, self.item_of[rows], -1)
        nodes = np.where(items >= 0, self.story.items.nodes[items], -1)
        return nodes.astype(np.int32)

    def alive(self, item: int) -> bool:
        """Whether the item is remembered now."""
        row = self.row_of[item]
        return bool(row >= 0 and self.store.state.alive[row])

    # what happens

    def _until(
        self, time_us: int, moments: list[tuple[int, NDArray[np.int64]]],
        ask: Callable[[int, NDArray[np.int64]], None],
    ) -> None:  # fmt: skip
        """Ask and sweep what is due at this time or before; a question comes before a sweep."""
        while True:
            asked_at = moments[-1][0] if moments else NEVER
            due = min(asked_at, self._sweep_at)
            if due > time_us or due == NEVER or (time_us == NEVER and not moments):
                return
            if asked_at <= self._sweep_at:
                ask(*moments.pop())
            else:
                self._sweep()

    def _sweep(self) -> None:
        at_us = self._sweep_at
        self.store.decay(at_us)
        self.counts["forgotten"] += self.store.auto_forget(at_us).count
        self._sweep_at += self.sweep_us

    def _write(
        self, what: Written, moments: list[tuple[int, NDArray[np.int64]]],
        ask: Callable[[int, NDArray[np.int64]], None],
    ) -> None:  # fmt: skip
        """Remember items, as many at once as nothing comes between."""
        times, first = self.story.items.time_us, what.first
        while first < what.stop:
            self._until(int(times[first]), moments, ask)
            due = min(moments[-1][0] if moments else NEVER, self._sweep_at)
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
        if not self.alive(what.item):
            self._remember(np.array([what.item]), np.array([at_us]))
            self.counts["remembered_again"] += 1
        elif what.edited and self.life.revises:
            self._revise(what.item, at_us)
        if what.before >= 0 and self.alive(what.before):
            self._follow(what.before, what.item, at_us)

    def _remember(self, items: NDArray[np.int64], time_us: NDArray[np.int64]) -> None:
        """Remember some items, with the edges that come with them."""
        own, chosen = self.story.items, items.tolist()
        place = {item: at for at, item in enumerate(chosen)}
        links = {at: made for at, item in enumerate(chosen) if (made := self._links(item, place))}
        batch = Batch(
            [own.contents[item] for item in chosen],
            own.vectors[items],
            own.importance[items],
            entities=[own.entities[item] for item in chosen],
            links=links,
            time_us=time_us,
        )
        ids = self.store.remember(batch, int(time_us[-1]))
        self._place(items, self.store.state.rows_of(ids))
        self.counts["remembered"] += len(chosen)

    def _links(self, item: int, place: dict[int, int]) -> list[Link]:
        """Edges of an item to those that are there, or come with it."""
        links = []
        for tie in self.story.items.ties.get(item, ()):
            incoming = tie.target == item
            other = tie.source if incoming else tie.target
            if other in place:
                links.append(Link(tie.kind, place[other], tie.confidence, incoming))
            elif self.alive(other):
                links.append(Link(tie.kind, self._id(other), tie.confidence, incoming))
        return links

    def _revise(self, item: int, at_us: int) -> None:
        """An edit: what the node says is not in the log, that it was edited is."""
        self.counts["revised"] += 1
        edits = {"edits": int(self.counts["revised"])}
        made = self.store.revise(self._id(item), at_us, context=edits)
        self._place(np.array([item]), self.store.state.rows_of(Ids.parse([made])))

    def _follow(self, before: int, after: int, at_us: int) -> None:
        """An edge from what was touched to what is touched after it."""
        state = self.store.state
        edge = Edges(
            state.ids_of(self.row_of[[before]]), state.ids_of(self.row_of[[after]]),
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
        needed = [item for item in asked.needed[row].tolist() if item >= 0 and self.alive(item)]
        wanted = self.row_of[needed]
        if way == "named":
            self._reinforce(wanted, at_us)
            return
        found = self.store.recall(
            cues_of(asked, np.array([row]), self), at_us, k=self.practice_k,
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
        pairs = []
        if self.life.rules.co_recall == "outcome":
            pairs = list(combinations(self.store.state.ids_of(linked), 2))
        if len(rows) or pairs:
            self.store.reinforce(self.store.state.ids_of(rows), at_us, pairs)
            self.counts["reinforced"] += len(rows)

    # where memories lie

    def _id(self, item: int) -> str:
        return self.store.state.ids_of(self.row_of[[item]])[0]

    def _place(self, items: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Note the rows of some items; rows that came without being asked are theirs too."""
        self.row_of[items] = rows
        count = self.store.state.count
        if count > len(self.item_of):
            grown = np.full(2 * count, -1, np.int64)
            grown[: len(self.item_of)] = self.item_of
            self.item_of = grown
        self.item_of[rows] = items
