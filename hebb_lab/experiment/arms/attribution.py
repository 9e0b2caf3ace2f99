"""Arms of sets of parts, for methods that give parts their credit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.attribution import needed_sets
from hebb_lab.experiment.arms.arm import Arm

if TYPE_CHECKING:
    from hebb_lab.experiment.arms.in_time import RulesInTime
    from hebb_lab.experiment.settings import AttributionSettings

_SHAPES = ("leave_one_out", "ladder", "shapley")
MAX_PARTS = 8


def attribution_arms(
    settings: AttributionSettings, rules: RulesInTime, layers: tuple[str, ...]
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
    empty: RulesInTime,
    layers: tuple[str, ...],
) -> Arm:
    """The arm that has a set of parts on."""
    on = tuple(part for part in parts if part in chosen)
    changed = {key: value for part in on for key, value in settings.parts[part].items()}
    return Arm.under(
        empty.change(**changed),
        name=set_name(on),
        method="spread",
        group="attribution",
        base=None if not on else set_name(()),
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
