"""All arms of a run, in the order of its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.rules import PARTS, CognitiveRules
from hebb_lab.layers.arms.arm import PLAN_KEYS, SWITCHES, LayerArm, Stack, changed_plan
from hebb_lab.layers.arms.own import known, own_arms
from hebb_lab.layers.arms.standard import BASE, FAMILIES, FULL, SETS, core
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.embedders import chosen_embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.layers.settings import CognitiveSettings, TuningSettings

AUTO = "auto"


def seeder_of(settings: CognitiveSettings, embedder: str | None) -> str:
    """What ``auto`` means where that embedder, or none, is there.

    Args:
        settings: with ``seeder``.
        embedder: ``recall.embedder``.
    """
    if settings.seeder != AUTO:
        return settings.seeder
    return "bm25" if chosen_embedder(embedder) is None else "hybrid"


def stack_of(settings: CognitiveSettings, embedder: str | None) -> Stack:
    """The full stack that a config describes.

    Raises:
        ConfigError: an unknown switch or layer, one named twice, or too many.
    """
    layers = settings.layers
    for layer in layers:
        known("cognitive.layers", layer, PARTS)
    if not layers or len(set(layers)) < len(layers):
        wrong = "names a layer twice" if layers else "names no layer"
        raise ConfigError(
            f"cognitive.layers={list(layers)} {wrong}", f"Name each once: {', '.join(PARTS)}"
        )
    for switch in settings.rules:
        known("cognitive.rules", switch, SWITCHES)
    rules = CognitiveRules.from_mapping(settings.rules)
    return Stack(seeder_of(settings, embedder), layers, rules)


def arms_of(settings: CognitiveSettings, embedder: str | None) -> list[LayerArm]:
    """All arms of a run: the core, the chosen families, and the user's own.

    An arm of the user's may take the place of another, but for base and full, which the tables of
    layers are made of. A set of layers that an arm with
    a name of its own holds is not made a second time.

    Raises:
        ConfigError: an unknown family, key, switch or layer; a base that is no arm.
    """
    stack = stack_of(settings, embedder)
    for name in settings.families:
        FAMILIES[name]
    chosen = [family for family in FAMILIES if family in settings.families]
    found = {arm.name: arm for arm in core(stack)}
    for family in chosen:
        for arm in FAMILIES[family](stack):
            if arm.group != SETS or arm.plan not in _plans(found):
                found.setdefault(arm.name, arm)
    for name in (BASE, FULL):
        if name in settings.arms:
            raise ConfigError(
                f"cognitive.arms.{name}: every layer is compared with the arm of that name",
                "Give the arm another name; cognitive.rules and cognitive.layers change the stack",
            )
    found |= {arm.name: arm for arm in own_arms(settings.arms, stack)}
    for arm in found.values():
        if arm.base is not None:
            known(f"cognitive.arms.{arm.name}.base", arm.base, found)
    return list(found.values())


def _plans(arms: Mapping[str, LayerArm]) -> set[object]:
    """How the arms recall that hold nothing but layers of the stack."""
    return {arm.plan for arm in arms.values() if arm.method == "recall" and not arm.tuned}


def sets_of(arms: Sequence[LayerArm], stack: Stack) -> dict[str, list[str]]:
    """Arm → layers that it holds, one arm for each set of layers under the stack's rules."""
    held: dict[tuple[str, ...], str] = {}
    for arm in arms:
        of_stack = arm.plan == stack.plan(*arm.plan.layers)
        if of_stack and arm.method == "recall" and not arm.tuned:
            held.setdefault(arm.plan.layers, arm.name)
    return {name: list(layers) for layers, name in held.items()}


def check_tuning(settings: TuningSettings) -> None:
    """Refuse a grid or starts that name no setting, or give no values.

    Raises:
        ConfigError: it names the near ones; a number out of its range.
    """
    names = (*SWITCHES, *PLAN_KEYS)
    for name, values in settings.grid.items():
        known("cognitive.tuning.grid", name, names)
        if not isinstance(values, list | tuple) or not values:
            raise ConfigError(
                f"cognitive.tuning.grid.{name}={values!r} is no list of values", "Give some"
            )
        for value in values:
            changed_plan(Plan(), {name: value})
    if not settings.starts:
        raise ConfigError("cognitive.tuning.starts is empty", "Give {start: {}}")
    for start, changes in settings.starts.items():
        if not isinstance(changes, Mapping):
            raise ConfigError(f"cognitive.tuning.starts.{start}={changes!r} is no group", "Give {}")
        for name in changes:
            known(f"cognitive.tuning.starts.{start}", name, names)
        changed_plan(Plan(), changes)
    for name, least in (("rounds", 1), ("folds", 2)):
        if getattr(settings, name) < least:
            raise ConfigError(f"cognitive.tuning.{name} is below {least}", f"Give {least} or more")
