"""Orders of the known memories that no pipeline makes: what any recall must beat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.recall.cognitive.plan import Asked

Floor = Callable[
    ["Asked", int, np.random.Generator], tuple["NDArray[np.int32]", "NDArray[np.float32]"]
]
FLOORS: Registry[Floor] = Registry("floor")
"""name → (asked, depth, rng) → memories and scores, [Q, depth], as ``Answers`` holds them."""


@FLOORS.register("random")
def random(
    asked: Asked, depth: int, rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """A uniform order of what each question may see; scores fall from 1 by rank."""
    orders = [rng.permutation(known)[:depth] for known in asked.known.tolist()]
    return _filled(orders, depth)


@FLOORS.register("recency")
def recency(
    asked: Asked, depth: int, rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The memory written last comes first; scores fall from 1 by rank."""
    orders = [np.arange(known - 1, max(known - depth, 0) - 1, -1) for known in asked.known.tolist()]
    return _filled(orders, depth)


def _filled(
    orders: list[NDArray[np.int64]], depth: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    memory = np.full((len(orders), depth), -1, np.int32)
    score = np.full((len(orders), depth), -np.inf, np.float32)
    falling = 1.0 / np.arange(1, depth + 1)
    for q, order in enumerate(orders):
        memory[q, : len(order)] = order
        score[q, : len(order)] = falling[: len(order)]
    return memory, score
