"""Simulated worlds as histories, and scores of fits on them, for the tests of recovery."""

from __future__ import annotations

import numpy as np

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife import baselines, models
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.facts.rows import draw_rows
from hebb_lab.halflife.model import MODELS, Training
from hebb_lab.worlds import parameters_from
from hebb_lab.worlds.dataset import world_graph
from tests.halflife.made import CPU, DAY_US

assert baselines
assert models


def world(preset, seed, *, exposure="recalls", **changes):
    """The history of a world; wall time."""
    graph, truth = world_graph(parameters_from(preset, **changes), np.random.default_rng(seed))
    return history_of(graph, DOCUMENTED, CPU, activity=exposure, truth=truth)


def fitted(name, history, until=None, **settings):
    """A model, fitted to what came before a recall, or to all."""
    return MODELS[name].fit(history, Training(until or history.recalls, **settings))


def half_life(name, history, group="personal", **settings):
    """The half-life of a group as a model has it, fitted to the whole log."""
    return fitted(name, history, **settings).parameters[f"half_life[{group}]"]


def recall_at(history, day):
    """The first recall from a day of the log on."""
    return int(np.searchsorted(history.recall_us, history.recall_us[0] + round(day * DAY_US)))


def losses(history, names, day=120, cases=8_000):
    """Checkpoint log loss of each model over seven days, after the day until which it is fitted."""
    until = recall_at(history, day)
    rows = draw_rows(history, until, history.recalls, 7.0, stride_days=7.0)
    found = {}
    for name in names:
        chance = fitted(name, history, until, cases=cases).predict(rows.moments, 7.0)
        chance = np.clip(chance, 1e-9, 1 - 1e-9)
        found[name] = float(-np.log(np.where(rows.again, chance, 1 - chance)).mean())
    return found
