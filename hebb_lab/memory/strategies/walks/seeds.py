"""The memories that causal recall starts from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.ids import Ids
from hebb_lab.memory.strategies.asking import NO_VECTOR, names_id
from hebb_lab.memory.strategies.lists import Integers
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.values import Cues, Failure


class Seeds(NamedTuple):
    """rows: [Q] of the state, −1 where there is none; failures: why, where it is a problem."""

    rows: Integers
    failures: tuple[Failure, ...]


def seeds_of(view: View, cues: Cues) -> Seeds:
    """Where each question starts: the seed it gives, the id that its text is, the nearest memory.

    A seed that is given may be superseded; the nearest one is found as similarity finds it, but of
    any kind. A scope without a memory that has a vector has no seed, and that is no failure.

    Args:
        view: what may be seen.
        cues: seeds, texts and vectors.
    """
    rows = np.full(len(cues), -1, np.int64)
    problems: dict[int, str] = {}
    nearest = []
    for place in range(len(cues)):
        given = cues.seeds[place] if cues.seeds else None
        text = given if given is not None else (cues.texts[place] if len(cues.texts) else None)
        half = names_id(text)
        if half is not None:
            problem = _named(view, place, half, rows)
        elif given is not None:
            problem = f"the seed {given!r} is no id"
        elif cues.vectors is None or not cues.vectors[place].any():
            problem = NO_VECTOR
        else:
            problem = None
            nearest.append(place)
        if problem is not None:
            problems[place] = problem
    if nearest and cues.vectors is not None:
        chosen = np.array(nearest, np.int64)
        rows[chosen] = nearest_memory(view, cues.vectors[chosen], chosen)
    return Seeds(
        rows, tuple(Failure(place, "causal", problem) for place, problem in problems.items())
    )


def nearest_memory(view: View, vectors: NDArray[np.float32], places: Integers) -> Integers:
    """The nearest memory in scope to each question, [n]; −1 where there is none."""
    return view.nearest(vectors, places, 1, view.shown)[0][:, 0]


def _named(view: View, place: int, half: NDArray[np.uint64], rows: Integers) -> str | None:
    ids = Ids(half[None])
    row = int(view.state.rows_of(ids)[0])
    if row < 0 or not view.there[row]:
        return f"no memory has the id {ids[0]}: it was forgotten or never written"
    if not view.in_scope(np.array([place]), np.array([row]))[0]:
        return f"the memory {ids[0]} is of another entity"
    rows[place] = row
    return None
