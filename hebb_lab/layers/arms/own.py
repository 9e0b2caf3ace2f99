"""The user's own arms, ``cognitive.arms.NAME``."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.layers.arms.arm import PLAN_KEYS, SWITCHES, LayerArm, Stack, changed_plan
from hebb_lab.layers.arms.standard import BASE
from hebb_lab.memory.rules.scoring import scoring_rules

if TYPE_CHECKING:
    from hebb_lab.graph.cognitive.rules import CognitiveRules

log = logging.getLogger(__name__)

KEYS = (*PLAN_KEYS, "rules", "start", "base", "group", "about")
STARTS = {"documented": DOCUMENTED, "observed": OBSERVED}
TUNED = "tuned"
_TYPES: dict[str, tuple[Any, str]] = {
    "rules": (Mapping, "switches"), "layers": (list | tuple, "a list of layers"),
    "habituation": (bool, "true or false"), "memory": (Mapping, "switches of the memory model"),
}  # fmt: skip


def own_arms(entries: Mapping[str, Any], stack: Stack) -> list[LayerArm]:
    """The arms that a config states.

    Args:
        entries: name → {seeder, layers, scoring, profile, habituation, importance, memory, rules,
            start, base, group, about}; what an arm does not say is as in the full stack.
        stack: what it starts from, unless ``start`` names a published rule set or ``tuned``.

    Raises:
        ConfigError: an unknown key, switch, layer or rule set; it names the near ones.
    """
    return [
        _arm(name, entry if entry is not None else {}, stack) for name, entry in entries.items()
    ]


def _arm(name: Any, entry: Any, stack: Stack) -> LayerArm:
    _check(name, entry)
    where = f"cognitive.arms.{name}"
    start = entry.get("start")
    if start is not None:
        known(f"{where}.start", start, (*STARTS, TUNED))
    changed = {key: entry[key] for key in PLAN_KEYS if key in entry}
    for layer in changed.get("layers") or ():
        known(f"{where}.layers", layer, PARTS)
    rules = entry.get("rules") or {}
    for switch in rules:
        known(f"{where}.rules", switch, SWITCHES)
    begin = stack.full() if start in (None, TUNED) else stack.full(rules=STARTS[start])
    changes = {**changed, **rules}
    if "memory" in changed:
        scoring_rules(changed["memory"], f"{where}.memory", timed=False)
    plan = changed_plan(begin, changes)
    if "memory" in changed and plan.scoring != "memory" and start != TUNED:
        log.warning("%s.memory has no effect: scoring=%s", where, plan.scoring)
    return LayerArm(
        name=name,
        group=entry.get("group", "own"),
        base=None if (base := entry.get("base", BASE)) == name else base,
        plan=plan,
        changed=changes if start in (None, TUNED) else {"start": start, **changes},
        about=entry.get("about", ""),
        tuned=start == TUNED,
    )


def rules_of(start: str | None, stack: Stack) -> CognitiveRules:
    """The rule set of that name; the stack's where it is None."""
    return stack.rules if start is None else STARTS[start]


def known(what: str, name: Any, names: Collection[str]) -> None:
    """Refuse a name that is none of these.

    Raises:
        ConfigError: it names the near ones.

    >>> known("layers", "chian", ("stdp", "chain"))
    Traceback (most recent call last):
    ...
    hebb_lab.errors.ConfigError: unknown name in layers: 'chian'. Did you mean 'chain'? Known: \
stdp, chain.
    """
    if name in names:
        return
    near = difflib.get_close_matches(str(name), names, n=3)
    hint = f"Did you mean {' or '.join(map(repr, near))}? " if near else ""
    raise ConfigError(f"unknown name in {what}: {name!r}", f"{hint}Known: {', '.join(names)}")


def _check(name: Any, entry: Any) -> None:
    """Refuse an entry with unknown keys or values of the wrong type."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ConfigError(
            f"cognitive.arms: {name!r} is no name", "Give text of one line, in quotes"
        )
    where = f"cognitive.arms.{name}"
    if not isinstance(entry, Mapping):
        raise ConfigError(f"{where}={entry!r} is no group of settings", "Give key: value")
    for key, value in entry.items():
        known(where, key, KEYS)
        wanted, kind = _TYPES.get(key, (str, "text"))
        may_be_null = key in ("profile", "base", "start", "rules")
        if not isinstance(value, wanted) and not (value is None and may_be_null):
            raise ConfigError(f"{where}.{key}={value!r} is not {kind}", "Mend the arm")
