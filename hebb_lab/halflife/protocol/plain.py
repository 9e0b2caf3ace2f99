"""Fitted values as plain JSON, which has no NaN and no infinity: null stands for both."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hebb_lab.halflife.objectives.profile import Estimate


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
