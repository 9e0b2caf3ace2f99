"""Small half-life runs in this process, and histories to score models on."""

import functools

import numpy as np

from hebb_lab import kinds
from hebb_lab.errors import InputError
from hebb_lab.experiment import execute as execution
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.model import MODELS
from hebb_lab.halflife.protocol import sample, survival
from hebb_lab.halflife.protocol.judge import Bench
from hebb_lab.halflife.protocol.settings import HalfLifeSettings, known_models
from hebb_lab.halflife.protocol.splits import splits_of
from hebb_lab.kernels.choose import choose_backend
from hebb_lab.runs.rebuild import TABLES, Options
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


def write_tables_only(patch):
    """Let runs write their tables and no figure."""
    options = Options(TABLES)
    patch.setattr(execution, "write_run", lambda run, folder: kinds.write_run(run, folder, options))


def table(path, recalls):
    """A log as a table: (days, nodes) of each recall, or (days, nodes, namespace)."""
    lines = ["time\tsession\tturn\tnode\tnamespace"]
    for number, (days, nodes, *space) in enumerate(recalls):
        seconds = 1_767_615_456 + days * 86_400
        for node in nodes:
            cells = (f"{seconds:.3f}", f"s{int(days)}", number + 1, node, *(space or ["personal"]))
            lines.append("\t".join(map(str, cells)))
    path.write_text("\n".join(lines) + "\n")
    return path


def table_run(folder, recalls, *more, models=FEW):
    """A small run on such a log."""
    path = table(folder / "log.tsv", recalls)
    overrides = ("dataset=table", f"dataset.path={path}", *more)
    return small_run(folder / "runs", *overrides, models=models)


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
