"""Recall against the half-life that weights decay with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.plots.style import (
    BLUE,
    FAINT,
    INK,
    QUIET,
    VERMILION,
    canvas,
    frame,
    heading,
    plain,
    styled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Point:
    """One arm.

    Args:
        arm: its name.
        days: its half-life in days; None for no decay.
        value: the measure's mean.
        interval: of the mean.
    """

    arm: str
    days: float | None
    value: float
    interval: tuple[float, float]


def draw(
    points: Sequence[Point],
    base: str,
    metric: str,
    about: str,
    ax: Axes | None = None,
) -> Figure:
    """Draw a measure at every half-life; no decay stands at infinity, behind a gap.

    Args:
        points: arms that differ from the base in the half-life only, the base among them.
        base: the arm that every other is compared with; it is ringed.
        metric: the measure, such as ``any@10``.
        about: dataset, task and number of queries, for the heading.
        ax: where to draw; a new figure when absent.
    """
    finite = sorted((p for p in points if p.days is not None), key=lambda p: p.days or 0.0)
    none = [p for p in points if p.days is None]
    with styled():
        figure, axes = canvas(4.2, ax)
        x = _places(finite, none)
        _draw_line(axes, x[: len(finite)], finite)
        for place, point in zip(x, [*finite, *none], strict=True):
            _draw_point(axes, place, point, base)
        for point in none:
            axes.axhline(point.value, color=QUIET, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
            axes.axhspan(*point.interval, color=FAINT, alpha=0.22, linewidth=0, zorder=0)
        _scale(axes, x, finite, none)
        axes.set_xlabel("half-life of a pair's weight, days (log scale)")
        axes.set_ylabel(metric)
        if ax is None:
            frame(figure, left=0.85, right=0.35, top=0.92, bottom=0.78)
            names = [point.arm for point in (*finite, *none)]
            note = f"bars: 95 % interval; arms: {names[0]} … {names[-1]}"
            heading(figure, f"How fast should it forget? {metric} by half-life", f"{about}\n{note}")
        return figure


def _places(finite: Sequence[Point], none: Sequence[Point]) -> list[float]:
    """Where each point stands: the days, and for no decay as far right again as the longest gap."""
    days = [float(p.days or 0.0) for p in finite]
    last = days[-1] if days else 1.0
    ratios = [b / a for a, b in pairwise(days)] or [3.0]
    return days + [last * max(3.0, float(np.median(ratios)))] * len(none)


def _draw_line(ax: Axes, x: Sequence[float], finite: Sequence[Point]) -> None:
    ax.plot(x, [p.value for p in finite], color=BLUE, linewidth=2.0, zorder=3)


def _draw_point(ax: Axes, x: float, point: Point, base: str) -> None:
    colour = QUIET if point.days is None else BLUE
    ax.plot([x, x], point.interval, color=colour, linewidth=1.8, zorder=3)
    ax.plot(x, point.value, marker="o", markersize=7, color=colour, zorder=5)
    bold = point.arm == base
    if bold:
        ax.plot(
            x,
            point.value,
            marker="o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor=VERMILION,
            markeredgewidth=1.6,
            zorder=4,
        )
    from matplotlib.patheffects import withStroke

    text = plain(point.value) + ("\nbase" if bold else "")
    ax.annotate(
        text,
        (x, point.interval[1]),
        xytext=(0, 4),
        textcoords="offset points",
        ha="center",
        va="bottom",
        size=9,
        color=VERMILION if bold else INK,
        path_effects=[withStroke(linewidth=3, foreground="white")],  # the line of no decay passes
    )


def _scale(ax: Axes, x: Sequence[float], finite: Sequence[Point], none: Sequence[Point]) -> None:
    ax.set_xscale("log")
    names = [f"{p.days:g}" for p in finite] + ["∞\nno decay"] * len(none)
    ax.set_xticks(list(x), names)
    ax.set_xticks([], minor=True)
    ax.set_xlim(min(x) / 1.6, max(x) * 1.6)
    low = min(p.interval[0] for p in (*finite, *none))
    high = max(p.interval[1] for p in (*finite, *none))
    room = max(high - low, 0.02)
    ax.set_ylim(max(0.0, low - 0.25 * room), high + 0.4 * room)
    ax.set_yticks([tick for tick in ax.get_yticks() if tick <= 1])
