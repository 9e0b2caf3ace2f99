"""Rules of the memory model for what is scored by it outside a store: which switches are read."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.graph.switches import checked
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.rules import MemoryRules

log = logging.getLogger(__name__)

STARTS = {"documented": DOCUMENTED, "observed": OBSERVED}
_DECAY = ("half_life_days", "half_life_gain", "decay_anchor", "count_in_decay")
_ACCESSES = ("count_gain", "access_moves_clock", "importance_boost")
SCORING = (
    "weight_relevance", "weight_recency", "weight_importance", "weight_reinforcement",
    "recency_anchor", "recency_shape", "recency_days", "decay_in_rank", "reinforcement_cap",
    "reinforcement", *_ACCESSES, *_DECAY,
)  # fmt: skip
"""Switches of the memory model that a score hangs on; the others are a store's."""


def scoring_rules(values: Mapping[str, Any], where: str) -> MemoryRules:
    """Rules of the memory model from a config; a switch that no score reads is reported.

    Args:
        values: switch → value; ``start``: documented or observed, which they are laid over.
        where: the group of settings that they stand in, for messages.

    Raises:
        ConfigError: an unknown switch, a value that it cannot have.
    """
    start = values.get("start", "documented")
    if start not in STARTS:
        raise ConfigError(f"{where}.start={start!r} is no rule set", f"Use {' or '.join(STARTS)}")
    own = {name: value for name, value in values.items() if name != "start"}
    rules = STARTS[start].change(**checked(MemoryRules, own, where))
    for name, why in _inert(own, rules):
        log.warning("%s.%s=%s has no effect: %s", where, name, own[name], why)
    return rules


def _inert(own: Mapping[str, Any], rules: MemoryRules) -> Iterator[tuple[str, str]]:
    """(switch, why) of those that change no score under these rules."""
    recency = [name for name in own if name.startswith("recency_")]
    unread = [name for name in own if name not in SCORING]
    yield from ((name, f"a score reads {', '.join(SCORING)}") for name in unread)
    for off, names, why in (
        (rules.decay_in_rank == "none", _DECAY, "decay_in_rank=none"),
        (rules.reinforcement == "off", _ACCESSES, "reinforcement=off"),
        (not rules.weight_recency, recency, "weight_recency=0"),
    ):
        yield from ((name, why) for name in names if off and name in own)
