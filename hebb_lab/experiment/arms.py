"""Arms of an ablation: a method, a rule set, and the arm it is compared with."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.attribution import needed_sets
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED, SynapseRules

if TYPE_CHECKING:
    from hebb_lab.experiment.settings import AttributionSettings, Settings

log = logging.getLogger(__name__)
_KEYS = ("method", "group", "base", "start", "layers", "rules", "about")
_KINDS = {"rules": (Mapping, "switches"), "layers": (list, "a list of layers")}
_STARTS = {"documented": DOCUMENTED, "observed": OBSERVED}
_SHAPES = ("leave_one_out", "ladder", "shapley")
MAX_PARTS = 8


@dataclass(frozen=True)
class Arm:
    """One arm.

    Args:
        name: as the leaderboard shows it.
        method: how it ranks, a name of METHODS.
        group: the kind of change, for the figures.
        base: the arm it is compared with; None for the base itself.
        rules: the whole rule set that it runs under.
        layers: the graph layers that it walks, names of LAYERS.
        changed: the switches in which it differs from the base's rules.
        about: one line for the leaderboard's legend.
        parts: for attribution: the parts that are on.
    """

    name: str
    method: str
    group: str
    base: str | None
    rules: SynapseRules
    layers: tuple[str, ...] = ("synapse",)
    changed: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    parts: tuple[str, ...] | None = None

    def config_id(self) -> str:
        """Hash of what the arm does, whatever its name."""
        text = json.dumps([self.method, self.layers, asdict(self.rules)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def parameters(self) -> dict[str, Any]:
        """The resolved arm, for result.json; ``half_life_days`` null where nothing decays."""
        fixed = self.rules.half_life == "fixed"
        return {
            "method": self.method,
            "layers": list(self.layers),
            **asdict(self.rules),
            "half_life_days": self.rules.half_life_personal_days if fixed else None,
        }


def arms_of(settings: Settings) -> list[Arm]:
    """All arms of a run, the base first among those that are compared with it.

    Raises:
        ConfigError: an unknown key or switch, a base that is no arm.
    """
    base_rules = _rules_of_base(settings)
    arms = [_arm(name, entry or {}, base_rules, settings) for name, entry in settings.arms.items()]
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


def _rules_of_base(settings: Settings) -> SynapseRules:
    """The rules that every arm starts from: ``rules``, with what the base arm says for itself."""
    rules = SynapseRules.from_mapping(settings.rules)
    entry = settings.arms.get(settings.base or "")
    if not entry:
        return rules
    _check_entry(str(settings.base), entry)
    own = entry.get("rules") or {}
    for switch, value in own.items():
        if switch in settings.rules and settings.rules[switch] != value:
            log.warning(
                "rules.%s=%s has no effect: the base arm %s says %s; choose another with base=NAME",
                switch, settings.rules[switch], settings.base, value,
            )  # fmt: skip
    return rules.change(**own)


def _arm(name: str, entry: Mapping[str, Any], rules: SynapseRules, settings: Settings) -> Arm:
    _check_entry(name, entry)
    changed = dict(entry.get("rules") or {})
    against, start = entry.get("base", settings.base), entry.get("start")
    layers = entry.get("layers")
    if start is not None and start not in _STARTS:
        raise ConfigError(
            f"arms.{name}.start={start!r} is no rule set", f"Use {' or '.join(_STARTS)}"
        )
    return Arm(
        name=name,
        method=entry.get("method", "spread"),
        group=entry.get("group", "other"),
        base=None if against == name else against,
        rules=(_STARTS[start] if start else rules).change(**changed),
        layers=settings.layers.use if layers is None else tuple(map(str, layers)),
        changed=changed if start is None else {"start": start, **changed},
        about=entry.get("about", ""),
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


def attribution_arms(
    settings: AttributionSettings, rules: SynapseRules, layers: tuple[str, ...]
) -> list[Arm]:
    """One arm for each set of parts that the method needs; compared with the empty set.

    Raises:
        ConfigError: an unknown method or part, or too many parts for all 2^k sets.
    """
    if settings.kind == "none":
        return []
    parts = _checked_parts(settings)
    empty = rules.change(**settings.without)
    sets = dict.fromkeys([frozenset(), *needed_sets(settings.kind, tuple(parts))])
    return [_arm_of_set(settings, parts, chosen, empty, layers) for chosen in sets]


def _checked_parts(settings: AttributionSettings) -> list[str]:
    """The parts in use, in their order."""
    if settings.kind not in _SHAPES:
        raise ConfigError(
            f"unknown attribution.kind '{settings.kind}'", f"Use none, {', '.join(_SHAPES)}"
        )
    parts = list(dict.fromkeys(settings.use or settings.parts))
    unknown = [part for part in parts if part not in settings.parts]
    if unknown or not parts:
        raise ConfigError(
            f"attribution.use names no such part: {', '.join(unknown) or 'nothing'}",
            f"Known: {', '.join(settings.parts)}",
        )
    if len(parts) > MAX_PARTS:
        raise ConfigError(
            f"{len(parts)} parts make {2 ** len(parts):,} sets", f"Choose at most {MAX_PARTS}"
        )
    for part, switches in settings.parts.items():
        if not isinstance(switches, Mapping):
            raise ConfigError(f"attribution.parts.{part}={switches!r} is not switches", "Mend it")
    return parts


def _arm_of_set(
    settings: AttributionSettings,
    parts: list[str],
    chosen: frozenset[str],
    empty: SynapseRules,
    layers: tuple[str, ...],
) -> Arm:
    """The arm that has a set of parts on."""
    on = tuple(part for part in parts if part in chosen)
    changed = {key: value for part in on for key, value in settings.parts[part].items()}
    return Arm(
        name=set_name(on),
        method="spread",
        group="attribution",
        base=None if not on else set_name(()),
        rules=empty.change(**changed),
        layers=layers,
        changed={**settings.without, **changed},
        about="a set of parts",
        parts=on,
    )


def set_name(parts: tuple[str, ...]) -> str:
    """The arm's name of a set of parts.

    >>> set_name(("decay", "second_hop")), set_name(())
    ('with decay+second_hop', 'with no part')
    """
    return "with " + ("+".join(parts) or "no part")
