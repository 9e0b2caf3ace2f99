"""Hash tables with open addressing, as COAX stores its pairs and edges."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

PAIR = np.dtype({
    "names": ["pair_a", "pair_b", "pair_count", "flags"],
    "formats": ["<i8", "<i8", "<i4", "<i4"],
    "offsets": [0, 8, 16, 20],
    "itemsize": 32,
})  # fmt: skip
EDGE = np.dtype({
    "names": ["source", "target", "weight", "last_ms", "activations", "flags"],
    "formats": ["<i8", "<i8", "<f4", "<i8", "<i4", "<i4"],
    "offsets": [0, 8, 16, 24, 32, 36],
    "itemsize": 40,
})  # fmt: skip
PAIRS, EDGES = (tuple(n for n in table.names or () if n != "flags") for table in (PAIR, EDGE))
_USED = 1
_FACTORS = {"pair_a": 0x9E3779B97F4A7C15, "source": 0x517CC1B727220A95}


class Used(NamedTuple):
    """The entries of a table in the order of their keys, and the slot that each stood in."""

    columns: dict[str, Any]
    slot: NDArray[np.int64]


def used(table: NDArray[np.void]) -> Used:
    """What a table holds, by its two keys ascending."""
    filled = np.flatnonzero(table["flags"] & _USED)
    entries = table[filled]
    first, second, *_ = entries.dtype.names or ()
    order = np.lexsort((entries[second], entries[first]))
    names = [name for name in entries.dtype.names or () if name != "flags"]
    columns = {name: entries[name][order] for name in names}
    return Used(
        {name: c.astype(c.dtype.newbyteorder("=")) for name, c in columns.items()}, filled[order]
    )


def slots(
    value: object, names: tuple[str, ...], layout: np.dtype[np.void], size: int
) -> NDArray[np.void]:
    """A table of that size with the entries of a value; slot = (first · factor + second) mod size.

    A slot that is taken sends an entry on to the next.

    Raises:
        ValueError: a size that is no power of two.
    """
    if size < 1 or size & (size - 1):
        raise ValueError(f"a table of {size} slots: its size has to be a power of two")
    first, second = (getattr(value, name).tolist() for name in names[:2])
    taken: set[int] = set()
    chosen = np.zeros(len(first), np.int64)
    factor = _FACTORS[names[0]]
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        slot = (a * factor + b) & (size - 1)
        while slot in taken:
            slot = (slot + 1) & (size - 1)
        taken.add(slot)
        chosen[i] = slot
    table = np.zeros(size, layout)
    for name in names:
        table[name][chosen] = getattr(value, name)
    table["flags"][chosen] = _USED
    return table


def slot_count(entries: int) -> int:
    """The size of a table that is at most half full: the next power of two of twice as many.

    >>> slot_count(10_000), slot_count(0)
    (32768, 1)
    """
    return 1 << max(2 * entries - 1, 0).bit_length() if entries else 1
