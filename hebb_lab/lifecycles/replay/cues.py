"""Questions of a story as a store takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.memory.values import Cues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.replay.held import Held
    from hebb_lab.lifecycles.replay.story import Asked
    from hebb_lab.memory.state import State


def cues_of(asked: Asked, rows: NDArray[np.int64], held: Held, state: State | None = None) -> Cues:
    """Some questions, as the store that has lived so far is asked them.

    A seed that is not remembered is none: causal recall then starts from the nearest memory.

    Args:
        asked: all questions.
        rows: [q] of those that are asked.
        held: the store that has lived.
        state: that is asked, where it is a copy that has forgotten more; None: the store's own.
    """
    chosen = rows.tolist()
    seeds = [int(asked.seeds[row]) for row in chosen]
    there = [seed for seed in seeds if seed >= 0 and held.alive(seed)]
    names = held.ids(there)
    known = (held.state if state is None else state).rows_of(names) >= 0
    found = zip(there, names, known.tolist(), strict=True)
    ids = {seed: name for seed, name, here in found if here}
    return Cues(
        texts=[asked.texts[row] for row in chosen],
        vectors=asked.vectors[rows],
        entities=[asked.entities[row] for row in chosen],
        seeds=[ids.get(seed) for seed in seeds],
    )
