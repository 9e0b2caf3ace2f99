"""Signals: weights that fade, K of them at once, asked at any moment of any edge.

One replay of the whole log gives the state after every event; what a moment sees is the state
after the last event strictly before it, faded over the gap. So one replay serves every split:
nothing of a moment's answer depends on what comes after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.signals.decay import (
    PIECE,
    Fades,
    Stored,
    area_after,
    exposure_of,
    weight_after,
)
from hebb_lab.kernels.arrays import on_host
from hebb_lab.kernels.cpu.compile import in_threads, pieces_of
from hebb_lab.kernels.parameters import TraceArrays, rule_arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.halflife.facts.history import Asked, History

AT_ONCE = 8  # half-lives replayed together where none is kept
PART = 1 << 18  # gaps whose exposure is summed at a time
FINE = 0.01  # of ln half-life: exposures are summed for each half-life that there is


@dataclass(frozen=True)
class Fading:
    """K signals over a history.

    Args:
        history: the facts.
        weight: [M, K] after each event.
        count: [M, K] int32 reinforcements since birth.
        before: [M, K] the weight that each event found.
        half_life: [S, K] by group, or [M, K] in force after each event; the clock's units.
        rules: under which they were replayed.
        by_event: which of the two it is.
    """

    history: History
    weight: NDArray[np.float64]
    count: NDArray[np.int32]
    before: NDArray[np.float64]
    half_life: NDArray[np.float64]
    rules: SynapseRules
    by_event: bool = False

    @property
    def width(self) -> int:
        """K."""
        return int(self.weight.shape[1])

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, K] the weights at moments."""
        found = np.empty((len(asked.edge), self.width))

        def work(first: int, stop: int) -> None:
            some = asked.some(slice(first, stop))
            found[first:stop] = weight_after(self.stored(some.event), some.gap, self.fades)

        in_threads(work, pieces_of(len(found), PIECE))
        return found

    def area(self, asked: Asked, ahead: NDArray[np.float64]) -> NDArray[np.float64]:
        """[Q, K] ∫ of the weight over the next ``ahead`` [Q] units, if nothing happens."""
        found = np.empty((len(asked.edge), self.width))

        def work(first: int, stop: int) -> None:
            some = asked.some(slice(first, stop))
            stored = self.stored(some.event)
            found[first:stop] = area_after(stored, some.gap, ahead[first:stop], self.fades)

        in_threads(work, pieces_of(len(found), PIECE))
        return found

    def exposure(self, until: int) -> NDArray[np.float64]:
        """[E, K] what each edge's exposure in the recalls [entry, until) sees of the weight."""
        history, pointer = self.history, self.history.pointer
        events = np.flatnonzero(history.event_recall < until)
        start, stop = gaps(history, events, until)
        measure = history.measure.before(until)
        found = np.empty((len(events), self.width))
        for part in (slice(*piece) for piece in pieces_of(len(events), PART)):
            some = events[part]
            found[part] = exposure_of(
                self.stored(some), history.reading[history.event_recall[some]],
                start[part], stop[part], measure, self.fades,
            )  # fmt: skip
        sums = np.zeros((history.edges, self.width))
        cuts = np.searchsorted(events, pointer[:-1])
        live = np.flatnonzero(np.diff(np.append(cuts, len(events))) > 0)
        if len(live):
            sums[live] = np.add.reduceat(found, cuts[live], axis=0)
        return sums

    @property
    def fades(self) -> Fades:
        """The rules of fading."""
        rules = self.rules
        count = rules.potentiation_count if rules.potentiation else np.inf
        return Fades(count, rules.potentiation_floor, rules.floor_lifts, rules.prune_below)

    def stored(self, events: NDArray[np.int64]) -> Stored:
        """The states right after events."""
        history = self.history
        groups = history.group[history.edge_of[events]]
        lives = self.half_life[events if self.by_event else groups]
        holds = np.array(
            [self.rules.ephemeral_floor or name != "ephemeral" for name in history.group_namespace]
        )
        return Stored(self.weight[events], self.count[events], lives, holds[groups])


def gaps(
    history: History, events: NDArray[np.int64], until: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the exposure of the gap after each event starts and stops, in positions.

    A gap ends with the edge's next event or with the last recall before ``until``; exposure counts
    from ``entry`` on.
    """
    measure, recall = history.measure, history.event_recall
    own = recall[events]
    following = np.append(recall, history.recalls)[events + 1]
    ends_here = history.pointer[1:][history.edge_of[events]] == events + 1
    last = measure.stop(until)
    censored = ends_here | (following >= until)
    stop = np.where(censored, last, measure.position(np.where(censored, own, following)))
    start = measure.position(own)
    if history.entry > 0:
        start = np.maximum(start, measure.entry(history.entry))
    return start, np.maximum(stop, start)


def by_group(
    history: History, half_lives: NDArray[np.float64], rules: SynapseRules | None = None
) -> Fading:
    """Signals with fixed half-lives, one for each group and column.

    Args:
        history: the facts.
        half_lives: [K] for all groups, or [S, K].
        rules: other ones than the history's.
    """
    rules = rules or history.rules
    table = np.atleast_2d(np.asarray(half_lives, np.float64))
    if len(table) != len(history.groups):
        table = np.repeat(table, len(history.groups), axis=0)
    key = ("by_group", rules, table.shape, table.tobytes())
    size = 20 * len(history.edge_of) * table.shape[1]
    return history.shelf.get(key, lambda: _replayed(history, table, rules), size)


def _replayed(history: History, table: NDArray[np.float64], rules: SynapseRules) -> Fading:
    state = on_host(
        history.backend.replay(history.arrays(), _traces(history, table, rules), before=True)
    )
    weight, before = (np.asarray(part, np.float64) for part in (state.weight, state.before))
    return Fading(history, weight, state.reinforcements, before, table, rules)


def at_half_lives(
    history: History, half_lives: NDArray[np.float64], asked: Asked
) -> NDArray[np.float64]:
    """[Q, K] weights at moments for many half-lives [K], few of them replayed at a time."""
    found = np.empty((len(asked.edge), len(half_lives)))
    for first in range(0, len(half_lives), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        table = np.repeat(half_lives[None, some], len(history.groups), axis=0)
        found[:, some] = _replayed(history, table, history.rules).at(asked)
    return found


def exposures_on_grid(
    history: History, half_lives: NDArray[np.float64], until: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """([E, K] exposures, [R, K] weights that the re-activations before ``until`` found)."""
    events = history.reactivations(0, until)
    exposures = np.empty((history.edges, len(half_lives)))
    found = np.empty((len(events), len(half_lives)))
    for first in range(0, len(half_lives), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        table = np.repeat(half_lives[None, some], len(history.groups), axis=0)
        fading = _replayed(history, table, history.rules)
        exposures[:, some], found[:, some] = fading.exposure(until), fading.before[events]
    return exposures, found


def _traces(history: History, table: NDArray[np.float64], rules: SynapseRules) -> TraceArrays:
    traces, _ = rule_arrays([rules] * table.shape[1], history.group_namespace)
    return traces._replace(default_days=np.ascontiguousarray(table.T))


def by_event(history: History, half_life: NDArray[np.float64]) -> Fading:
    """One signal whose half-life is its own after each event, kept to one per cent.

    Args:
        history: the facts.
        half_life: [M] in the clock's units; inf for no decay.
    """
    kept = np.exp(np.rint(np.log(half_life) / FINE) * FINE)
    found = history.backend.replay_tangents(
        history.arrays(), one_trace(history), kept, np.empty((len(kept), 0))
    )
    state = on_host(found)
    return Fading(
        history, state.weight[:, None], state.reinforcements[:, None], state.before[:, None],
        kept[:, None], history.rules, by_event=True,
    )  # fmt: skip


def one_trace(history: History) -> TraceArrays:
    """The history's rules as one trace; its half-lives are given by event."""
    return _traces(history, np.ones((len(history.groups), 1)), history.rules)
