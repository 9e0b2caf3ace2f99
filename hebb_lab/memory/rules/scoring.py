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


TIMELESS = ("recency_anchor", "decay_anchor", "access_moves_clock", "importance_boost")
"""Switches of SCORING that need to know when each access was."""


def rules_over(base: MemoryRules, values: Mapping[str, Any], where: str) -> MemoryRules:
    """Rules of the memory model from a config, laid over others.

    Args:
        base: what they are laid over, where ``values`` do not say.
        values: switch → value; ``start``: documented or observed, in place of the base.
        where: the group of settings that they stand in, for messages.

    Raises:
        ConfigError: an unknown switch, a value that it cannot have.
    """
    if not isinstance(values, Mapping):
        raise ConfigError(f"{where}={values!r} is no group of switches", "Give switch: value")
    start = values.get("start")
    if start is not None and start not in STARTS:
        raise ConfigError(f"{where}.start={start!r} is no rule set", f"Use {' or '.join(STARTS)}")
    own = {name: value for name, value in values.items() if name != "start"}
    return STARTS.get(str(start), base).change(**checked(MemoryRules, own, where))


def scoring_rules(values: Mapping[str, Any], where: str, *, timed: bool = True) -> MemoryRules:
    """Rules over the documented ones for a score; a switch that it does not read is reported.

    Args:
        values: as ``rules_over`` has them.
        where: as there.
        timed: whether it is known when each access was.

    Raises:
        ConfigError: an unknown switch, a value that it cannot have.
    """
    rules = rules_over(DOCUMENTED, values, where)
    for name, why in _inert(values, rules, timed):
        log.warning("%s.%s=%s has no effect: %s", where, name, values[name], why)
    return rules


def _inert(values: Mapping[str, Any], rules: MemoryRules, timed: bool) -> Iterator[tuple[str, str]]:
    """(switch, why) of those that change no score under these rules."""
    read = [name for name in SCORING if timed or name not in TIMELESS]
    unread = [name for name in values if name not in (*read, "start")]
    yield from ((name, f"a score reads {', '.join(read)}") for name in unread)
    recency = [name for name in read if name.startswith("recency_")]
    for off, names, why in (
        (rules.decay_in_rank == "none", _DECAY, "decay_in_rank=none"),
        (rules.reinforcement == "off", _ACCESSES, "reinforcement=off"),
        (not rules.weight_recency, recency, "weight_recency=0"),
    ):
        yield from ((name, why) for name in names if off and name in values and name in read)
