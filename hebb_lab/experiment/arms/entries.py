"""Arms from a config: each starts from the base's rules and has its own switches."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.arms.arm import Arm
from hebb_lab.experiment.arms.attribution import attribution_arms
from hebb_lab.experiment.arms.in_time import RulesInTime
from hebb_lab.experiment.arms.references import is_reference
from hebb_lab.experiment.arms.scored import score_of
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED

if TYPE_CHECKING:
    from hebb_lab.experiment.settings import Settings

log = logging.getLogger(__name__)
_KEYS = ("method", "group", "base", "start", "layers", "rules", "memory", "about")
_KINDS = {
    "rules": (Mapping, "switches"), "layers": (list, "a list of layers"),
    "memory": (Mapping, "switches of the memory model"),
}  # fmt: skip
_STARTS = {"documented": RulesInTime(DOCUMENTED), "observed": RulesInTime(OBSERVED)}
FITTED = "half_life_fitted"
"""The arm that `rules.half_life=@RUN` adds where the base says a half-life of its own."""


def arms_of(settings: Settings) -> list[Arm]:
    """All arms of a run, the base first among those that are compared with it.

    Raises:
        ConfigError: an unknown key or switch, a base that is no arm.
    """
    base_rules = _rules_of_base(settings)
    arms = [_arm(name, entry or {}, base_rules, settings) for name, entry in settings.arms.items()]
    arms += _fitted_arm(base_rules, settings)
    arms += attribution_arms(settings.attribution, base_rules, settings.layers.use)
    if not arms:
        raise ConfigError("the experiment has no arms", "Give arms: {name: {…}}")
    names = {arm.name for arm in arms}
    for arm in arms:
        if arm.base is not None and arm.base not in names:
            raise ConfigError(
                f"arm '{arm.name}' is compared with '{arm.base}', which is no arm",
                f"Known: {', '.join(sorted(names))}",
            )
    return arms


def _rules_of_base(settings: Settings) -> RulesInTime:
    """The rules that every arm starts from: ``rules``, with what the base arm says for itself."""
    entry = settings.arms.get(settings.base or "")
    if not entry:
        return RulesInTime.from_mapping(settings.rules)
    _check_entry(str(settings.base), entry)
    own, values = entry.get("rules") or {}, dict(settings.rules)
    if _is_for_another_arm(settings):
        values["half_life"] = own["half_life"]
    rules = RulesInTime.from_mapping(values)
    for switch, value in own.items():
        if switch in values and values[switch] != value:
            log.warning(
                "rules.%s=%s has no effect: the base arm %s says %s; choose another with base=NAME",
                switch, values[switch], settings.base, value,
            )  # fmt: skip
    return rules.change(**own)


def _is_for_another_arm(settings: Settings) -> bool:
    """Whether `rules.half_life=@RUN` meets a base that says its own half-life and keeps it."""
    own = (settings.arms.get(settings.base or "") or {}).get("rules") or {}
    return is_reference(settings.rules.get("half_life")) and "half_life" in own


def _fitted_arm(rules: RulesInTime, settings: Settings) -> list[Arm]:
    """The base with the fitted half-lives, so that the two are compared; a stated one is kept."""
    if not _is_for_another_arm(settings) or FITTED in settings.arms:
        return []
    base = settings.arms[str(settings.base)]
    entry = {key: base[key] for key in ("method", "layers") if key in base}
    switches = {"half_life": settings.rules["half_life"]}
    return [_arm(FITTED, {"group": "decay", **entry, "rules": switches}, rules, settings)]


def _arm(name: str, entry: Mapping[str, Any], rules: RulesInTime, settings: Settings) -> Arm:
    _check_entry(name, entry)
    changed = dict(entry.get("rules") or {})
    against, start = entry.get("base", settings.base), entry.get("start")
    layers = entry.get("layers")
    if start is not None and start not in _STARTS:
        raise ConfigError(
            f"arms.{name}.start={start!r} is no rule set", f"Use {' or '.join(_STARTS)}"
        )
    made = (_STARTS[start] if start else rules).change(**changed)
    about = entry.get("about", "")
    if made.used is not None and is_reference(changed.get("half_life")):
        changed["half_life"] = f"@{made.used.run}#{made.used.model}"  # wherever the run lies
        about = about or f"fitted: {made.used.title}"
    method, memory = entry.get("method", "spread"), entry.get("memory")
    if memory:
        changed["memory"] = dict(memory)
    return Arm.under(
        made,
        name=name,
        method=method,
        group=entry.get("group", "other"),
        base=None if against == name else against,
        layers=settings.layers.use if layers is None else tuple(map(str, layers)),
        changed=changed if start is None else {"start": start, **changed},
        about=about,
        memory=score_of(name, method, memory),
    )


def _check_entry(name: Any, entry: Any) -> None:
    """Refuse an entry of ``arms`` with unknown keys or values of the wrong type."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ConfigError(f"arms: {name!r} is no name", "Give text of one line, in quotes")
    if not isinstance(entry, Mapping):
        raise ConfigError(f"arms.{name}={entry!r} is no group of settings", "Give key: value")
    for key, value in entry.items():
        if key not in _KEYS:
            raise ConfigError(f"unknown key arms.{name}.{key}", f"Known: {', '.join(_KEYS)}")
        wanted, kind = _KINDS.get(key, (str, "text"))
        if value is not None and not isinstance(value, wanted):
            raise ConfigError(f"arms.{name}.{key}={value!r} is not {kind}", "Mend the arm")
