"""History: a graph's reinforcements as a point process, on a clock, with its exposure.

The facts that every half-life model is fitted to and scored on. An edge enters when it is first
seen (left truncation: nothing is assumed of the time before the log begins) and leaves only with
the log (right censoring); both are in every likelihood, because exposure is counted from the one
to the other and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.clock import DAY_US, Clock, clock_of
from hebb_lab.halflife.facts.forecast import forecast
from hebb_lab.halflife.facts.groups import groups_of
from hebb_lab.halflife.facts.measure import Measure, measure_of
from hebb_lab.halflife.facts.shelf import Shelf
from hebb_lab.halflife.facts.sums import within_edges
from hebb_lab.kernels.arrays import GraphArrays, graph_arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.graph.temporal import TemporalGraph
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.records import EdgeTruth


class Asked(NamedTuple):
    """Q moments of edges that were seen before.

    edge: [Q] int64. event: [Q] int64, the edge's last event strictly before the moment.
    time_us: [Q] int64. seen: [Q] int64, recalls strictly before it. reading: [Q] float64, what the
    clock shows. gap: [Q] float64, the clock's units since the event.
    """

    edge: NDArray[np.int64]
    event: NDArray[np.int64]
    time_us: NDArray[np.int64]
    seen: NDArray[np.int64]
    reading: NDArray[np.float64]
    gap: NDArray[np.float64]

    def some(self, rows: Any) -> Asked:
        """Some of the moments: a slice, numbers or a mask."""
        return Asked(*(part[rows] for part in self))


@dataclass(frozen=True)
class History:
    """The reinforcements of E edges in W recalls; M events.

    Args:
        graph: the facts; windows that teach nothing are left out already.
        rules: all of the synapse rules but the half-life.
        backend: the kernels that replay.
        clock: on which weights fade.
        measure: how exposure is counted.
        recall_us: [W] int64, when each recall (window) was learned, ascending.
        reading: [W] float64, what the clock shows then.
        event_recall: [M] int64, the recall of each event.
        edge_of: [M] int64.
        group: [E] int64, index into ``groups``.
        groups: names; half-lives are fitted by group.
        group_namespace: the namespace of each group.
        entry: exposure counts from this recall on; earlier ones only build up weights.
        forecast_days: how far back the speed of clock and recalls is averaged for predictions.
        activity: what exposure is counted in, recalls or none.
        session_us: [S] when each session began, where that is known.
        truth: what a simulator knows of each edge, in the order of the graph's edges.
        shelf: replays and tables that several models ask for.
    """

    graph: TemporalGraph
    rules: SynapseRules
    backend: Backend
    clock: Clock
    measure: Measure
    recall_us: NDArray[np.int64]
    reading: NDArray[np.float64]
    event_recall: NDArray[np.int64]
    edge_of: NDArray[np.int64]
    group: NDArray[np.int64]
    groups: tuple[str, ...]
    group_namespace: tuple[str, ...]
    entry: int = 0
    forecast_days: float = 28.0
    activity: str = "recalls"
    session_us: NDArray[np.int64] | None = None
    truth: EdgeTruth | None = None
    shelf: Shelf = field(default_factory=Shelf, repr=False, compare=False)

    @property
    def edges(self) -> int:
        """E."""
        return len(self.group)

    @property
    def recalls(self) -> int:
        """W."""
        return len(self.recall_us)

    @property
    def pointer(self) -> NDArray[np.int64]:
        """[E+1] the events of each edge."""
        found: NDArray[np.int64] = self.graph.event_ptr.numpy()
        return found

    def arrays(self) -> GraphArrays:
        """What the kernels replay: times on the clock, namespaces that are the groups."""

        def make() -> GraphArrays:
            on_clock = np.rint(self.reading * DAY_US).astype(np.int64)[self.event_recall]
            arrays = graph_arrays(self.graph)
            return arrays._replace(time=on_clock, namespace=self.group.astype(np.int16))

        return self.shelf.get("arrays", make)

    def birth(self) -> NDArray[np.int64]:
        """[E] the recall in which each edge was first seen."""
        return self.event_recall[self.pointer[:-1]]

    def reactivations(self, first: int, until: int) -> NDArray[np.int64]:
        """Events in the recalls [first, until) that reinforce an edge seen before, in edge order.

        Those before ``entry`` do not count, nor does anything that weakens, nor a second window at
        the moment of an edge's birth.
        """
        recall = self.event_recall
        counts = (recall >= max(first, self.entry)) & (recall < until)
        return np.flatnonzero(counts & self.reinforces())

    def reinforces(self) -> NDArray[np.bool_]:
        """[M] whether an event makes an edge active again that was seen before."""
        again = self.event_recall > self.birth()[self.edge_of]
        return np.asarray(again & (self.graph.event_strength.numpy() >= 0))

    def asked(self, edge: NDArray[Any], time_us: NDArray[np.int64]) -> Asked:
        """Moments of edges; each edge must have an event strictly before its moment."""
        edge, time_us = np.asarray(edge, np.int64), np.asarray(time_us, np.int64)
        seen = np.searchsorted(self.recall_us, time_us, side="left")
        width = self.recalls + 1
        keys = self.edge_of * width + self.event_recall
        event = np.searchsorted(keys, edge * width + seen, side="left") - 1
        if ((event < 0) | (self.edge_of[event] != edge)).any():
            raise InputError(
                "an edge is asked about before it was first seen", "Ask from its birth on"
            )
        reading = self.clock.read(time_us)
        return Asked(
            edge, event, time_us, seen, reading, reading - self.reading[self.event_recall[event]]
        )

    def at_events(self, event: NDArray[np.int64]) -> Asked:
        """The moments right before events that are not their edges' first."""
        recall = self.event_recall[event]
        reading, before = self.reading[recall], event - 1
        gap = reading - self.reading[self.event_recall[before]]
        return Asked(self.edge_of[event], before, self.recall_us[recall], recall, reading, gap)

    def again(self, asked: Asked) -> NDArray[np.int64]:
        """[Q] how often the edge was active again, up to the moment; weakenings do not count."""
        return self.shelf.get("again", self._again)[asked.event]

    def _again(self) -> NDArray[np.int64]:
        """[M] how often the edge was active again up to each event, with it."""
        return within_edges(self.reinforces().astype(np.int64), self.pointer)

    def age(self, asked: Asked) -> NDArray[np.float64]:
        """[Q] exposure of the edge from its first event to the moment."""
        born = self.measure.position(self.birth()[asked.edge])
        return self.measure.moment(asked.seen, asked.reading) - born

    def ahead(self, asked: Asked, days: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What ``days`` of wall time are forecast to bring: ([Q] clock units, [Q] exposure)."""
        return forecast(self, asked, days)


def history_of(
    graph: TemporalGraph, rules: SynapseRules, backend: Backend, *, clock: str = "wall",
    activity: str = "recalls", group_by: str = "namespace", burn_in_days: float = 0.0,
    session_us: NDArray[np.int64] | None = None, forecast_days: float = 28.0,
    truth: EdgeTruth | None = None,
) -> History:  # fmt: skip
    """The history of a graph.

    Args:
        graph: co-activations; the time of an event names its recall.
        rules: learning rate, cap, floor and pruning of every model; the half-life is the models'.
        backend: the kernels that replay.
        clock: wall, active_days or sessions.
        activity: what exposure is counted in: recalls (an offset for the agent's activity) or none
            (time on the clock).
        group_by: half-lives are fitted for each namespace, or for each namespace and top folder.
        burn_in_days: the first days of the log only build up weights, where earlier history was
            deleted by the tool that wrote it.
        session_us: [S] starts of the sessions, for that clock.
        forecast_days: how far back activity is averaged for predictions.
        truth: of a simulated world whose graph this is.

    Raises:
        ConfigError: an unknown clock, activity or grouping.
        InputError: a graph without an event, or whose burn-in leaves none.
    """
    if graph.event_count == 0:
        raise InputError(
            "no two nodes are active together, so there is nothing to fit",
            "Give a longer log, or wider windows with dataset.windows.by=session",
        )
    time = graph.event_time.numpy()
    recall_us, event_recall = np.unique(time, return_inverse=True)
    clocked = clock_of(clock, recall_us, session_us)
    reading = clocked.read(recall_us)
    entry = int(np.searchsorted(recall_us, recall_us[0] + round(burn_in_days * DAY_US)))
    if entry >= len(recall_us):
        raise InputError(
            f"halflife.burn_in_days={burn_in_days:g} leaves nothing of the log", "Give fewer days"
        )
    edge_of = np.repeat(np.arange(graph.edge_count), np.diff(graph.event_ptr.numpy()))
    group, groups, spaces = groups_of(graph, group_by)
    return History(
        graph, replace(rules, half_life="fixed", window_max=None), backend, clocked,
        measure_of(activity, reading), recall_us, reading, event_recall.astype(np.int64),
        edge_of, group, groups, spaces, entry, forecast_days, activity, session_us, truth,
    )  # fmt: skip


def on_clock(history: History, name: str) -> History:
    """The same history on another clock.

    Raises:
        ConfigError: the log has no such clock.
    """
    clocked = clock_of(name, history.recall_us, history.session_us)
    reading = clocked.read(history.recall_us)
    measure = measure_of(history.activity, reading)
    return replace(
        history,
        clock=clocked,
        reading=reading,
        measure=measure,
        shelf=Shelf(history.shelf.budget // 3),
    )
