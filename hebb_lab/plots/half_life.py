"""Recall against the half-life that weights decay with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.plots.style import (
    BLUE,
    FAINT,
    GREEN,
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


@dataclass(frozen=True)
class Level:
    """One arm with fitted half-lives: one a namespace, and perhaps others in each part of the log.

    Args:
        arms: its name, or those of all that have this value.
        value: the measure's mean.
        interval: of the mean.
    """

    arms: str
    value: float
    interval: tuple[float, float]


def draw(
    points: Sequence[Point],
    base: str,
    metric: str,
    about: str,
    ax: Axes | None = None,
    levels: Sequence[Level] = (),
) -> Figure:
    """Draw a measure at every half-life; no decay stands at infinity, behind a gap.

    Fitted half-lives have no single place on the axis: such an arm is a line across, its interval
    a bar at the right edge, beside its name.

    Args:
        points: arms that differ from the base in the half-life only, the base among them.
        base: the arm that every other is compared with; it is ringed.
        metric: the measure, such as ``any@10``.
        about: dataset, task and number of queries, for the heading.
        ax: where to draw; a new figure when absent.
        levels: arms with fitted half-lives that differ from the base in these only.
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
        _scale(axes, x, [*finite, *none], levels)
        _draw_levels(axes, levels)
        axes.set_xlabel("half-life of a pair's weight, days (log scale)")
        axes.set_ylabel(metric)
        if ax is None:
            frame(figure, left=0.85, right=1.6 if levels else 0.35, top=0.92, bottom=0.78)
            names = [point.arm for point in (*finite, *none)]
            note = f"bars: 95 % interval; arms: {names[0]} … {names[-1]}"
            note += "; dotted: fitted half-lives" if levels else ""
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


def _draw_levels(ax: Axes, levels: Sequence[Level]) -> None:
    """A line across for each, and outside of the frame its interval, value and name."""
    ranked = sorted(levels, key=lambda level: level.value)
    low, high = ax.get_ylim()
    texts = [f"{plain(level.value)}\n{level.arms}" for level in ranked]
    sizes = [(text.count("\n") + 1.5) * 0.06 * (high - low) for text in texts]
    heights = _apart([level.value for level in ranked], sizes, high)
    outside = ax.get_yaxis_transform()  # x in parts of the frame, y in the measure
    for place, (level, height) in enumerate(zip(ranked, heights, strict=True)):
        ax.axhline(level.value, color=GREEN, linewidth=1.6, linestyle=(0, (1, 1.2)), zorder=2)
        x = 1.015 + 0.015 * place
        ax.plot(
            [x, x], level.interval, color=GREEN, linewidth=1.8, transform=outside, clip_on=False
        )
        ax.plot(
            x, level.value, marker="D", markersize=5, color=GREEN, transform=outside, clip_on=False
        )
        ax.annotate(
            texts[place],
            (1.03 + 0.015 * len(ranked), height),
            xycoords=outside,
            ha="left",
            va="center",
            size=9,
            color=GREEN,
            annotation_clip=False,
        )


def _apart(values: Sequence[float], sizes: Sequence[float], most: float) -> list[float]:
    """Middles of labels at ascending values, so that none covers the next, all below ``most``.

    >>> _apart([0.1, 0.11, 0.5], [0.1, 0.1, 0.1], 1.0)
    [0.1, 0.2, 0.5]
    """
    middles: list[float] = []
    for place, value in enumerate(values):
        room = (sizes[place - 1] + sizes[place]) / 2
        middles.append(max(value, middles[-1] + room) if middles else value)
    over = max(0.0, middles[-1] + sizes[-1] / 2 - most) if middles else 0.0
    return [middle - over for middle in middles]


def _scale(ax: Axes, x: Sequence[float], points: Sequence[Point], levels: Sequence[Level]) -> None:
    ax.set_xscale("log")
    ax.set_xticks(list(x), ["∞\nno decay" if p.days is None else f"{p.days:g}" for p in points])
    ax.set_xticks([], minor=True)
    ax.set_xlim(min(x) / 1.6, max(x) * 1.6)
    ends = [each.interval for each in points] + [each.interval for each in levels]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    room = max(high - low, 0.02)
    ax.set_ylim(max(0.0, low - 0.25 * room), high + 0.4 * room)
    ax.set_yticks([tick for tick in ax.get_yticks() if tick <= 1])
