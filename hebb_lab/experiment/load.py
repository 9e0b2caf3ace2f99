"""The dataset that a config names: built in, or read from where it lies."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.places import place
from hebb_lab.records import Dataset

if TYPE_CHECKING:
    from hebb_lab.dataset_settings import DatasetSettings

P = TypeVar("P")


def load(settings: DatasetSettings, progress: Callable[[str, int, int], None] | None) -> Dataset:
    """The dataset that the settings name: built in, or read from a log or a corpus.

    Raises:
        ConfigError: no path, an unknown preset. InputError: nothing to read.
    """
    if settings.reader in _BUILT_IN:
        return _BUILT_IN[settings.reader](settings)
    if not settings.path:
        raise ConfigError(
            f"dataset={settings.name} needs a log", "Give dataset.path=PATH to the log or folder"
        )
    path = place(settings.path)
    name = _name_of(settings.name, path)
    if settings.reader in ("corpus", "locomo"):
        return _corpus(settings, path, name, progress)
    from hebb_lab.telemetry.discover import read_log
    from hebb_lab.telemetry.reader import ReadOptions

    options = ReadOptions(
        repo=place(settings.repo) if settings.repo else None,
        tracked_paths=place(settings.tracked_paths) if settings.tracked_paths else None,
        keep_prompts=settings.keep_prompts,
        progress=progress,
        branch=settings.branch,
    )
    return Dataset(name, read_log(path, settings.reader, options))


def _corpus(
    settings: DatasetSettings, path: Path, name: str,
    progress: Callable[[str, int, int], None] | None,
) -> Dataset:  # fmt: skip
    if settings.reader == "locomo":
        from hebb_lab.corpora.locomo import LocomoOptions, read_locomo

        options = LocomoOptions(settings.unit, settings.index, settings.categories, settings.dates)
        return read_locomo(path, options, name, progress)
    from hebb_lab.corpora import read_corpus

    return read_corpus(path, settings.split, name, progress)


def _simulated(settings: DatasetSettings) -> Dataset:
    from hebb_lab.simulator import PRESETS, simulate

    return simulate(_chosen(PRESETS, settings.preset), np.random.default_rng(settings.seed))


def _memories(settings: DatasetSettings) -> Dataset:
    from hebb_lab.corpora.built_in import PRESETS

    make = _chosen(PRESETS, settings.preset)
    return make(np.random.default_rng(settings.seed))


def _chosen(presets: Mapping[str, P], name: str) -> P:
    """The preset of that name.

    Raises:
        ConfigError: there is none.
    """
    if name not in presets:
        raise ConfigError(f"unknown dataset.preset '{name}'", f"Use one of {', '.join(presets)}")
    return presets[name]


def _world(settings: DatasetSettings) -> Dataset:
    """A world by its preset, with the settings that are not null."""
    from hebb_lab.worlds import parameters_from, world_log

    asked = {"activity": settings.activity, "edges": settings.edges}
    changes = {name: value for name, value in asked.items() if value is not None}
    parameters = parameters_from(settings.preset, **changes)
    name = f"{settings.name}:{settings.preset}"
    return world_log(parameters, np.random.default_rng(settings.seed), name)


def _name_of(name: str, path: Path) -> str:
    """The dataset's name and the last part of where it lies."""
    stem = Path(os.path.realpath(path)).name  # of a link to itself too, which is refused later
    for ending in (".gz", ".jsonl", ".tsv", ".csv", ".parquet"):
        stem = stem.removesuffix(ending)
    return f"{name}:{stem}"


_BUILT_IN: dict[str, Callable[[DatasetSettings], Dataset]] = {
    "simulated": _simulated, "world": _world, "memories": _memories,
}  # fmt: skip
