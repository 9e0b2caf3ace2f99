"""The numbers of a memory as one value: every column of SCALARS in its order and type, packed.

Little-endian, without gaps; kind is the first byte. One value is read three times as quickly as
twelve, and its row keeps its length whatever the numbers become.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.changes import SCALARS

LAYOUT = np.dtype([(name, np.dtype(kind).newbyteorder("<")) for name, kind in SCALARS.items()])
SIZE = LAYOUT.itemsize


def packed(scalars: Mapping[str, NDArray[Any]]) -> list[bytes]:
    """The numbers of n memories, each as one value.

    Args:
        scalars: every column, [n].
    """
    rows = np.zeros(len(scalars["kind"]), LAYOUT)
    for name in SCALARS:
        rows[name] = scalars[name]
    flat = rows.tobytes()
    return [flat[first : first + SIZE] for first in range(0, len(flat), SIZE)]


def unpacked(values: Sequence[bytes]) -> dict[str, NDArray[Any]]:
    """Every column of n memories.

    Args:
        values: [n] as `packed` made them.

    Raises:
        ValueError: a value of another length. TypeError: one that is none.
    """
    flat = b"".join(values)
    if set(map(len, values)) - {SIZE}:
        raise ValueError(f"numbers of another length than {SIZE}")
    rows = np.frombuffer(flat, LAYOUT)
    return {name: rows[name].astype(kind) for name, kind in SCALARS.items()}
