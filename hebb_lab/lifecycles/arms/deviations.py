"""Each deviation of the code by itself, on the base arm's rules, where it can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.lifecycles.arms import standard
from hebb_lab.lifecycles.arms.arm import SWITCHES
from hebb_lab.lifecycles.arms.standard import FAMILIES, varied
from hebb_lab.memory.published import deviations

if TYPE_CHECKING:
    from hebb_lab.lifecycles.arms.arm import MemoryArm, Start

SHOWS_IN = {
    "temporal_needs_entity": "temporal", "causal": "causal_walk", "causal_distance": "causal_walk",
    "edge_confidence": "causal_walk", "analogy": "analogical", "revise": "revise_new",
    "revisions_kept": "revise_new", "unflag": "forget_30d_0.1", "fresh_look": "forget_30d_0.1",
}  # fmt: skip
"""Deviation → the arm that it is turned on; all others on the base."""
NOT_ASKED = frozenset({
    "durability", "dangling_edges", "clock_back", "forget_most", "forget_insights",
    "reflect_superseded", "reflect_cursor", "insight_stale", "insights_sorted", "push_keywords",
    "push_scope",
})  # fmt: skip
"""Deviations of what no replay does: their arms cannot differ from the base."""


@FAMILIES.register("switches")
def switches(start: Start) -> list[MemoryArm]:
    """Each deviation, and the arms that those which need another strategy or life are turned on."""
    around = {
        arm.name: arm
        for family in (standard.strategies, standard.revisions, standard.forgetting)
        for arm in family(start)
    }
    made: list[MemoryArm] = []
    for name, changes in deviations().items():
        shown = around.get(SHOWS_IN.get(name, ""))
        if all(getattr(start.rules, key) == value for key, value in changes.items()):
            continue
        said = ", ".join(f"{key}={value}" for key, value in changes.items())
        about = f"this as the code has it: {said}"
        about += "; no replay asks it" if name in NOT_ASKED else ""
        if shown is None:
            made.append(varied(start, f"switch_{name}", "switches", about, dict(changes)))
            continue
        if shown not in made:
            made.append(shown)
        mine = {key: value for key, value in shown.changed.items() if key in SWITCHES}
        made.append(
            varied(start, f"switch_{name}", "switches", about, {**mine, **changes},
                   base=shown.name, strategies=shown.strategies, forgets=shown.forgets,
                   revises=shown.revises)
        )  # fmt: skip
    return made


@FAMILIES.register("tuned")
def tuned(start: Start) -> list[MemoryArm]:
    """Settings that were best on the practice questions that may choose: earlier, or elsewhere."""
    told = {"tuned": "weights", "tuned_fusion": "strategies and fusion"}
    return [
        varied(start, name, "tuned", f"{what} that were best on the practice questions", {},
               tuned=name)
        for name, what in told.items()
    ]  # fmt: skip
