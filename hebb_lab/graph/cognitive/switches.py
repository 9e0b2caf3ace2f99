"""A switch of a rule set: its default, what it does, and which deviation it stands for."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any

from hebb_lab.errors import ConfigError


def switch(
    default: Any, help_text: str, choices: tuple[str, ...] = (), deviation: int | None = None
) -> Any:
    """A field of a rule set, with its help, choices and number in the list of deviations."""
    about = {"help": help_text, "choices": choices, "deviation": deviation}
    return field(default=default, metadata=about)


def check_switch(name: str, kind: str, value: Any) -> None:
    """Refuse a value of the wrong type, a negative number and one that is not finite.

    Raises:
        ConfigError: such a value.
    """
    if value is None and "None" in kind:
        return
    allowed: dict[str, tuple[type, ...]] = {
        "int": (int,), "float": (int, float), "bool": (bool,), "tuple[str,": (tuple,),
    }  # fmt: skip
    types = allowed.get(kind.split()[0], (str,))
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ConfigError(
            f"cognitive rules: {name}={value!r} is not of type {kind}", "Give such a value"
        )
    if isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
        raise ConfigError(
            f"cognitive rules: {name}={value!r} is no number from 0 up", "Give such a number"
        )
