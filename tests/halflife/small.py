"""Small half-life runs in this process, and histories to score models on."""

import functools

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.model import MODELS
from hebb_lab.halflife.protocol import sample, survival
from hebb_lab.halflife.protocol.judge import Bench
from hebb_lab.halflife.protocol.settings import HalfLifeSettings, known_models
from hebb_lab.halflife.protocol.splits import splits_of
from hebb_lab.kernels.choose import choose_backend
from hebb_lab.worlds import parameters_from, world_graph
from tests.experiment.tiny import composed, run

FEW = ("constant", "rate", "namespace_defaults", "heuristic_deployed", "frailty", "oracle")
SMALL = (
    "+exp=halflife", "debug=tiny", "dataset.edges=60", "halflife.blocks=4", "halflife.controls=5",
    "halflife.horizons=[7,3]", "halflife.resamples=50",
)  # fmt: skip


def small(runs, *more, models=FEW):
    """The values of a small run."""
    return composed(*SMALL, f"halflife.models=[{','.join(models)}]", f"paths.runs={runs}", *more)


def small_run(runs, *more, models=FEW):
    """Run it; the outcome."""
    return run(small(runs, *more, models=models))


@functools.cache
def world(edges=40, seed=0, preset="tiny"):
    """The graph of a small world, and what is true of it."""
    return world_graph(parameters_from(preset, edges=edges), np.random.default_rng(seed))


def history(graph, truth=None, **asked):
    """The history of a graph under the documented rules."""
    return history_of(graph, DOCUMENTED, choose_backend("cpu"), truth=truth, **asked)


def bench(facts, settings=None, stride=2.0):
    """Everything that models are judged on."""
    settings = settings or HalfLifeSettings(blocks=4, horizons=(7.0, 3.0), controls=5)
    known_models()
    splits = splits_of(facts, settings.blocks)
    blocks = sample.draw(facts, splits, settings, stride, 0)
    return Bench(facts, blocks, settings, stride, survival.times_of(facts, splits), 0)


class Failing:
    """A model that cannot be fitted."""

    about, kind = "fails", "learned"

    def __init__(self, error=None):
        self.error = error or InputError("there is too little", "Give more")

    def fit(self, history, training):
        raise self.error


class Wrapped:
    """The constant model with something changed in what it predicts."""

    about, kind = "changed", "learned"

    def __init__(self, predict=None, intensity=None):
        self.changed = {"predict": predict, "intensity": intensity}

    def fit(self, history, training):
        fit = MODELS["constant"].fit(history, training)
        for name, change in self.changed.items():
            if change is not None:
                object.__setattr__(fit, name, change)
        return fit


def registered(monkeypatch, name, model):
    """Let a model be known by a name for the length of a test."""
    monkeypatch.setitem(known_models()._entries, name, model)
