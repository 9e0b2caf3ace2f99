"""A switch of a rule set: its default, what it does, and which deviation it stands for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hebb_lab.errors import ConfigError

MOST_HOPS = 127  # hops of an expansion are kept as int8
MOST_EDITS = 2  # names further apart are not looked for: see `directory.near`
BOUNDS: dict[str, tuple[int, int | None]] = {
    "degree_cap": (1, None), "cycle_memories": (1, None), "bridge_trees": (1, None),
    "hebbian_depth": (1, MOST_HOPS), "temporal_hops": (0, MOST_HOPS),
    "entity_hops": (1, MOST_HOPS), "merge_distance": (0, MOST_EDITS),
}  # fmt: skip
"""The least and the most of a number; None: no most."""


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


def check_numbers(values: Mapping[str, Any]) -> None:
    """Refuse numbers out of their BOUNDS, and hyperedges whose least is above their most.

    Raises:
        ConfigError: such a number.
    """
    for name, (least, most) in BOUNDS.items():
        if values[name] < least:
            raise ConfigError(f"cognitive rules: {name} is below {least}", f"Give {least} or more")
        if most is not None and values[name] > most:
            raise ConfigError(f"cognitive rules: {name} is above {most}", f"Give {most} or less")
    least, most = values["hyperedge_min"], values["hyperedge_max"]
    if not 2 <= least <= most:
        raise ConfigError(
            f"cognitive rules: hyperedges of {least} to {most}", "Give 2 or more, the least first"
        )
