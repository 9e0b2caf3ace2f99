"""The config as typed values. An unknown key is an error that lists the known ones."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from hebb_lab.dataset_settings import DatasetSettings, WindowSettings
from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.query_set import TaskSettings
from hebb_lab.halflife.protocol.settings import HalfLifeSettings
from hebb_lab.layers.settings import CognitiveSettings, TuningSettings
from hebb_lab.lifecycles.settings import MemorySettings, WeightSettings

S = TypeVar("S")


@dataclass(frozen=True)
class LayerSettings:
    """Graph layers that activation spreads through; their energies are summed."""

    use: tuple[str, ...] = ("synapse",)


@dataclass(frozen=True)
class RecallSettings:
    """Seeders and lists."""

    depth: int = 50  # nodes that a ranking holds
    inject: int = 10  # nodes that a host list holds before injection
    restart: float = 0.15  # personalised PageRank
    embedder: str | None = "auto"  # a name in EMBEDDERS, auto (minilm if installed), null
    rrf_k: int = 60
    branch: str | None = None  # active branch's namespace
    traces: int = 20  # queries per injecting arm and task whose edges go to traces.jsonl


@dataclass(frozen=True)
class EvaluationSettings:
    """Protocol, metrics, statistics."""

    protocol: TaskSettings = field(default_factory=TaskSettings)
    measures: tuple[str, ...] = ("any@10", "R@10", "nDCG@10", "RR@10", "all@10")
    headline: tuple[str, ...] = ("any@10",)
    headlines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # per task
    resamples: int = 2000
    flips: int = 10_000
    interval: str = "percentile"
    trec: str = "base"  # which arms' rankings go to run.trec: none, base, all
    trec_depth: int = 10  # and how many nodes of each


@dataclass(frozen=True)
class RuntimeSettings:
    """Where it runs. Nothing here but the precision can change a number."""

    backend: str = "auto"  # auto, cpu, torch, cuda, reference
    device: str = "auto"  # auto, cpu, cuda
    precision: str = "float64"  # of weights and energies; float32: to 1e-5, in half the memory
    memory_mb: int | None = None  # of a walk; null: a quarter of the device's memory
    threads: int | None = None
    progress: bool | None = None  # null: only on a terminal


@dataclass(frozen=True)
class AttributionSettings:
    """Which parts get credit, and how."""

    kind: str = "none"  # none, leave_one_out, ladder, shapley
    without: Mapping[str, Any] = field(default_factory=dict)  # switches of the empty set
    parts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # part → switches
    use: tuple[str, ...] | None = None  # a choice among the parts, in the ladder's order


@dataclass(frozen=True)
class PathSettings:
    """Where things go."""

    runs: str = "runs"
    cache: str = "runs/.cache"


@dataclass(frozen=True)
class Settings:
    """Everything that a run needs, typed."""

    experiment: str
    kind: str  # a name of KINDS
    seed: int
    base: str | None
    arms: Mapping[str, Mapping[str, Any]]
    rules: Mapping[str, Any]
    dataset: DatasetSettings
    layers: LayerSettings
    recall: RecallSettings
    evaluation: EvaluationSettings
    attribution: AttributionSettings
    halflife: HalfLifeSettings
    cognitive: CognitiveSettings
    memory: MemorySettings
    runtime: RuntimeSettings
    paths: PathSettings

    @classmethod
    def from_mapping(cls, config: Mapping[str, Any]) -> Settings:
        """Check and convert a resolved config.

        Raises:
            ConfigError: unknown key, missing experiment or arms, wrong type.
        """
        config = {key: value for key, value in config.items() if key != "hydra"}
        if not config.get("experiment"):
            raise ConfigError(
                "no experiment was chosen",
                f"Add +exp=NAME; known: {', '.join(known_experiments())}",
            )
        return _parse(cls, config, "")


def config_dir() -> Path:
    """The folder of the configs: inside an installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "_configs"
    return inside if inside.is_dir() else package.parent / "configs"


def known_experiments() -> list[str]:
    """Names of the experiment files."""
    return sorted(path.stem for path in (config_dir() / "exp").glob("*.yaml"))


_NESTED: dict[tuple[type, str], type] = {
    (Settings, "dataset"): DatasetSettings,
    (Settings, "layers"): LayerSettings,
    (Settings, "recall"): RecallSettings,
    (Settings, "evaluation"): EvaluationSettings,
    (Settings, "attribution"): AttributionSettings,
    (Settings, "halflife"): HalfLifeSettings,
    (Settings, "cognitive"): CognitiveSettings,
    (CognitiveSettings, "tuning"): TuningSettings,
    (Settings, "memory"): MemorySettings,
    (MemorySettings, "tuning"): WeightSettings,
    (Settings, "runtime"): RuntimeSettings,
    (Settings, "paths"): PathSettings,
    (DatasetSettings, "windows"): WindowSettings,
    (EvaluationSettings, "protocol"): TaskSettings,
}


def known_settings() -> list[str]:
    """Dotted names of all settings, the switches of the rules among them."""
    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.memory.rules import MemoryRules

    rules: dict[type, type] = {
        Settings: SynapseRules, CognitiveSettings: CognitiveRules, MemorySettings: MemoryRules,
    }  # fmt: skip

    def names(kind: Any, where: str) -> list[str]:
        found = []
        for part in fields(kind):
            nested = rules.get(kind) if part.name == "rules" else _NESTED.get((kind, part.name))
            name = f"{where}{part.name}"
            found += [name] if nested is None else [name, *names(nested, f"{name}.")]
        return found

    return names(Settings, "")


def _parse(kind: type[S], values: Any, where: str) -> S:
    """A dataclass from a mapping, nested ones too, every key checked."""
    if not isinstance(values, Mapping):
        raise ConfigError(f"{where or 'the config'} must be a group of settings", "Give key: value")
    known = {part.name: part for part in fields(kind)}  # type: ignore[arg-type]
    made: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{where}{key}"
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=2)
            hint = f"Did you mean {' or '.join(near)}? " if near else ""
            raise ConfigError(f"unknown setting {name}", f"{hint}Known: {', '.join(known)}")
        nested = _NESTED.get((kind, str(key)))
        if nested is not None:
            made[key] = _parse(nested, value, f"{name}.")
        else:
            made[key] = _checked(name, str(known[key].type), value)
    try:
        return kind(**made)
    except TypeError as error:
        raise ConfigError(
            f"{where or 'the config'}: {error}", "Give the missing settings"
        ) from None


def _checked(name: str, kind: str, value: Any) -> Any:
    """A leaf of the right type; lists become tuples."""
    if isinstance(value, list):
        value = tuple(value)
    allowed: tuple[type, ...]
    if value is None and "None" in kind:
        return None
    if kind.startswith("int"):
        allowed = (int,)
    elif kind.startswith("float"):
        allowed = (int, float)
    elif kind.startswith("bool"):
        allowed = (bool,)
    elif kind.startswith("str"):
        allowed = (str, int)
    elif kind.startswith("tuple"):
        one = isinstance(value, str if "str" in kind else int | float)
        value = (value,) if one else value
        allowed = (tuple,)
    else:
        allowed = (Mapping,)
    items: Any = str if "str" in kind else (int, float)
    if isinstance(value, tuple) and not all(_is_a(items, item) for item in value):
        what = "names" if items is str else "numbers"
        raise ConfigError(f"{name}={list(value)!r} is not a list of {what}", f"Give {what} only")
    wrong_bool = isinstance(value, bool) and bool not in allowed
    if wrong_bool or not isinstance(value, allowed):
        raise ConfigError(f"{name}={value!r} is not of type {kind}", "Give a value of that type")
    return str(value) if kind.startswith("str") else value


def _is_a(kinds: Any, value: Any) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)
