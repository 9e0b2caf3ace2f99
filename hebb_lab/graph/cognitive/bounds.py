"""Numbers of the cognitive graph's rules that have a least and a most."""

from __future__ import annotations

from collections.abc import Mapping
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


def check_numbers(values: Mapping[str, Any]) -> None:
    """Refuse numbers out of their BOUNDS, and hyperedges whose least is above their most.

    Raises:
        ConfigError: such a number.
    """
    for name, (least, most) in BOUNDS.items():
        if values[name] < least:
            raise ConfigError(f"cognitive.rules.{name} is below {least}", f"Give {least} or more")
        if most is not None and values[name] > most:
            raise ConfigError(f"cognitive.rules.{name} is above {most}", f"Give {most} or less")
    least, most = values["hyperedge_min"], values["hyperedge_max"]
    if not 2 <= least <= most:
        raise ConfigError(
            f"cognitive.rules: hyperedges of {least} to {most}", "Give 2 or more, the least first"
        )
