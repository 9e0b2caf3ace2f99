"""Settings that are of the right type and still cannot work: found before anything is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation import parse
from hebb_lab.evaluation.tasks import TASKS
from hebb_lab.experiment.methods import METHODS
from hebb_lab.graph.layers import LAYERS
from hebb_lab.kernels.parameters import rule_arrays
from hebb_lab.recall.embedders import EMBEDDERS
from hebb_lab.records import NODE_KINDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.settings import EvaluationSettings, Settings


LEAST_DEPTH = 11  # one more than the reporting cut, so that a tie across it is seen
MOST_DEPTH = 100_000
MOST_HOPS = 100  # energy has faded to nothing long before
MOST_SEED = 2**63 - 1  # an int64 in every table
MOST_MB = 10**9  # a petabyte


def check(settings: Settings, arms: Sequence[Arm]) -> None:
    """Refuse what no run could be made of.

    Raises:
        ConfigError: an unknown name, a number out of its range, a headline that is not measured,
            rules that contradict each other.
    """
    _numbers(settings)
    if not re.fullmatch(r"\w[\w.+-]*", settings.experiment):
        raise ConfigError(
            f"experiment={settings.experiment!r} is no name for a folder",
            "Use letters, digits, and . + - _ after the first",
        )
    for task in _some("dataset.tasks", settings.dataset.tasks):
        TASKS[task]
    kinds = _some("dataset.windows.kinds", settings.dataset.windows.kinds)
    for kind in kinds:
        _one_of("dataset.windows.kinds", kind, NODE_KINDS)
    if settings.dataset.split is not None and settings.dataset.reader != "corpus":
        raise ConfigError(
            f"dataset.split={settings.dataset.split}, and a log has no splits",
            "Leave it null, or read a corpus with dataset=corpus",
        )
    if settings.recall.embedder not in (None, "auto"):
        EMBEDDERS[settings.recall.embedder]
    _measures(settings.evaluation, settings.dataset.tasks)
    for arm in arms:
        METHODS[arm.method]
        for layer in arm.layers:
            LAYERS[layer]
        if len(set(arm.layers)) < len(arm.layers):
            raise ConfigError(
                f"arm {arm.name} walks a layer twice: {', '.join(arm.layers)}", "Name each once"
            )
        if arm.rules.hops > MOST_HOPS:
            raise ConfigError(
                f"arm {arm.name} has rules.hops={arm.rules.hops}", f"Give at most {MOST_HOPS}"
            )
        rule_arrays(arm.all_rules(), ["personal"])


def _measures(evaluation: EvaluationSettings, tasks: Iterable[str]) -> None:
    measures = [str(parse(text)) for text in _some("evaluation.measures", evaluation.measures)]
    for task in tasks:
        headlines = evaluation.headlines.get(task, evaluation.headline)
        for text in _some(f"the headline of {task}", headlines):
            if str(parse(text)) not in measures:
                raise ConfigError(
                    f"the headline '{text}' of task {task} is not among evaluation.measures",
                    f"Add it to evaluation.measures, or take one of {', '.join(measures)}",
                )
    _one_of("evaluation.interval", evaluation.interval, ("percentile", "bca"))
    _one_of("evaluation.trec", evaluation.trec, ("none", "base", "all"))


def _numbers(settings: Settings) -> None:
    recall, evaluation = settings.recall, settings.evaluation
    protocol = evaluation.protocol
    least: dict[str, tuple[float | None, float]] = {  # name: (value, its least)
        "seed": (settings.seed, 0),
        "dataset.seed": (settings.dataset.seed, 0),
        "dataset.windows.graph_max": (settings.dataset.windows.graph_max, 2),
        "recall.depth": (recall.depth, LEAST_DEPTH),
        "recall.inject": (recall.inject, 1),
        "recall.rrf_k": (recall.rrf_k, 0),
        "evaluation.resamples": (evaluation.resamples, 1),
        "evaluation.flips": (evaluation.flips, 1),
        "evaluation.trec_depth": (evaluation.trec_depth, 1),
        "evaluation.protocol.seed_decay": (protocol.seed_decay, 0),
        "evaluation.protocol.known_min": (protocol.known_min, 2),
        "evaluation.protocol.first_scored_block": (protocol.first_scored_block, 0),
        "runtime.threads": (settings.runtime.threads, 1),
        "runtime.memory_mb": (settings.runtime.memory_mb, 1),
    }
    most = {
        "seed": (settings.seed, MOST_SEED),
        "dataset.seed": (settings.dataset.seed, MOST_SEED),
        "recall.depth": (recall.depth, MOST_DEPTH),
        "runtime.memory_mb": (settings.runtime.memory_mb or 0, MOST_MB),
    }
    _in_range(least, most)
    if protocol.first_scored_block >= protocol.blocks:
        raise ConfigError(
            f"evaluation.protocol.first_scored_block={protocol.first_scored_block} leaves none of"
            f" the {protocol.blocks} blocks",
            "Give a smaller number; blocks count from 0",
        )
    if not 0 < recall.restart <= 1:
        raise ConfigError(
            f"recall.restart={recall.restart} is no probability that ends a walk",
            "Give a number above 0, at most 1",
        )


def _in_range(
    least: Mapping[str, tuple[float | None, float]], most: Mapping[str, tuple[float, float]]
) -> None:
    for name, (given, largest) in most.items():
        if given > largest:
            raise ConfigError(f"{name}={given} is too large", f"Give {largest} or less")
    for name, (value, smallest) in least.items():
        if value is not None and not value >= smallest:
            raise ConfigError(f"{name}={value} is too small", f"Give {smallest} or more")


def _some(name: str, values: Sequence[str]) -> Sequence[str]:
    if not values:
        raise ConfigError(f"{name} is empty", "Name at least one")
    return values


def _one_of(name: str, value: Any, known: Collection[str]) -> None:
    if value not in known:
        raise ConfigError(f"{name}={value} is not a choice", f"Use one of {', '.join(known)}")
