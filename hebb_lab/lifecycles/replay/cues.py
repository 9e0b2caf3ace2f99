"""Questions of a story as a store takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.memory.values import Cues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.replay.held import Held
    from hebb_lab.lifecycles.replay.story import Asked


def cues_of(asked: Asked, rows: NDArray[np.int64], held: Held) -> Cues:
    """Some questions, as the store that has lived so far is asked them.

    A seed that is not remembered now is none: causal recall then starts from the nearest memory.
    """
    chosen = rows.tolist()
    seeds = [int(asked.seeds[row]) for row in chosen]
    there = [seed for seed in seeds if seed >= 0 and held.alive(seed)]
    ids = dict(zip(there, held.ids(there), strict=True))
    return Cues(
        texts=[asked.texts[row] for row in chosen],
        vectors=asked.vectors[rows],
        entities=[asked.entities[row] for row in chosen],
        seeds=[ids.get(seed) for seed in seeds],
    )
