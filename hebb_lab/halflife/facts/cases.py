"""Cases and their controls: what was active again, among what could have been.

Nested case-control sampling of the partial likelihood (fitting.md §3.1; Lerner & Lomi 2020): for
each re-activation, the edge and 20 live edges of its group that were not active in that recall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.draws import uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History

TRIES = 4  # draws of a control that was active in the recall itself are drawn again
KEEPS = 1 << 20  # the use of the draw that decides whether a case is kept
PART = 1 << 16  # cases that are drawn at a time


class Cases(NamedTuple):
    """C cases with J controls each.

    event: [C] int64, the events that are cases, by recall. moments: the case and its controls,
    [C · (1 + J)] in rows of 1 + J, at the moment of the recall. live: [C, 1 + J] bool, False where
    there was no control to draw, or one that the row has already. left_out: re-activations that
    were thinned out. alone: those that say nothing, since there was no control to draw.
    """

    event: NDArray[np.int64]
    moments: Asked
    live: NDArray[np.bool_]
    left_out: int
    alone: int = 0

    def recall(self) -> NDArray[np.int64]:
        """[C] the recall of each case: the unit that cases come in."""
        return self.moments.seen.reshape(self.live.shape)[:, 0]

    def edge(self) -> NDArray[np.int64]:
        """[C] the edge of each case."""
        return self.moments.edge.reshape(self.live.shape)[:, 0]

    def totals(self, values: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """([C, P] of the cases, [C, P] summed over each case and its controls) of [C·(1+J), P]."""
        shape = (*self.live.shape, *values.shape[1:])
        rows = values.reshape(shape)
        mask = self.live.reshape(*self.live.shape, *[1] * (len(shape) - 2))
        return rows[:, 0].copy(), (rows * mask).sum(axis=1)  # a view would keep all of it


def draw_cases(
    history: History, first: int, until: int, *, controls: int = 20, most: int = 20_000,
    seed: int = 0,
) -> Cases:  # fmt: skip
    """The re-activations in the recalls [first, until), each with live controls.

    Controls are drawn evenly from the edges of the case's group that were seen strictly before the
    recall and are not active in it; one that is drawn twice counts once, so that any edge of a set
    could as well be its case, and the likelihood is right in groups of a few edges too. More cases
    than ``most`` are thinned evenly. What is drawn for a case depends on nothing after it.

    Args:
        history: the facts.
        first: number of the first recall.
        until: number of the recall after the last.
        controls: J.
        most: about how many cases to keep.
        seed: of the draws.
    """
    events = history.reactivations(first, until)
    recall = history.event_recall[events]
    order = np.argsort(recall, kind="stable")  # in a recall by edge, which is by name
    events, recall = events[order], recall[order]
    place = np.arange(len(events)) - np.searchsorted(recall, recall, side="left")
    share = min(1.0, most / max(len(events), 1))
    kept = uniform(seed, recall, place, KEEPS) < share
    found = len(events)
    events, recall, place = events[kept], recall[kept], place[kept]
    lots = _Lots.of(history)
    edges, live = _drawn(history, lots, events, recall, place, controls, seed)
    told = live[:, 1:].any(axis=1)
    thinned, alone = found - len(events), int((~told).sum())
    events, recall, edges, live = events[told], recall[told], edges[told], live[told]
    times = np.repeat(history.recall_us[recall], 1 + controls)
    return Cases(events, history.asked(edges.ravel(), times), live, thinned, alone)


def too_few(cases: Cases, fitted: str, least: int, where: str = "") -> InputError:
    """Why there are too few cases to fit something to: too little log, thinning, or no controls.

    Args:
        cases: that were drawn to fit to.
        fitted: what cannot be fitted, ``a half-life``.
        least: cases that it takes.
        where: what it takes them in, `` in a group``.
    """
    kept = len(cases.event)
    found = kept + cases.alone + cases.left_out
    if found >= least and kept + cases.alone < least:
        return InputError(
            f"{kept + cases.alone:,} of {found:,} re-activations are kept, too few to fit {fitted}",
            f"Raise halflife.cases_max to {least} at least",
        )
    if found >= least and kept < least:
        which = f"only {kept:,}" if kept else "none"
        return InputError(
            f"{which} of {found:,} re-activations has a live pair beside it that could have come"
            f" back instead, so nothing tells {fitted}",
            "Give a log whose pairs are not all active together, or finer windows",
        )
    return InputError(
        f"{found:,} re-activations are too few to fit {fitted}",
        f"Give a log with {least}{where}, or wider windows",
    )


class _Lots(NamedTuple):
    """Edges of each group in the order of their birth."""

    edge: NDArray[np.int64]  # [E] by (group, birth, edge)
    key: NDArray[np.int64]  # [E] group · (W + 1) + birth
    first: NDArray[np.int64]  # [S] where each group begins

    @classmethod
    def of(cls, history: History) -> _Lots:
        return history.shelf.get("lots", lambda: cls._made(history))

    @classmethod
    def _made(cls, history: History) -> _Lots:
        key = history.group * (history.recalls + 1) + history.birth()
        edge = np.argsort(key, kind="stable")
        starts = np.arange(len(history.groups)) * (history.recalls + 1)
        return cls(edge, key[edge], np.searchsorted(key[edge], starts))


def _drawn(
    history: History, lots: _Lots, events: NDArray[np.int64], recall: NDArray[np.int64],
    place: NDArray[np.int64], controls: int, seed: int,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:  # fmt: skip
    """([C, 1 + J] edges, [C, 1 + J] whether there is one)."""
    case = history.edge_of[events]
    edges = np.repeat(case[:, None], 1 + controls, axis=1)
    live = np.zeros(edges.shape, bool)
    live[:, 0] = True
    group = history.group[case]
    known = np.searchsorted(lots.key, group * (history.recalls + 1) + recall) - lots.first[group]
    width = history.recalls + 1
    active = history.edge_of * width + history.event_recall
    for first in range(0, len(events), PART):
        rows = np.arange(first, min(first + PART, len(events)))
        missing = np.repeat(rows, controls), np.tile(np.arange(1, controls + 1), len(rows))
        for attempt in range(TRIES):
            row, column = missing
            use = attempt * (controls + 1) + column
            lot = uniform(seed, recall[row], place[row], use) * known[row]
            drawn = lots.edge[lots.first[group[row]] + lot.astype(np.int64)]
            wanted = drawn * width + recall[row]
            at = np.minimum(np.searchsorted(active, wanted), len(active) - 1)
            free = active[at] != wanted
            edges[row[free], column[free]] = drawn[free]
            live[row[free], column[free]] = True
            missing = row[~free], column[~free]
            if not len(missing[0]):
                break
        live[rows] &= ~_repeated(edges[rows])
    return edges, live


def _repeated(edges: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[C, 1 + J] whether an edge stands further left in its row already."""
    order = np.argsort(edges, axis=1, kind="stable")
    ranked = np.take_along_axis(edges, order, axis=1)
    found = np.zeros(edges.shape, bool)
    np.put_along_axis(found, order[:, 1:], ranked[:, 1:] == ranked[:, :-1], axis=1)
    return found
