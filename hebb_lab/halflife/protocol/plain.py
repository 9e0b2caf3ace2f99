"""Fitted values as plain JSON, which has no NaN and no infinity, and whether they are steady."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.halflife.objectives.profile import is_identified

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.halflife.objectives.profile import Estimate

LEAST_SPLITS = 3
MOST_RATIO = 4.0
"""Fits to ever more of one log that differ by more than this factor are not of one half-life."""


def plain(value: Any) -> Any:
    """Numbers, text, lists and dicts of such; null for what is not finite.

    >>> plain({"a": (np.float64(0.5), float("inf")), 1: np.array([True])})
    {'a': [0.5, None], '1': [True]}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def estimates(parameters: Mapping[str, Estimate]) -> dict[str, dict[str, Any]]:
    """Estimates by name: value, low, high, events, verdict.

    An open end is 0 below and null above; where there is no interval both ends are null.
    """
    return {name: plain(estimate._asdict()) for name, estimate in parameters.items()}


def number(value: float | None) -> float:
    """A stored number: NaN for null.

    >>> number(None), number(2)
    (nan, 2.0)
    """
    return math.nan if value is None else float(value)


def with_steadiness(
    final: Mapping[str, Mapping[str, Any]], splits: Sequence[Mapping[str, Mapping[str, Any]]]
) -> dict[str, dict[str, Any]]:
    """The final estimates, those with a word more that the splits do not bear out.

    Args:
        final: name → estimate, of the fit to the whole log.
        splits: the same of the fits before each block.

    >>> told = {"value": 200.0, "verdict": ""}
    >>> parts = [{"half_life[a]": {"value": value}} for value in (2.0, 10.0, 190.0)]
    >>> with_steadiness({"half_life[a]": told}, parts)["half_life[a]"]["verdict"]
    'not steady: 2 to 190 in the fits before the blocks'
    """
    found = {}
    for name, estimate in final.items():
        values = [part[name]["value"] for part in splits if name in part]
        known = [value for value in values if value is not None]
        told = dict(estimate)
        said = told["value"] is not None and is_identified(told["verdict"])
        if name.startswith("half_life") and len(known) >= LEAST_SPLITS and said:
            low, high = min(known), max(known)
            if high > MOST_RATIO * low:
                words = f"not steady: {low:.3g} to {high:.3g} in the fits before the blocks"
                told["verdict"] = "; ".join(part for part in (told["verdict"], words) if part)
        found[name] = told
    return found
