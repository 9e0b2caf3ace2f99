"""Which memory of a store stands for which item of a story."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.values import Batch, Link

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.replay.story import Items
    from hebb_lab.memory.ids import Ids
    from hebb_lab.memory.state import State
    from hebb_lab.memory.store import MemoryStore


@dataclass
class Held:
    """Items of a story and the rows of a store.

    Args:
        items: of the story.
        store: that holds them.
        row_of: [n] row of each item's newest memory; −1 before it is written.
        item_of: item of each row.
    """

    items: Items
    store: MemoryStore
    row_of: NDArray[np.int64] = field(init=False)
    item_of: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.row_of = np.full(len(self.items), -1, np.int64)
        self.item_of = np.full(max(len(self.items), 16), -1, np.int64)

    @property
    def state(self) -> State:
        """The store's."""
        return self.store.state

    def alive(self, item: int) -> bool:
        """Whether the item is remembered now."""
        row = self.row_of[item]
        return bool(row >= 0 and self.state.alive[row])

    def ids(self, items: list[int]) -> Ids:
        """Ids of items that are remembered now."""
        return self.state.ids_of(self.row_of[items])

    def nodes_of(self, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        """Node of each row, −1 for none; any shape."""
        items = np.where(rows >= 0, self.item_of[rows], -1)
        return np.where(items >= 0, self.items.nodes[items], -1).astype(np.int32)

    def place(self, items: NDArray[np.int64], ids: Ids) -> None:
        """Note under which ids some items are remembered from now on."""
        rows = self.state.rows_of(ids)
        count = self.state.count
        if count > len(self.item_of):
            grown = np.full(2 * count, -1, np.int64)
            grown[: len(self.item_of)] = self.item_of
            self.item_of = grown
        self.row_of[items] = rows
        self.item_of[rows] = items

    def write(self, items: NDArray[np.int64], time_us: NDArray[np.int64]) -> None:
        """Remember some items, each at its time, with the edges that come with them.

        Those whose text says nothing have no vector, and are written by themselves.
        """
        worded: NDArray[np.bool_] = np.asarray(self.items.vectors[items].any(axis=1))
        for run in np.split(np.arange(len(items)), np.flatnonzero(np.diff(worded)) + 1):
            if len(run):
                self._write(items[run], time_us[run], worded=bool(worded[run[0]]))

    def _write(self, items: NDArray[np.int64], time_us: NDArray[np.int64], *, worded: bool) -> None:
        own, chosen = self.items, items.tolist()
        at = {item: place for place, item in enumerate(chosen)}
        batch = Batch(
            [own.contents[item] for item in chosen],
            own.vectors[items] if worded else None,
            own.importance[items],
            entities=[own.entities[item] for item in chosen],
            links={at[item]: made for item in chosen if (made := self._links(item, at))},
            time_us=time_us,
        )
        self.place(items, self.store.remember(batch, int(time_us[-1])))

    def _links(self, item: int, at: dict[int, int]) -> list[Link]:
        """Edges of an item to those that are there, or come with it."""
        links = []
        for tie in self.items.ties.get(item, ()):
            incoming = tie.target == item
            other = tie.source if incoming else tie.target
            if other in at:
                links.append(Link(tie.kind, at[other], tie.confidence, incoming))
            elif self.alive(other):
                links.append(Link(tie.kind, self.ids([other])[0], tie.confidence, incoming))
        return links
