"""Small worlds, fits of them, and plain loops that judge the fits."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache

import numpy as np

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.model import Training
from hebb_lab.halflife.protocol.settings import known_models
from hebb_lab.worlds import parameters_from, world_graph
from tests.halflife.made import CPU, exposed
from tests.worlds.plain import Weight

MODELS = known_models()


@contextmanager
def one_thread():
    """BLAS on one thread, as in a run: small searches spend ten times as long on two."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield


@cache
def world(preset="half_lives", *, seed=7, edges=120, days=80.0, gain=0.15, **changes):
    """(history, training) of a small world; the log's last fifth is not trained on."""
    settings = {k: changes.pop(k) for k in ("clock", "activity_of") if k in changes}
    graph, truth = world_graph(
        parameters_from(preset, edges=edges, days=days, gain=gain, **changes),
        np.random.default_rng(seed),
    )
    found = history_of(
        graph, DOCUMENTED, CPU, truth=truth, clock=settings.get("clock", "wall"),
        activity=settings.get("activity_of", "recalls"),
        session_us=int(graph.event_time.min()) + np.arange(round(2 * days)) * (DAY_US // 2),
    )  # fmt: skip
    return found, training(found)


def training(history, share=0.8, **settings):
    """All but the last recalls, and few cases, so that a fit takes little."""
    return Training(
        until=max(1, round(share * history.recalls)), **{"cases": 400, "rows": 2000, **settings}
    )


@cache
def fitted(name, preset="half_lives", **changes):
    """(fit, history) of a model in a small world."""
    history, train = world(preset, **changes)
    return MODELS[name].fit(history, train), history


def late(history, count=3):
    """Every edge at moments of the log's last part, as far as it is known by then."""
    last = int(history.recall_us[-1])
    span = last - int(history.recall_us[0])
    found = []
    for step in range(count):
        now = last + 12345 - step * (span // (4 * count))
        edge = np.flatnonzero(history.recall_us[history.birth()] < now)
        found.append((edge, np.full(len(edge), now)))
    edges, times = (np.concatenate(part) for part in zip(*found, strict=True))
    return history.asked(edges, times)


def share_of(asked, count):
    """About so many of the moments, evenly."""
    return asked.some(slice(None, None, max(1, len(asked.edge) // count)))


def plain_weight(history, edge, time_us, half_life, learned_from=None):
    """(weight, its integral ahead as a function of units) of an edge at a moment, in plain loops.

    ``half_life``: one number, or a function of the event's number. Documented rules, strength 1.
    """
    own = range(int(history.pointer[edge]), int(history.pointer[edge + 1]))
    by_event = half_life if callable(half_life) else lambda event: half_life
    weight, last = Weight(by_event(own[0]), learned_from), None
    for event in own:
        recall = int(history.event_recall[event])
        if history.recall_us[recall] >= time_us:
            break
        reading = float(history.reading[recall])
        # the clock's units stand in for days of 86,400 s
        weight.event(round(reading * DAY_US), 0.0 if last is None else reading - last)
        if learned_from is None:
            weight.half_life = by_event(event)
        last = reading
    gap = float(history.clock.read(np.array([time_us]))[0]) - last
    return weight.value(gap), lambda units: weight.area(gap + units) - weight.area(gap), weight


def plain_weights(history, asked, half_life):
    """[Q] weights at moments; ``half_life`` [S] by group."""
    return np.array(
        [
            plain_weight(history, e, t, float(half_life[history.group[e]]))[0]
            for e, t in zip(asked.edge.tolist(), asked.time_us.tolist(), strict=True)
        ]
    )


def plain_areas(history, asked, half_life, days):
    """[Q] mean weight over the forecast of the clock, times the exposure forecast."""
    clock, exposure = history.ahead(asked, days)
    rows = zip(asked.edge.tolist(), asked.time_us.tolist(), clock.tolist(), strict=True)
    areas = [
        plain_weight(history, e, t, float(half_life[history.group[e]]))[1](units) / units
        for e, t, units in rows
    ]
    return np.array(areas) * exposure


def counted(history, group, until):
    """(re-activations, exposure in recalls) of a group before a recall, in plain loops."""
    events = history.reactivations(0, until)
    edges = np.flatnonzero(history.group == group)
    spans = sum(len(exposed(history, edge, until)) for edge in edges)
    return int((history.group[history.edge_of[events]] == group).sum()), spans


def gap_events(history, until):
    """(group, gap, whether it came back) of every exposed recall of every edge, in plain loops."""
    for edge in range(history.edges):
        own = slice(int(history.pointer[edge]), int(history.pointer[edge + 1]))
        recalls = history.event_recall[own]
        for recall in exposed(history, edge, until).tolist():
            before = recalls[recalls < recall][-1]
            gap = float(history.reading[recall] - history.reading[before])
            yield int(history.group[edge]), gap, bool((recalls == recall).any())
