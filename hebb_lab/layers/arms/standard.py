"""The groups of arms that a layers experiment has by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hebb_lab.evaluation.attribution import all_sets
from hebb_lab.evaluation.leaderboard.board import UNLISTED
from hebb_lab.experiment.arms.attribution import set_name
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED, deviations
from hebb_lab.graph.cognitive.rules import NULLS
from hebb_lab.layers.arms.arm import LayerArm, Stack
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.recall.cognitive.plan import Plan

CODE_DIRECT = "observed_direct"
BASE, FULL, PAGE, CODE = "base", "full", "documented", "observed"
PAGE_PHASES = f"{PAGE}_phases"
SCORED_IN_PHASES = frozenset({"arousal_slows_decay"})
"""Switches that act in the six-phase scorer alone."""
SETS = UNLISTED
"""Group of the arms that are not listed one by one: sets of layers, for the Shapley values."""

FAMILIES: Registry[Callable[[Stack], list[LayerArm]]] = Registry("family of arms")
"""name → the arms of a group, around a stack. The groups stand in this order in all tables."""


def added(layer: str) -> str:
    """Name of the arm that adds one layer to the base."""
    return f"add_{layer}"


def without(layer: str) -> str:
    """Name of the arm that takes one layer from the full stack."""
    return f"without_{layer}"


def core(stack: Stack) -> list[LayerArm]:
    """Direct search alone, and the full stack: every run has them."""
    return [
        LayerArm(BASE, "stack", None, stack.plan(), about=f"direct search alone: {stack.seeder}"),
        LayerArm(FULL, "stack", BASE, stack.full(), about="direct search and all layers"),
    ]


@FAMILIES.register("floors")
def floors(stack: Stack) -> list[LayerArm]:
    """Orders that know nothing, and each direct search by itself."""
    blind = {
        "random": "a random order of the known memories",
        "recency": "written last",
    }
    direct = {
        "bm25": "words",
        "bm25_flat": "words; repetitions and length count little",
        "dense": "embeddings; needs recall.embedder",
        "hybrid": "z-scores of both, half and half",
        "hybrid_flat": "the same with the words of bm25_flat",
        "hybrid_rrf": "reciprocal rank fusion of both",
    }
    return [
        *(
            LayerArm(name, "floors", BASE, stack.plan(), method=name, about=about)
            for name, about in blind.items()
        ),
        *(
            LayerArm(name, "floors", BASE, stack.plan(seeder=name), about=about,
                     changed={"seeder": name})
            for name, about in direct.items()
        ),
    ]  # fmt: skip


@FAMILIES.register("add")
def add(stack: Stack) -> list[LayerArm]:
    """Each layer added to the base."""
    return [
        LayerArm(added(layer), "add", BASE, stack.plan(layer), changed={"layers": [layer]},
                 about=f"base and {layer}")
        for layer in stack.layers
    ]  # fmt: skip


@FAMILIES.register("remove")
def remove(stack: Stack) -> list[LayerArm]:
    """Each layer removed from the full stack."""
    rest = {layer: [other for other in stack.layers if other != layer] for layer in stack.layers}
    return [
        LayerArm(without(layer), "remove", FULL, stack.plan(*others), changed={"layers": others},
                 about=f"full without {layer}")
        for layer, others in rest.items()
    ]  # fmt: skip


@FAMILIES.register("systems")
def systems(stack: Stack) -> list[LayerArm]:
    """The full stack by the page's rules, by the page's without its gate, and by the code's.

    The code also fuses words later, so its direct search alone stands beside it.
    """
    told = {
        PAGE: (DOCUMENTED, "all layers by the page"),
        "ungated": (DOCUMENTED.change(gate="none"), "the page's rules without the gate"),
        CODE: (OBSERVED, "all by the code"),
    }
    made = [
        LayerArm(name, "systems", BASE, stack.full(rules=rules), changed={"start": name},
                 about=about)
        for name, (rules, about) in told.items()
    ]  # fmt: skip
    direct = LayerArm(
        CODE_DIRECT, "systems", CODE, stack.plan(rules=OBSERVED),
        changed={"start": CODE, "layers": []}, about="direct search alone as the code has it",
    )  # fmt: skip
    return [*made, direct]


@FAMILIES.register("switches")
def switches(stack: Stack) -> list[LayerArm]:
    """Each deviation of the code by itself, on the full stack by the page's rules.

    One that acts in the six-phase scorer alone is turned where scoring is in phases, on the arm
    `PAGE_PHASES`, so that it can show.
    """
    phases = {"scoring": "phases"}
    page = LayerArm(PAGE, "systems", BASE, stack.full(rules=DOCUMENTED), changed={"start": PAGE},
                    about="all layers by the page")  # fmt: skip
    scored = LayerArm(PAGE_PHASES, "surroundings", PAGE, stack.full(rules=DOCUMENTED, **phases),
                      changed={"start": PAGE, **phases},
                      about="all layers by the page, scored in six phases")  # fmt: skip

    def turned(name: str, changes: Mapping[str, Any]) -> LayerArm:
        in_phases = name in SCORED_IN_PHASES
        rules, about = DOCUMENTED.change(**changes), "scored in six phases, " * in_phases
        return LayerArm(
            f"switch_{name}", "switches", PAGE_PHASES if in_phases else PAGE,
            stack.full(rules=rules, **(phases if in_phases else {})), changed=changes,
            about=f"the page's rules, {about}this as the code has it: {_said(changes)}",
        )  # fmt: skip

    return [page, scored, *(turned(name, changes) for name, changes in deviations().items())]


@FAMILIES.register("nulls")
def nulls(stack: Stack) -> list[LayerArm]:
    """The full stack with one layer's knowledge shuffled, made constant, or emptied."""
    made = []
    for layer in stack.layers:
        for kind in NULLS:
            rules = stack.rules.change(nulls=(f"{layer}={kind}",))
            made.append(
                LayerArm(f"{layer}_{kind}", "nulls", FULL, stack.full(rules=rules),
                         changed={"nulls": [f"{layer}={kind}"]}, about=f"full with {layer} {kind}")
            )  # fmt: skip
    return made


@FAMILIES.register("surroundings")
def surroundings(stack: Stack) -> list[LayerArm]:
    """What surrounds the graph: scoring in phases, importance, profiles, habituation."""
    phases: dict[str, Any] = {"scoring": "phases"}

    def arm(name: str, base: str, about: str, plan: Plan, changed: Mapping[str, Any]) -> LayerArm:
        return LayerArm(name, "surroundings", base, plan, changed=changed, about=about)

    surprise, own = {**phases, "importance": "surprise"}, {**phases, "profile": "own"}
    tired = {"habituation": True}
    return [
        arm("base_phases", BASE, "direct search, scored in six phases", stack.plan(**phases),
            phases),
        arm("phases", FULL, "full, scored in six phases", stack.full(**phases), phases),
        arm("surprise", "phases", "phases; importance by surprise where none is given",
            stack.full(**surprise), surprise),
        arm("profiles", "phases", "phases; each query by its own profile", stack.full(**own), own),
        arm("habituation", FULL, "full; what was given before is held back", stack.full(**tired),
            tired),
    ]  # fmt: skip


@FAMILIES.register("sets")
def sets(stack: Stack) -> list[LayerArm]:
    """All sets of layers that no other family holds: with them, all 2^k are there."""
    every = [[layer for layer in stack.layers if layer in held] for held in all_sets(stack.layers)]
    return [
        LayerArm(set_name(tuple(held)), SETS, None, stack.plan(*held), changed={"layers": held},
                 about="a set of layers")
        for held in every
    ]  # fmt: skip


@FAMILIES.register("tuned")
def tuned(stack: Stack) -> list[LayerArm]:
    """The full stack by the rules that were best on the other scopes, and without each layer."""
    about = "all layers by the rules that were best on the other scopes"
    rest = {layer: [other for other in stack.layers if other != layer] for layer in stack.layers}
    return [
        LayerArm("tuned", "tuned", BASE, stack.full(), about=about, tuned=True),
        LayerArm("tuned_from_start", "tuned", BASE, stack.full(), tuned=True, first_start=True,
                 about="the same, searched from the stack's own rules alone"),
        *(
            LayerArm(f"tuned_{without(layer)}", "tuned_remove", "tuned", stack.plan(*others),
                     changed={"layers": others}, about=f"tuned without {layer}", tuned=True)
            for layer, others in rest.items()
        ),
    ]  # fmt: skip


def _said(changes: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in changes.items())
