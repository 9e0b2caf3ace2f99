"""Which arms a figure speaks of: the floors, the base, the best and the ceiling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hebb_lab.plots.style import (
    AMBER,
    BLACK,
    BLUE,
    BROWN,
    FAINT,
    GREEN,
    INDIGO,
    PURPLE,
    QUIET,
    SKY,
    VERMILION,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Role = Literal["floor", "base", "best", "ceiling", "other"]

_FLOOR_COLOURS = {
    "random": QUIET, "popularity": PURPLE, "recency": AMBER, "bm25": GREEN, "dense": SKY,
    "pagerank": BROWN, "bm25_dense": INDIGO, "bm25_dense_rrf": INDIGO,
}  # fmt: skip


@dataclass(frozen=True)
class Look:
    """How a line of a role is drawn."""

    colour: str
    width: float
    dashes: str
    order: int


def roles(groups: Mapping[str, str], values: Mapping[str, float], base: str) -> dict[str, Role]:
    """What each arm is to the reader.

    Args:
        groups: arm → its group; ``floor`` and ``ceiling`` (or their plurals) say what it is.
        values: arm → headline value, of the arms that have one; the best is sought among those
            that are neither floor nor ceiling.
        base: the arm that every other is compared with.

    >>> roles({"bm25": "floor", "a": "x", "b": "x"}, {"bm25": 0.3, "a": 0.4, "b": 0.5}, "a")
    {'bm25': 'floor', 'a': 'base', 'b': 'best'}
    """
    found: dict[str, Role] = {arm: _at_first(arm, group) for arm, group in groups.items()}
    rivals = [arm for arm, role in found.items() if role == "other" and arm in values]
    if rivals:
        # max keeps the first of equals, and an inert twin of the base comes no earlier than it.
        best = max([base, *rivals] if base in rivals else rivals, key=lambda arm: values[arm])
        found[best] = "best"
    if base in found:
        found[base] = "base"
    return found


def _at_first(arm: str, group: str) -> Role:
    """Floor, ceiling or other; an oracle is a ceiling, also among the floors."""
    name = group.removesuffix("s")
    if name == "ceiling" or arm.startswith("oracle"):
        return "ceiling"
    return "floor" if name == "floor" else "other"


def look(arm: str, role: Role) -> Look:
    """Colour and stroke of an arm."""
    if role == "floor":
        return Look(_FLOOR_COLOURS.get(arm, QUIET), 1.5, "--", 3)
    return {
        "base": Look(BLUE, 2.6, "-", 5),
        "best": Look(VERMILION, 2.6, "-", 6),
        "ceiling": Look(BLACK, 1.5, ":", 4),
        "other": Look(FAINT, 0.8, "-", 2),
    }[role]


def highlighted(found: Mapping[str, Role]) -> Sequence[str]:
    """The arms that a reader should find at once, in the order of the run."""
    return [arm for arm, role in found.items() if role != "other"]
