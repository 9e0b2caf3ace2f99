"""How a store on a disk grows as it is written, revised, forgotten and compacted."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.memory.values import Batch

if TYPE_CHECKING:
    from hebb_lab.lifecycles.replay.story import Items
    from hebb_lab.memory.ids import Ids
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.store import MemoryStore

log = logging.getLogger(__name__)
PARTS = 10
STEP_US = 1_000_000


def growth_of(items: Items, rules: MemoryRules) -> dict[str, Any]:
    """Write a story's memories into a file, revise a tenth of them, forget the older half.

    Returns:
        dimensions; memories; content_bytes of all texts; sizes: one entry for each tenth written,
        for the revisions, and for the forgetting: event (empty for writing), memories that the
        store holds, bytes of its files once the WAL is brought in, state_bytes in memory, seconds
        of the operation without that.
    """
    from time import perf_counter

    from hebb_lab.memory.operations import Revision
    from hebb_lab.memory.store import MemoryStore

    sizes: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        path, dimensions = Path(folder) / "store", int(items.vectors.shape[1])
        with MemoryStore.open(path, rules=rules.change(vacuum=True), dimensions=dimensions,
                              rng=np.random.default_rng(0)) as store:  # fmt: skip
            ids = []
            for part in np.array_split(np.arange(len(items)), PARTS):
                if len(part):
                    start = perf_counter()
                    ids += list(_written(store, items, part))
                    sizes.append(_size(store, "", perf_counter() - start))
            end_us = int(items.time_us[-1])
            start, some = perf_counter(), ids[:: max(len(ids) // max(len(ids) // PARTS, 1), 1)]
            again = [Revision(name, context={"revised": True}) for name in some]
            ids += list(store.revise_all(again, end_us + STEP_US))
            sizes.append(_size(store, f"{len(some):,} revised", perf_counter() - start))
            start, half = perf_counter(), ids[: len(items) // 2]
            store.forget(half, end_us + 2 * STEP_US)
            sizes.append(_size(store, f"{len(half):,} forgotten", perf_counter() - start))
    return {
        "dimensions": dimensions, "memories": len(items),
        "content_bytes": sum(len(text.encode()) for text in items.contents), "sizes": sizes,
    }  # fmt: skip


def _written(store: MemoryStore, items: Items, part: np.ndarray[Any, Any]) -> Ids:
    chosen = part.tolist()
    batch = Batch(
        [items.contents[item] for item in chosen], items.vectors[part], items.importance[part],
        entities=[items.entities[item] for item in chosen], time_us=items.time_us[part],
    )  # fmt: skip
    return store.remember(batch, int(items.time_us[part[-1]]))


def _size(store: MemoryStore, event: str, seconds: float) -> dict[str, Any]:
    store.journal.settle()  # pages written ahead are of the past, not of what is kept
    return {
        "event": event, "memories": int(store.state.alive.sum()),
        "bytes": int(store.journal.byte_count()), "state_bytes": int(store.state.byte_count()),
        "seconds": round(seconds, 4),
    }  # fmt: skip
