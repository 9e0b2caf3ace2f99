"""Recall by analogy: A is to B as the cue is to ?, or what is alike in structure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.ids import Ids
from hebb_lab.memory.strategies.asking import names_id, with_vector
from hebb_lab.memory.strategies.lists import Flat, Integers, Numbers, best_of_each, joined, table
from hebb_lab.memory.strategies.strategy import STRATEGIES, Found
from hebb_lab.memory.strategies.structures.contexts import by_context
from hebb_lab.memory.strategies.structures.graphs import by_edges, patterns_of, related_alike
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.strategies.walks.seeds import nearest_memory
from hebb_lab.memory.values import Cues, Failure

LEAST = 30  # candidates at least


@STRATEGIES.register("analogical")
def analogical(view: View, cues: Cues, k: int) -> Found:
    """Memories that stand as the cue does. Page: "analogical"; hebbs.md §2.5.

    Without a pair: relevance = α × max(0, cosine) + (1 − α) × structure of the
    max(analogy_candidates × k, 30) nearest memories; α is analogy_blend.

    - analogy=context: see `structures.contexts`.
    - analogy=graph (the page promises "graph isomorphism" and no number, so this is our choice):
      the memory nearest to the cue stands for it, itself a candidate; structure is the multiset
      Jaccard of (edge kind, direction) around it and around the candidate.

    With a pair (A, B): cosine to norm(cue + norm(B − A)) as relevance, A and B left out, as is
    usual for such analogies. With analogy=graph and edges between A and B, what stands to the
    cue's nearest memory by at least those kinds and directions counts structure 1, all else 0, and
    both are blended; such memories are candidates however far their vectors are.

    A pair that names a memory that is not there, or has no vector, is a failure of its question.
    """
    vectors, there, bare = with_vector(cues, view.state.dimensions, "analogical")
    paired = np.array([pair is not None for pair in cues.pairs or [None] * len(cues)], np.bool_)
    a, b, failures = _pairs(view, cues, there)
    alone, answered = there[~paired[there]], there[(a[there] >= 0) & (b[there] >= 0)]
    found = joined([
        _structures(view, vectors, alone, k), _relations(view, vectors, answered, (a, b), k),
    ])  # fmt: skip
    return Found(*table(view.state, found, len(cues), k), bare + failures)


def _candidates(view: View, k: int) -> int:
    return max(view.rules.analogy_candidates * k, LEAST)


def _cosines(view: View, queries: Numbers, places: Integers, k: int) -> Flat:
    rows, cosine = view.nearest(queries, places, k, view.wanted)
    asked, there = np.broadcast_to(places[:, None], rows.shape), rows >= 0
    return Flat(asked[there], rows[there], np.clip(cosine[there], 0, 1))


def _blended(view: View, cosine: Numbers, structure: NDArray[np.floating]) -> Numbers:
    share = view.rules.analogy_blend
    blend: Numbers = (share * cosine.astype(np.float64) + (1 - share) * structure).astype("f4")
    return blend


def _structures(view: View, vectors: Numbers, places: Integers, k: int) -> Flat:
    found = _cosines(view, vectors[places], places, _candidates(view, k))
    if view.rules.analogy == "context":
        structure = by_context(view, found)
    else:
        structure = by_edges(view, _stand_ins(view, vectors, places), found)
    return found._replace(value=_blended(view, found.value, structure))


def _stand_ins(view: View, vectors: Numbers, places: Integers) -> Integers:
    rows = np.full(len(view.cues), -1, np.int64)
    rows[places] = nearest_memory(view, vectors[places], places)
    return rows


def _pairs(
    view: View, cues: Cues, places: Integers
) -> tuple[Integers, Integers, tuple[Failure, ...]]:
    """Rows of A and B, [Q] each, −1 where there is no pair or no such memory."""
    ends = np.full((2, len(cues)), -1, np.int64)
    failures = []
    for place in places.tolist():
        pair = cues.pairs[place] if cues.pairs else None
        if pair is None:
            continue
        rows = [_row(view, text) for text in pair]
        missing = [text for text, row in zip(pair, rows, strict=True) if row < 0]
        if missing:
            problem = f"no memory with a vector has the id {missing[0]}"
            failures.append(Failure(place, "analogical", problem))
        else:
            ends[:, place] = rows
    return ends[0], ends[1], tuple(failures)


def _row(view: View, text: str) -> int:
    half = names_id(text)
    row = -1 if half is None else int(view.state.rows_of(Ids(half[None]))[0])
    return row if row >= 0 and view.there[row] and view.state.has_vector[row] else -1


def _relations(
    view: View, vectors: Numbers, places: Integers, pairs: tuple[Integers, Integers], k: int
) -> Flat:
    a, b = pairs
    state, count = view.state, max(view.state.count, 1)
    points = _unit(
        vectors[places]
        + _unit(state.vectors.take(b[places]).astype(np.float64) - state.vectors.take(a[places]))
    ).astype(np.float32)
    found = _cosines(view, points, places, _candidates(view, k) + 2)
    if view.rules.analogy == "graph" and len(places):
        found = _with_graph(view, vectors, points, places, pairs, found)
    itself = (found.row == a[found.question]) | (found.row == b[found.question])
    return best_of_each(found.where(~itself), count)


def _with_graph(
    view: View, vectors: Numbers, points: Numbers, places: Integers,
    pairs: tuple[Integers, Integers], found: Flat,
) -> Flat:  # fmt: skip
    state, count = view.state, max(view.state.count, 1)
    pattern = np.zeros(len(view.cues), np.int64)
    pattern[places] = patterns_of(view, pairs[0][places], pairs[1][places])
    alike = related_alike(view, _stand_ins(view, vectors, places), pattern)
    alike = alike.where(view.wanted[alike.row] & view.in_scope(alike.question, alike.row))
    at = np.searchsorted(places, alike.question)
    cosine = np.einsum(
        "nd,nd->n", points[at], state.vectors.take(alike.row), dtype=np.float64
    ).astype(np.float32)  # fmt: skip
    near = Flat(alike.question, alike.row, _blended(view, np.clip(cosine, 0, 1), alike.value))
    compared = pattern[found.question] > 0
    found = found._replace(
        value=np.where(compared, _blended(view, found.value, np.zeros(1)), found.value)
    )
    return best_of_each(joined([found, near]), count)


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(
        vectors, length, out=np.zeros_like(vectors), where=length > 0
    )
    return unit
