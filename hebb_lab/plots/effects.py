"""Effects around a zero line, row under row: what a forest figure is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.style import BLUE, INK, QUIET, RULE, VERMILION, few_ticks, plain, signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

CLIP = 4.0
"""Intervals that reach further than this many times the median one are cut, with an arrow."""
SAID = {
    "failed": "failed: see its traceback",
    "skipped": "skipped: see the notes",
    "inert": "inert: ranks as the base does",
}


@dataclass(frozen=True)
class Effect:
    """One arm against the base.

    Args:
        arm: its name.
        group: what kind of change it is.
        value: the measure's mean; None where it gave no result.
        delta: value − the base's; None where it gave no result.
        interval: of delta; None where there is none.
        p: after Holm's correction; None where it was not tested.
        inert: whether it equals the base everywhere.
        status: ``ok``, ``failed`` or ``skipped``.
    """

    arm: str
    group: str
    value: float | None = None
    delta: float | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    inert: bool = False
    status: str = "ok"


@dataclass(frozen=True)
class Reading:
    """How effects are to be read.

    Args:
        level: of their intervals, in percent.
        lower_is_better: whether the measure is a loss.
        by_interval: whether an effect is told from chance by its interval, which then must leave
            zero out, and not by its p, which else must be below 0.05.
        decimals: of the numbers.
        said: what stands in the row of an arm that is ``failed``, ``skipped`` or ``inert``.
        clip: intervals that reach further than this many times the median one are cut.
    """

    level: int = 95
    lower_is_better: bool = False
    by_interval: bool = False
    decimals: int = 3
    said: Mapping[str, str] = field(default_factory=lambda: SAID)
    clip: float = CLIP

    def colour(self, effect: Effect) -> str:
        """Blue for better, vermilion for worse, grey where the difference may be chance."""
        if effect.delta is None or not self._told_from_chance(effect):
            return QUIET
        return BLUE if (effect.delta < 0) == self.lower_is_better else VERMILION

    def _told_from_chance(self, effect: Effect) -> bool:
        if self.by_interval:
            return effect.interval is not None and not effect.interval[0] <= 0 <= effect.interval[1]
        return effect.p is not None and effect.p < 0.05


@dataclass(frozen=True)
class Columns:
    """Where the columns stand, in parts of the axes' width: left edge of group, right of others.

    Args:
        group: where the names of groups begin.
        value: where the values end; None for no such column.
        delta: where the differences end.
        named: whether arms and groups are named here.
    """

    group: float
    value: float | None
    delta: float
    named: bool = True


def in_rows(effects: Sequence[Effect], reading: Reading) -> list[Effect | str]:
    """Group names and arms as they are drawn: the best of a group first, the failed last."""
    sign = 1 if reading.lower_is_better else -1
    ordered = sorted(effects, key=lambda e: (e.status != "ok", sign * (e.delta or 0.0), e.arm))
    rows: list[Effect | str] = []
    for group in dict.fromkeys(effect.group for effect in effects):
        rows.append(group)
        rows.extend(effect for effect in ordered if effect.group == group)
    return rows


def draw_rows(
    ax: Axes,
    rows: Sequence[Effect | str],
    reading: Reading,
    columns: Columns,
    heads: tuple[str, str],
    inches: float,
) -> None:
    """Draw groups and effects from top to bottom, numbers beside them, ticks below.

    Args:
        ax: where to draw.
        rows: as ``in_rows`` gives them.
        reading: how they are to be read.
        columns: where names and numbers stand.
        heads: what stands above the values and above the differences.
        inches: width of the axes.
    """
    limit = limits([row for row in rows if isinstance(row, Effect)], reading.clip)
    ax.set_xlim(*limit)
    ax.set_ylim(len(rows) - 0.4, -0.7)
    ax.grid(visible=False, axis="y")
    ax.axvline(0, color=INK, linewidth=1.0, zorder=2)
    for place, row in enumerate(rows):
        if isinstance(row, str):
            _group(ax, place, row, columns)
        else:
            _arm(ax, place, row, reading, columns)
    few_ticks(ax, inches)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    for x, text in zip((columns.value, columns.delta), heads, strict=True):
        if x is not None:
            _text(ax, x, -0.75, text, QUIET, ha="right", va="bottom")


def limits(effects: Sequence[Effect], clip: float = CLIP) -> tuple[float, float]:
    """Range of the axis: floors and ceilings far away must not flatten the rest."""
    ends = [end for effect in effects for end in (effect.interval or ()) if not effect.inert]
    ends += [e.delta for e in effects if e.interval is None and e.delta is not None]
    if not any(ends):
        return -0.01, 0.01
    reach = clip * float(np.median(np.abs([end for end in ends if end])))
    low, high = max(min(ends), -reach), min(max(ends), reach)
    room = 0.06 * (max(high, 0) - min(low, 0))
    return min(low, 0.0) - room, max(high, 0.0) + room


def are_cut(effects: Sequence[Effect]) -> bool:
    """Whether an interval reaches beyond the axis that ``limits`` gives."""
    least, most = limits(effects)
    intervals = [effect.interval for effect in effects if effect.interval is not None]
    return any(low < least or high > most for low, high in intervals)


def _group(ax: Axes, place: int, name: str, columns: Columns) -> None:
    if columns.named:
        _text(ax, columns.group, place + 0.08, name, weight="bold")
    ends, across = [columns.group, columns.delta], ax.get_yaxis_transform()
    ax.plot(ends, [place - 0.5] * 2, transform=across, color=RULE, linewidth=0.8, clip_on=False)


def _arm(ax: Axes, place: int, effect: Effect, reading: Reading, columns: Columns) -> None:
    if columns.named:
        name = QUIET if effect.status != "ok" or effect.inert else INK
        _text(ax, -0.02, place, effect.arm, name, size=9.5, ha="right")
    if effect.status != "ok":
        colour = VERMILION if effect.status == "failed" else QUIET
        _say(ax, place, reading.said.get(effect.status, effect.status), colour)
        return
    if effect.inert:
        ax.plot(0, place, marker="x", color=QUIET, markersize=6, zorder=4)
        _say(ax, place, reading.said["inert"], QUIET)
    elif effect.delta is not None:
        _interval(ax, place, effect, reading.colour(effect))
    if effect.value is not None and columns.value is not None:
        _text(ax, columns.value, place, plain(effect.value, reading.decimals), ha="right")
    if effect.delta is not None:
        change = "0" if effect.inert else signed(effect.delta, reading.decimals)
        _text(ax, columns.delta, place, change, reading.colour(effect), ha="right")


def _say(ax: Axes, place: int, text: str, colour: str) -> None:
    # On whichever side of the zero line there is more room.
    low, high = ax.get_xlim()
    right = high > -low
    ax.annotate(
        text,
        (0, place),
        xytext=(9 if right else -9, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        size=8.5,
        style="italic",
        color=colour,
    )


def _interval(ax: Axes, place: int, effect: Effect, colour: str) -> None:
    low, high = ax.get_xlim()
    delta = effect.delta or 0.0
    start, end = effect.interval or (delta, delta)
    # An interval that ends beyond the axis gets an arrow; its number stands at the right.
    shown = [max(start, low), min(end, high)]
    ax.plot(
        shown,
        [place] * 2,
        color=colour,
        linewidth=2.0,
        zorder=3,
        solid_capstyle="butt",
    )
    for cut, edge, marker in ((start < low, low, "<"), (end > high, high, ">")):
        if cut:
            ax.plot(edge, place, marker=marker, color=colour, markersize=6, clip_on=False, zorder=4)
    if low <= delta <= high:
        face = "white" if colour == QUIET else colour
        ax.plot(
            delta,
            place,
            marker="o",
            markersize=6,
            markerfacecolor=face,
            markeredgecolor=colour,
            markeredgewidth=1.4,
            zorder=5,
        )


def _text(ax: Axes, x: float, y: float, text: str, colour: str = INK, **style: Any) -> None:
    """Write beside the axes: x in parts of their width, y in rows."""
    how = {"size": 9, "va": "center", "color": colour, **style}
    ax.text(x, y, text, transform=ax.get_yaxis_transform(), **how)
