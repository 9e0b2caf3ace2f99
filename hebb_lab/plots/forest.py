"""What each arm changes: its difference to the base with its interval, arm under arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.style import (
    BLUE,
    INK,
    QUIET,
    RULE,
    VERMILION,
    WIDTH,
    canvas,
    few_ticks,
    frame,
    heading,
    plain,
    signed,
    styled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.235
"""Inches an arm."""
RIGHT = 1.45
"""Inches of the two columns of numbers."""
CLIP = 4.0
"""Intervals that reach further than this many times the median one are cut, with an arrow."""
ENDS = {"failed": "failed: see its traceback", "skipped": "skipped: see the notes"}


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
        inert: whether it ranked everything exactly as the base does.
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

    @property
    def colour(self) -> str:
        """Blue for better, vermilion for worse, grey where the difference may be chance."""
        if self.delta is None or self.p is None or self.p >= 0.05:
            return QUIET
        return BLUE if self.delta > 0 else VERMILION


@dataclass(frozen=True)
class _Columns:
    """Where the columns stand, in parts of the axes' width: left edge of group, right of others."""

    group: float
    value: float
    delta: float

    @classmethod
    def beside(cls, width: float, left: float) -> _Columns:
        return cls(-(left - 0.12) / width, 1 + 0.72 / width, 1 + 1.32 / width)


def draw(
    effects: Sequence[Effect],
    base: str,
    base_value: float | None,
    metric: str,
    about: str,
    ax: Axes | None = None,
) -> Figure:
    """Draw one row an arm, by group, the best of a group first, around the zero line.

    Args:
        effects: every arm but the base, groups in the order in which they first come.
        base: the arm they are compared with.
        base_value: its mean.
        metric: the measure, such as ``any@10``.
        about: dataset, task and number of queries, for the heading.
        ax: where to draw; a new figure when absent.
    """
    rows = _rows(effects)
    with styled():
        figure, axes = canvas(1.55 + ROW * max(len(rows), 1), ax)
        left = min(0.5 + 0.083 * max((len(e.arm) for e in effects), default=0), 3.6)
        columns = _Columns.beside(WIDTH - left - RIGHT, left)
        limit = _limits(effects)
        axes.set_xlim(*limit)
        axes.set_ylim(len(rows) - 0.4, -0.7)
        axes.grid(visible=False, axis="y")
        axes.axvline(0, color=INK, linewidth=1.0, zorder=2)
        for place, row in enumerate(rows):
            _row(axes, place, row, limit, columns)
        few_ticks(axes, WIDTH - left - RIGHT)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(f"Δ {metric} to {base}, with its 95 % interval")
        _column_heads(axes, metric, columns)
        if ax is None:
            frame(figure, left=left, right=RIGHT, top=1.0, bottom=0.55)
            level = "" if base_value is None else f" ({plain(base_value)})"
            title = f"What each arm changes: Δ {metric} to the base {base}{level}"
            heading(figure, title, f"{about}\n{_key(effects, limit)}")
        return figure


def _rows(effects: Sequence[Effect]) -> list[Effect | str]:
    """Group names and arms as they are drawn, those without a result last in a group."""
    ordered = sorted(effects, key=lambda e: (e.status != "ok", -(e.delta or 0.0), e.arm))
    rows: list[Effect | str] = []
    for group in dict.fromkeys(effect.group for effect in effects):
        rows.append(group)
        rows.extend(effect for effect in ordered if effect.group == group)
    return rows


def _limits(effects: Sequence[Effect]) -> tuple[float, float]:
    """Range of the axis: floors and ceilings far away must not flatten the rest."""
    ends = [end for effect in effects for end in (effect.interval or ()) if not effect.inert]
    ends += [e.delta for e in effects if e.interval is None and e.delta is not None]
    if not any(ends):
        return -0.01, 0.01
    reach = CLIP * float(np.median(np.abs([end for end in ends if end])))
    low, high = max(min(ends), -reach), min(max(ends), reach)
    room = 0.06 * (max(high, 0) - min(low, 0))
    return min(low, 0.0) - room, max(high, 0.0) + room


def _key(effects: Sequence[Effect], limit: tuple[float, float]) -> str:
    """What the marks mean."""
    key = "filled: p < 0.05 after Holm, blue better, vermilion worse; hollow: may be chance"
    intervals = [effect.interval for effect in effects if effect.interval is not None]
    cut = any(low < limit[0] or high > limit[1] for low, high in intervals)
    return key + ("; arrows: beyond the axis" if cut else "")


def _row(
    ax: Axes, place: int, row: Effect | str, limit: tuple[float, float], columns: _Columns
) -> None:
    if isinstance(row, str):
        return _group(ax, place, row, columns)
    return _arm(ax, place, row, limit, columns)


def _group(ax: Axes, place: int, name: str, columns: _Columns) -> None:
    _text(ax, columns.group, place + 0.08, name, weight="bold")
    ends, across = [columns.group, columns.delta], ax.get_yaxis_transform()
    ax.plot(ends, [place - 0.5] * 2, transform=across, color=RULE, linewidth=0.8, clip_on=False)


def _arm(
    ax: Axes, place: int, effect: Effect, limit: tuple[float, float], columns: _Columns
) -> None:
    name = QUIET if effect.status != "ok" or effect.inert else INK
    _text(ax, -0.02, place, effect.arm, name, size=9.5, ha="right")
    if effect.status != "ok":
        colour = VERMILION if effect.status == "failed" else QUIET
        _say(ax, place, ENDS.get(effect.status, effect.status), colour)
        return
    if effect.inert:
        ax.plot(0, place, marker="x", color=QUIET, markersize=6, zorder=4)
        _say(ax, place, "inert: ranks as the base does", QUIET)
    elif effect.delta is not None:
        _interval(ax, place, effect, limit)
    if effect.value is not None:
        _text(ax, columns.value, place, plain(effect.value), ha="right")
    if effect.delta is not None:
        change = "0" if effect.inert else signed(effect.delta)
        _text(ax, columns.delta, place, change, effect.colour, ha="right")


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


def _interval(ax: Axes, place: int, effect: Effect, limit: tuple[float, float]) -> None:
    low, high = limit
    delta = effect.delta or 0.0
    start, end = effect.interval or (delta, delta)
    # An interval that ends beyond the axis gets an arrow; its number stands at the right.
    colour, shown = effect.colour, [max(start, low), min(end, high)]
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


def _column_heads(ax: Axes, metric: str, columns: _Columns) -> None:
    for x, text in ((columns.value, metric), (columns.delta, "Δ")):
        _text(ax, x, -0.75, text, QUIET, ha="right", va="bottom")


def _text(ax: Axes, x: float, y: float, text: str, colour: str = INK, **style: Any) -> None:
    """Write beside the axes: x in parts of their width, y in rows."""
    how = {"size": 9, "va": "center", "color": colour, **style}
    ax.text(x, y, text, transform=ax.get_yaxis_transform(), **how)
