"""Recall by cause: what edges, or what edges have taught, lead to from a memory."""

from __future__ import annotations

import numpy as np

from hebb_lab.memory.strategies.lists import Flat, Integers, best_of_each, joined, table
from hebb_lab.memory.strategies.score import recency
from hebb_lab.memory.strategies.strategy import STRATEGIES, Found
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.strategies.walks.offsets import found_by_offsets
from hebb_lab.memory.strategies.walks.seeds import seeds_of
from hebb_lab.memory.strategies.walks.walking import walk, ways_of
from hebb_lab.memory.values import Cues, Failure


@STRATEGIES.register("causal")
def causal(view: View, cues: Cues, k: int) -> Found:
    """What a walk from the seed reaches, what its offsets point to, or both with the better value.

    A seed that is missing, of another entity or without a vector where only offsets are asked is a
    failure of its question. HEBBS page, "Edges"; hebbs.md §2.4.
    """
    seeds, failures = seeds_of(view, cues)
    parts = []
    if view.rules.causal != "offset":
        parts.append(found_by_walk(view, seeds))
    if view.rules.causal != "walk":
        parts.append(found_by_offsets(view, seeds, k))
    if view.rules.causal == "offset":
        bare = np.flatnonzero(seeds >= 0)
        bare = bare[~view.state.has_vector[seeds[bare]]]
        failures += tuple(
            Failure(place, "causal", "the seed has no vector") for place in bare.tolist()
        )
    found = best_of_each(joined(parts), max(view.state.count, 1))
    return Found(*table(view.state, found, len(cues), k), failures)


def found_by_walk(view: View, seeds: Integers) -> Flat:
    """What lies within causal_depth edges of each seed.

    relevance = (1 − causal_recency) × closeness + causal_recency × recency, recency as in the
    score. With scope_filter=before a walk stays in the scope, with after it only ends there. It
    passes memories that recall does not show, superseded ones above all, but does not find them.

    Args:
        view: what may be seen.
        seeds: [Q] rows, −1 for none.
    """
    rules, state = view.rules, view.state

    def passable(questions: Integers, rows: Integers) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        open_to = view.there[rows]
        if rules.scope_filter == "before":
            open_to = open_to & view.in_scope(questions, rows)
        return open_to

    ways = ways_of(view, rules.causal_direction)
    found = walk(ways, seeds, max(state.count, 1), passable, rules)
    shown = view.wanted[found.row] & view.in_scope(found.question, found.row)
    row = found.row[shown]
    new = recency(
        state.column("created_us")[row], state.column("accessed_us")[row], view.at_us, rules
    )
    share = rules.causal_recency
    relevance = (1 - share) * np.minimum(found.closeness[shown], 1) + share * new
    return Flat(found.question[shown], row, relevance.astype(np.float32))
