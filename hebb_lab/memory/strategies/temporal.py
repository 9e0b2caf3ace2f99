"""Recall by time: the newest memories in scope."""

from __future__ import annotations

import numpy as np

from hebb_lab.memory.strategies.lists import Flat, Integers, Numbers, order_of
from hebb_lab.memory.strategies.strategy import STRATEGIES, Found
from hebb_lab.memory.strategies.view import ALL, View
from hebb_lab.memory.values import Cues, Failure

PROBLEM = "temporal recall needs an entity (rules.temporal_needs_entity)"


@STRATEGIES.register("temporal")
def temporal(view: View, cues: Cues, k: int) -> Found:
    """The newest k memories in scope that were written in [since, until), newest first.

    relevance = 1 − rank/n, rank from 0, n memories found: 1.0 for the newest, 1/n for the last.
    Scope is always filtered first. Of one microsecond, the higher id is the newer.
    """
    rows = np.full((len(cues), k), -1, np.int64)
    relevance = np.zeros((len(cues), k), np.float32)
    failures: list[Failure] = []
    for scope, places in view.by_scope():
        if scope == ALL and view.rules.temporal_needs_entity:
            failures += [Failure(place, "temporal", PROBLEM) for place in places.tolist()]
            continue
        newest = _newest(view, scope, k)
        rows[places, : len(newest)] = newest
        relevance[places, : len(newest)] = relevances(len(newest))
    return Found(rows, relevance, tuple(failures))


def relevances(total: int) -> Numbers:
    """1 − rank/total for every rank.

    >>> relevances(4).tolist()
    [1.0, 0.75, 0.5, 0.25]
    """
    return (1 - np.arange(total) / max(total, 1)).astype(np.float32)


def _newest(view: View, scope: int, k: int) -> Integers:
    rows = view.rows_of_scope(scope, view.wanted)
    created = view.state.column("created_us")
    time_us = created[rows]
    if view.cues.since_us is not None:
        rows = rows[time_us >= view.cues.since_us]
    if view.cues.until_us is not None:
        rows = rows[created[rows] < view.cues.until_us]
    if len(rows) > k:  # only what is as new as the k-th newest is sorted
        time_us = created[rows]
        rows = rows[time_us >= np.partition(time_us, len(rows) - k)[len(rows) - k]]
    # Times do not fit into float32: their rank does.
    rank = np.unique(created[rows], return_inverse=True)[1].reshape(-1)
    alike = Flat(-rank.astype(np.int64), rows, np.zeros(len(rows), np.float32))
    return rows[order_of(view.state, alike)][:k]
