"""An experiment on the lives of memories from settings to run folder."""

from __future__ import annotations

import logging
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.evaluation import parse
from hebb_lab.experiment import checks
from hebb_lab.experiment.progress import Progress
from hebb_lab.layers.arms.own import known
from hebb_lab.lifecycles.arms import arms_of
from hebb_lab.lifecycles.arms.choose import check_tuning
from hebb_lab.lifecycles.protocol.floors import Floors
from hebb_lab.lifecycles.protocol.lives import Lives
from hebb_lab.lifecycles.protocol.work import MemoryWork
from hebb_lab.lifecycles.replay.agent import agent_story
from hebb_lab.lifecycles.replay.corpus import corpus_story
from hebb_lab.lifecycles.replay.deal import papers
from hebb_lab.places import place
from hebb_lab.recall.embedders import chosen_embedder, made_embedder
from hebb_lab.recall.vectors import embed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.kinds import Outcome, Work
    from hebb_lab.lifecycles.replay.story import Story
    from hebb_lab.lifecycles.settings import MemorySettings

log = logging.getLogger(__name__)
STAND_IN = "hashing"
MOST_K = 1000
MOST_DAYS = 36_500


def execute_memory(settings: Settings, config: Mapping[str, Any]) -> Outcome:
    """Run an experiment on the lives of memories, or find it finished.

    Raises:
        HebbLabError: what the user must mend, before any arm has run.
    """
    from hebb_lab.experiment.execute import conduct

    check(settings)
    embedder = embedder_of(settings)
    if settings.recall.embedder == "auto" and embedder == STAND_IN:
        log.info("no embedding model is installed: hashed words stand in (recall.embedder=hashing)")

    def begin(prepared: Prepared, backend: Backend) -> Work:
        return begun(prepared, settings, backend)

    return conduct(settings, config, {**config, "embedder": embedder}, begin)


def embedder_of(settings: Settings) -> str:
    """The embedder that a store has here; ``auto`` is hashing where no model is installed.

    Raises:
        ConfigError: ``recall.embedder`` is null: no store can search by similarity.
    """
    asked = settings.recall.embedder
    if asked is None:
        raise ConfigError(
            "recall.embedder is null, and memories are searched by their vectors",
            "Give recall.embedder=hashing, which needs no model, or leave auto",
        )
    return chosen_embedder(asked) or STAND_IN


def check(settings: Settings) -> None:
    """Refuse what no run could be made of.

    Raises:
        ConfigError: an unknown name or a number out of its range.
    """
    checks.check(settings, ())
    embedder_of(settings)
    memory = settings.memory
    arms = arms_of(memory)
    known("base", settings.base, [arm.name for arm in arms])
    parse(memory.tuning.metric)
    check_tuning(memory.tuning)
    _check_numbers(memory)


def _check_numbers(memory: MemorySettings) -> None:
    horizons = memory.horizons
    if not horizons or list(horizons) != sorted(set(horizons)):
        raise ConfigError(
            f"memory.horizons={list(horizons)} is no ascending list of days", "Give [1, 10, 100]"
        )
    least: dict[str, tuple[float | None, float]] = {
        "horizons": (min(horizons), 0), "practice_k": (memory.practice_k, 1),
        "queries_most": (memory.queries_most, 1), "sweep_days": (memory.sweep_days, 1e-3),
        "retention_days": (memory.retention_days, 0),
        "retention_half_lives": (min(memory.retention_half_lives, default=1), 1e-3),
    }  # fmt: skip
    most = {"horizons": (max(horizons), MOST_DAYS), "practice_k": (memory.practice_k, MOST_K),
            "retention_days": (memory.retention_days, MOST_DAYS)}  # fmt: skip
    for name, (value, smallest) in least.items():
        if value is not None and not (math.isfinite(value) and value >= smallest):
            raise ConfigError(f"memory.{name} is below {smallest:g}", f"Give {smallest:g} or more")
    for name, (value, largest) in most.items():
        if value > largest:
            raise ConfigError(f"memory.{name} is above {largest:g}", f"Give {largest:g} or less")


def begun(prepared: Prepared, settings: Settings, backend: Backend) -> MemoryWork:
    """The experiment on a prepared dataset.

    Raises:
        InputError: no question that can be asked.
    """
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    embedder = embedder_of(settings)
    story = story_of(prepared, settings, embedder)
    if not len(story.exam):
        raise InputError(
            "no question is left for the test", "Give more questions", prepared.dataset.name
        )
    lives = Lives(
        story, settings.memory, tasks, prepared.tokens, settings.recall.depth, settings.seed
    )
    floors = Floors(prepared, settings, embedder, backend)
    arms = tuple(arms_of(settings.memory))
    in_lines = not Progress(settings.runtime.progress).wanted
    return MemoryWork(prepared, settings, tasks, story, arms, lives, floors, embedder, in_lines)


def story_of(prepared: Prepared, settings: Settings, embedder: str) -> Story:
    """What happens in a dataset: a corpus is written and asked, a log is lived."""
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    cache = place(settings.paths.cache)
    model = made_embedder(embedder, cache)

    def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
        return embed(model, texts, cache)

    rng = np.random.default_rng([settings.seed, 0xDEA1])
    dataset = prepared.dataset
    if dataset.questions is not None and dataset.memories is not None:
        test, practice, left_out = papers(tasks, None, rng)
        story = corpus_story(prepared, tasks, test, practice, vectors)
    else:
        test, practice, left_out = papers(tasks, settings.memory.queries_most, rng)
        protocol = settings.evaluation.protocol
        story = agent_story(prepared, tasks, test, practice, vectors, protocol)
    return replace(story, left_out=left_out)
