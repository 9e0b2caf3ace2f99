"""The settings of a half-life experiment, and which of them cannot work."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hebb_lab.halflife.model import Model
    from hebb_lab.registry import Registry

ORDER = (
    "constant", "moving_average", "recency", "rate", "fixed", "namespace_defaults",
    "heuristic_deployed", "heuristic_documented", "hierarchical", "log_linear", "empirical_bayes",
    "basis", "rate_decay", "frailty", "power_law", "logistic", "stability",
    "hierarchical_active_days", "hierarchical_sessions", "frailty_active_days", "frailty_sessions",
    "oracle",
)  # fmt: skip
"""Models in the order of tables: baselines, published rules, learned ones, and the truth."""
RATE = "rate"
"""The baseline that a claim must beat beside the heuristic."""
FALLBACK, LAST_RESORT = "namespace_defaults", "constant"
"""What a model that fails is scored as, and what that is scored as if it fails too."""


@dataclass(frozen=True)
class HalfLifeSettings:
    """What is fitted, on which clock, and how it is scored.

    Args:
        models: names; None for all that there are.
        clock: wall, active_days or sessions.
        activity: recalls (exposure is counted in recalls) or none (in time).
        group_by: namespace or folder.
        burn_in_days: the first days of the log, which only build up weights.
        forecast_days: how far back activity is averaged for predictions.
        blocks: of equally many recalls; the first is never scored.
        horizons: days within which a pair comes back or not; the first is the headline.
        stride_days: between checkpoints; None for a fortieth of the log, 0.5 to 7.
        controls: of each case.
        cases_max: scored, in the whole run; and about as many to fit to.
        rows_max: scored, for each horizon.
        train_rows_max: of checkpoints, to fit to.
        resamples: of the intervals.
        confidence: of the intervals of differences.
        heuristic: the published rule that a claim must beat.
    """

    models: tuple[str, ...] | None = None
    clock: str = "wall"
    activity: str = "recalls"
    group_by: str = "namespace"
    burn_in_days: float = 0.0
    forecast_days: float = 28.0
    blocks: int = 6
    horizons: tuple[float, ...] = (7.0, 1.0, 30.0)
    stride_days: float | None = None
    controls: int = 20
    cases_max: int = 20_000
    rows_max: int = 200_000
    train_rows_max: int = 100_000
    resamples: int = 2000
    confidence: float = 0.99
    heuristic: str = "heuristic_deployed"


def known_models() -> Registry[Model]:
    """All models and baselines, registered."""
    from hebb_lab.halflife import baselines, models  # noqa: F401 (importing registers them)
    from hebb_lab.halflife.clocked import on_clock  # noqa: F401 (the same)
    from hebb_lab.halflife.model import MODELS

    return MODELS


def chosen_models(settings: HalfLifeSettings) -> list[str]:
    """Names of the models of a run, in the order of tables.

    Raises:
        ConfigError: an unknown name, or one given twice.
    """
    known = known_models()
    if settings.models is None:
        return [*(n for n in ORDER if n in known), *(n for n in known if n not in ORDER)]
    if not settings.models:
        raise ConfigError("halflife.models is empty", "Name at least one, or give null for all")
    for name in settings.models:
        known[name]
    if len(set(settings.models)) < len(settings.models):
        raise ConfigError("halflife.models names a model twice", "Name each once")
    return list(settings.models)


def check(settings: HalfLifeSettings) -> None:
    """Refuse what no run could be made of.

    Raises:
        ConfigError: an unknown name or a number out of its range.
    """
    from hebb_lab.halflife.facts.clock import CLOCKS
    from hebb_lab.halflife.facts.groups import GROUPINGS
    from hebb_lab.halflife.facts.measure import ACTIVITIES
    from hebb_lab.halflife.protocol.splits import LEAST_BLOCKS

    chosen_models(settings)
    known_models()[settings.heuristic]
    if settings.heuristic == RATE:
        raise ConfigError(
            f"halflife.heuristic={RATE}, which every model is compared with anyway",
            "Name a published rule, such as heuristic_deployed",
        )
    _one_of("clock", settings.clock, CLOCKS)
    _one_of("activity", settings.activity, ACTIVITIES)
    _one_of("group_by", settings.group_by, GROUPINGS)
    least: Mapping[str, float] = {
        "burn_in_days": 0, "blocks": LEAST_BLOCKS, "controls": 1, "cases_max": 1, "rows_max": 1,
        "train_rows_max": 1, "resamples": 20,
    }  # fmt: skip
    for name, smallest in least.items():
        value = getattr(settings, name)
        if not (math.isfinite(value) and value >= smallest):
            raise ConfigError(
                f"halflife.{name}={value:g} is out of range", f"Give {smallest:g} or more"
            )
    _above_0("forecast_days", settings.forecast_days)
    if settings.stride_days is not None:
        _above_0("stride_days", settings.stride_days)
    if not settings.horizons or len(set(settings.horizons)) < len(settings.horizons):
        raise ConfigError(
            "halflife.horizons are none, or one twice", "Give days, the headline first: [7, 1, 30]"
        )
    for days in settings.horizons:
        _above_0("horizons", days)
    if not 0 < settings.confidence < 1:
        raise ConfigError(
            f"halflife.confidence={settings.confidence:g} is no coverage", "Give 0.99 or the like"
        )


def _one_of(name: str, value: Any, known: Collection[str]) -> None:
    if value not in known:
        raise ConfigError(
            f"halflife.{name}={value} is not a choice", f"Use one of {', '.join(known)}"
        )


def _above_0(name: str, value: float) -> None:
    most = 36_525  # a century; a longer horizon has no place on any clock
    if not 0 < value <= most:
        raise ConfigError(
            f"halflife.{name}={value:g} is out of range", f"Give days above 0, at most {most:,}"
        )
