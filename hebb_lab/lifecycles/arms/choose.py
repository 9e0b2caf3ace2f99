"""All arms of a run, in the order of its tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.layers.arms.own import known
from hebb_lab.lifecycles.arms import deviations  # noqa: F401 (registers its families)
from hebb_lab.lifecycles.arms.arm import OUTCOMES, READ, SWITCHES, MemoryArm, Start
from hebb_lab.lifecycles.arms.standard import ALL, BASE, FAMILIES, core, varied
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.rules import MemoryRules

if TYPE_CHECKING:
    from hebb_lab.lifecycles.settings import MemorySettings, WeightSettings

STARTS = {"documented": DOCUMENTED, "observed": OBSERVED}
KEYS = (
    "strategies", "rules", "start", "base", "group", "about", "practice", "forgets", "revises",
)  # fmt: skip
_TYPES: dict[str, tuple[Any, str]] = {
    "rules": (Mapping, "switches"), "strategies": (list | tuple, "a list of strategies"),
    "forgets": (bool, "true or false"), "revises": (bool, "true or false"),
}  # fmt: skip


def start_of(settings: MemorySettings) -> Start:
    """The base arm's rules and strategies.

    Raises:
        ConfigError: an unknown switch or strategy; no strategy.
    """
    for switch in settings.rules:
        known("memory.rules", switch, SWITCHES)
    return Start(
        MemoryRules.from_mapping(settings.rules, "memory.rules"),
        _strategies("memory.strategies", settings.strategies),
    )


def arms_of(settings: MemorySettings) -> list[MemoryArm]:
    """All arms of a run: the base, the chosen families, and the user's own.

    An arm of the user's may take the place of another, but for the base.

    Raises:
        ConfigError: an unknown family, key, switch or strategy; a base that is no arm.
    """
    start = start_of(settings)
    for name in settings.families:
        FAMILIES[name]
    found = {arm.name: arm for arm in core(start)}
    for family in (family for family in FAMILIES if family in settings.families):
        for arm in FAMILIES[family](start):
            found.setdefault(arm.name, arm)
    if BASE in settings.arms:
        raise ConfigError(
            f"memory.arms.{BASE}: every arm is compared with the arm of that name",
            "Give the arm another name; memory.rules and memory.strategies change the base",
        )
    found |= {name: _own(name, entry or {}, start) for name, entry in settings.arms.items()}
    return _with_bases(found, start, settings)


def _with_bases(
    found: dict[str, MemoryArm], start: Start, settings: MemorySettings
) -> list[MemoryArm]:
    """All arms; a base from a family that was not chosen comes along."""
    every = {arm.name: arm for family in FAMILIES for arm in FAMILIES[family](start)}
    for arm in list(found.values()):
        while arm.base is not None and arm.base not in found and arm.base in every:
            arm = found.setdefault(arm.base, every[arm.base])
    for name in settings.arms:
        base = found[name].base
        if base is not None:
            known(f"memory.arms.{name}.base", base, found)
    return list(found.values())


def _own(name: Any, entry: Any, start: Start) -> MemoryArm:
    """An arm of the user's."""
    _check(name, entry)
    where = f"memory.arms.{name}"
    begin, whole = entry.get("start"), {}
    if begin is not None:
        known(f"{where}.start", begin, tuple(STARTS))
        whole = {"whole": True}
    rules = dict(entry.get("rules") or {})
    for switch in rules:
        known(f"{where}.rules", switch, SWITCHES)
    asked = entry.get("strategies")
    arm = varied(
        start if begin is None else Start(STARTS[begin], start.strategies), name,
        entry.get("group", "own"), entry.get("about", ""), rules,
        base=None if (base := entry.get("base", BASE)) == name else base,  # type: ignore[arg-type]
        strategies=None if asked is None else _strategies(f"{where}.strategies", asked),
        practice=entry.get("practice"), forgets=entry.get("forgets", False),
        revises=entry.get("revises", False), **whole,
    )  # fmt: skip
    if arm.practice in ("outcome", "named") and arm.life().rules.reinforcement == "off":
        raise ConfigError(
            f"{where}: practice={arm.practice} names what helped, and reinforcement=off ignores it",
            f"Give {where}.rules.reinforcement=outcome, or practice=off",
        )
    told = {} if begin is None else {"start": begin}
    changed = {key: entry[key] for key in KEYS[:1] + KEYS[6:] if key in entry}
    return replace(arm, start=start, changed={**told, **changed, **rules})


def _check(name: Any, entry: Any) -> None:
    """Refuse an entry with unknown keys or values of the wrong type."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ConfigError(f"memory.arms: {name!r} is no name", "Give text of one line, in quotes")
    where = f"memory.arms.{name}"
    if not isinstance(entry, Mapping):
        raise ConfigError(f"{where}={entry!r} is no group of settings", "Give key: value")
    for key, value in entry.items():
        known(where, key, KEYS)
        wanted, kind = _TYPES.get(key, (str, "text"))
        may_be_null = key in ("base", "start", "rules", "practice")
        if not isinstance(value, wanted) and not (value is None and may_be_null):
            raise ConfigError(f"{where}.{key}={value!r} is not {kind}", "Mend the arm")
    if entry.get("practice") is not None:
        known(f"{where}.practice", entry["practice"], OUTCOMES)


def _strategies(where: str, names: Any) -> tuple[str, ...]:
    """Names of strategies, each once."""
    for name in names:
        known(where, name, ALL)
    if not names or len(set(names)) < len(names):
        raise ConfigError(f"{where}={list(names)} names none, or one twice", "Name each once")
    return tuple(names)


def check_tuning(settings: WeightSettings) -> None:
    """Refuse grids that name no setting, or give no values.

    Raises:
        ConfigError: it names the near ones; a number out of its range.
    """
    for arm, grid in settings.grids.items():
        where = f"memory.tuning.grids.{arm}"
        if not isinstance(grid, Mapping):
            raise ConfigError(f"{where}={grid!r} is no group of settings", "Give setting: [values]")
        for name, values in grid.items():
            known(where, name, (*READ, "strategies"))
            if not isinstance(values, list | tuple) or not values:
                raise ConfigError(f"{where}.{name}={values!r} is no list of values", "Give some")
            for value in values:
                if name == "strategies":
                    _strategies(f"{where}.{name}", value)
                else:
                    DOCUMENTED.change(**{name: value})
    if settings.folds < 2:
        raise ConfigError("memory.tuning.folds is below 2", "Give 2 or more")
