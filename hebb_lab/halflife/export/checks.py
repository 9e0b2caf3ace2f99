"""What half_lives.yaml may say: each value that no fit can have made is refused by its key."""

from __future__ import annotations

import difflib
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.graph.rules import SynapseRules
from hebb_lab.halflife.export.fitted import FitAt, GroupHalfLife, ModelHalfLives
from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOM = 2.0
"""Beyond the ends of the grid: a refined maximum or another grid may lie a little outside."""
LATEST_US = 365 * 230 * DAY_US  # about the year 2200: beyond it stand nanoseconds, not µs
_ENDS = ("half_life", "low", "high")
_ORDER = ("low", "half_life", "high")
_CLOSE = 1e-9  # an end that is the value itself may differ from it in the last digit


def model_of(name: str, values: Mapping[str, Any]) -> ModelHalfLives:
    """One model.

    Raises:
        KeyError, ValueError: a key is missing or says what it cannot; the message names the key.
    """
    key = f"models.{name}"
    splits = tuple(
        _fit(f"{key}.splits[{place}]", split, timed=True)
        for place, split in enumerate(values["splits"])
    )
    for place, (one, two) in enumerate(pairwise(splits), start=1):
        if (two.until_us or 0) < (one.until_us or 0):
            raise ValueError(
                f"{key}.splits[{place}].until_us is {two.until_us}, before that of the split above"
                " it: the splits are not in the order of time"
            )
    return ModelHalfLives(name, _fit(f"{key}.final", values["final"]), splits)


def rules_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The switches that the half-lives were fitted under.

    Raises:
        ValueError: no switch of the rules, or a value that it cannot have.
    """
    known = SynapseRules.__dataclass_fields__
    for name, value in values.items():
        if name not in known:
            near = difflib.get_close_matches(str(name), known, n=1)
            hint = f": did you mean {near[0]}" if near else ""
            raise ValueError(f"rules.{name} is no switch of the rules{hint}")
        if name == "half_life":  # a reference, or a choice of any version
            continue
        try:
            SynapseRules.from_mapping({name: value})
        except ConfigError as error:
            raise ValueError(error.problem) from None
    return dict(values)


def _fit(key: str, values: Mapping[str, Any], timed: bool = False) -> FitAt:
    until_us = _moment(f"{key}.until_us", values["until_us"]) if timed else None
    groups = {
        str(name): _group(f"{key}.groups.{name}", group) for name, group in values["groups"].items()
    }
    return FitAt(until_us, groups, values.get("fell_back"))


def _moment(key: str, value: Any) -> int:
    """A moment in µs since 1970."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{key} is {value!r}, no whole number of µs since 1970")
    if not 0 <= value < LATEST_US:  # how early it may be, the log itself decides
        raise ValueError(f"{key} is {value}, and µs since 1970 of a log lie below {LATEST_US}")
    return value


def _group(key: str, values: Mapping[str, Any]) -> GroupHalfLife:
    value, low, high = (_number(f"{key}.{name}", values[name]) for name in _ENDS)
    if value is not None and not LOWEST / ROOM <= value <= HIGHEST * ROOM:
        raise ValueError(
            f"{key}.half_life is {value:g}, and half-lives are fitted from {LOWEST:g} to"
            f" {HIGHEST:g}"
        )
    ordered = [(name, v) for name, v in zip(_ORDER, (low, value, high), strict=True) if v]
    for (below, one), (above, two) in pairwise(ordered):
        if one > two * (1 + _CLOSE):
            raise ValueError(f"{key}.{below} is {one:g}, above its {above}, {two:g}")
    return GroupHalfLife(value, low, high, _events(key, values["events"]), str(values["verdict"]))


def _number(key: str, number: Any) -> float | None:
    """A number of days above 0, or null."""
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < math.inf:
        raise ValueError(f"{key} is {number!r}, which is no half-life")
    return float(number)


def _events(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{key}.events is {value!r}, no count of re-activations")
    return value
