"""Selection under the one tie rule: score as float32 descending, then id descending."""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel, part


@kernel
def best_nodes(nodes: Any, score: Any, count: int, barred: Any, ids: Any, scores: Any) -> None:
    """Fill ``ids`` and ``scores`` [k] with the best of ``nodes[:count]`` that are not barred.

    Only positive scores rank. ``scores`` must come in as −inf, ``ids`` as −1.
    """
    k = len(ids)
    if k == 0:
        return
    for i in range(count):
        node = nodes[i]
        value = np.float32(score[node])
        if barred[node] or not value > 0.0:
            continue
        if value < scores[k - 1] or (value == scores[k - 1] and node < ids[k - 1]):
            continue
        place = k - 1
        while place > 0 and (
            value > scores[place - 1] or (value == scores[place - 1] and node > ids[place - 1])
        ):
            scores[place], ids[place] = scores[place - 1], ids[place - 1]
            place -= 1
        scores[place], ids[place] = value, node


@part
def set_all(array: Any, places: Any, value: Any) -> None:
    """``array[places] = value``, which NumPy's indexing takes longer to compile."""
    for i in range(len(places)):
        array[places[i]] = value
