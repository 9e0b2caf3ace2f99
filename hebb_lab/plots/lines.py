"""Curves with bands, a few of them in colour and named beside their ends, the rest grey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.plots.roles import Role, look
from hebb_lab.plots.style import QUIET, spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Curve:
    """One arm's curve, [K] each.

    Args:
        arm: its name.
        x: ranks or tokens, increasing, above 0.
        mean: share of queries or of relevant nodes, in [0, 1].
        low: lower end of the interval.
        high: upper end of the interval.
    """

    arm: str
    x: NDArray[np.float64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def draw_curves(ax: Axes, curves: Sequence[Curve], found: Mapping[str, Role]) -> None:
    """Draw every curve, the others in grey below; bands for the base and the best alone.

    More bands than two would cover each other; the other intervals stand at the cut (``whiskers``).
    """
    for curve in curves:
        role = found.get(curve.arm, "other")
        style = look(curve.arm, role)
        ax.plot(
            curve.x,
            curve.mean,
            color=style.colour,
            linewidth=style.width,
            linestyle=style.dashes,
            zorder=style.order,
            solid_capstyle="round",
        )
        if role in ("base", "best"):
            ax.fill_between(
                curve.x,
                curve.low,
                curve.high,
                color=style.colour,
                alpha=0.18,
                linewidth=0,
                zorder=style.order - 2.5,
            )
    top = max((float(curve.high.max()) for curve in curves), default=1.0)
    ax.set_ylim(0, min(1.0, top * 1.04) if top > 0 else 1.0)
    ax.margins(x=0)


@dataclass(frozen=True)
class End:
    """Where a line ends, and what it is called there.

    Args:
        name: one line or more.
        x: of the last point, in the axis's unit.
        y: of the last point.
        colour: of the name.
        bold: whether the name is brought out.
    """

    name: str
    x: float
    y: float
    colour: str
    bold: bool = False


def name_curves(ax: Axes, curves: Sequence[Curve], found: Mapping[str, Role]) -> None:
    """Write the names of the coloured curves beside their right ends, apart from each other."""
    named = [(curve, found.get(curve.arm, "other")) for curve in curves]
    name_ends(
        ax,
        [
            End(
                label(curve.arm, role),
                float(curve.x[-1]),
                float(curve.mean[-1]),
                look(curve.arm, role).colour,
                bold=role in ("base", "best"),
            )
            for curve, role in named
            if role != "other"
        ],
    )


def name_ends(ax: Axes, ends: Sequence[End], size: float = 10, beside: float = 1.035) -> None:
    """Write names at the right of the axes, as near to the ends of their lines as there is room.

    Call it last: the axes' place, limits and scale must stand.

    Args:
        ax: where the lines are drawn.
        ends: one a line; an end beyond the limits is named at the edge.
        size: of the letters, in points.
        beside: where the names begin, in parts of the axes' width.
    """
    scale = ax.yaxis.get_transform()  # apart on the paper, also where the axis is a log one
    low, high = (float(place) for place in scale.transform(np.asarray(ax.get_ylim())))
    height = ax.get_window_extent().height / ax.figure.dpi * 72  # points
    gap = 1.35 * size / height * (high - low)
    lines = [end.name.count("\n") + 1 for end in ends]  # each line of a name gets a place
    wanted = scale.transform(np.asarray([end.y for end in ends], dtype=np.float64)).clip(low, high)
    places = np.split(spread(np.repeat(wanted, lines).tolist(), gap, low, high), np.cumsum(lines))
    for end, at, own in zip(ends, wanted, places[:-1], strict=True):
        y, place = (float(y) for y in scale.inverted().transform(np.array([at, own.mean()])))
        ax.annotate(
            end.name,
            xy=(end.x, y),
            xytext=(beside, place),
            textcoords=("axes fraction", "data"),
            color=end.colour,
            size=size,
            weight="bold" if end.bold else "normal",
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "relpos": (0, 0.5),
                "color": end.colour,
                "linewidth": 0.7,
                "shrinkA": 1,
                "shrinkB": 0,
                "alpha": 0.7,
            },
        )


def label(arm: str, role: Role) -> str:
    """What is written beside a curve; floors and ceilings do not compete for the best.

    >>> label("chain", "base"), label("base", "base")
    ('chain (base)', 'base')
    """
    if role == arm:
        return arm
    return arm + {"base": " (base)", "best": "\n(best mechanism)"}.get(role, "")


def margin(found: Mapping[str, Role]) -> float:
    """Inches that the names need at the right of the axes."""
    named = [label(arm, role) for arm, role in found.items() if role != "other"]
    longest = max((len(line) for name in named for line in name.split("\n")), default=0)
    return min(0.45 + 0.094 * longest, 3.2)


def whiskers(ax: Axes, curves: Sequence[Curve], found: Mapping[str, Role], x: float) -> None:
    """Intervals of the floors and the ceiling at the cut, side by side."""
    plain = [c for c in curves if found.get(c.arm) in ("floor", "ceiling") and x in c.x]
    for number, curve in enumerate(plain):
        at = int(np.flatnonzero(curve.x == x)[0])
        beside = x * 1.024 ** (number - (len(plain) - 1) / 2)
        colour = look(curve.arm, found[curve.arm]).colour
        ends = [curve.low[at], curve.high[at]]
        ax.plot([beside] * 2, ends, color=colour, linewidth=1.6, zorder=4, alpha=0.85)


def log_ticks(first: float, last: float) -> list[float]:
    """1, 2 and 5 times powers of ten between two ends, and the last end where there is room.

    >>> log_ticks(1, 50), log_ticks(8, 95), log_ticks(1, 17)
    ([1, 2, 5, 10, 20, 50], [10, 20, 50, 95], [1, 2, 5, 10, 17])
    """
    steps = [step * 10**power for power in range(9) for step in (1, 2, 5)]
    ticks: list[float] = [tick for tick in steps if first <= tick <= last]
    if not ticks or np.log(last / ticks[-1]) > 0.13 * np.log(last / first):
        ticks.append(round(last))
    return ticks


def mark_cut(ax: Axes, x: float, text: str) -> None:
    """A thin line at the cut that the leaderboard's number belongs to."""
    from matplotlib.patheffects import withStroke

    ax.axvline(x, color=QUIET, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
    before = x * 2 > ax.get_xlim()[1]  # beside the line, on the side where there is room
    ax.annotate(
        text,
        xy=(x, 0),
        xycoords=("data", "axes fraction"),
        xytext=(-4 if before else 4, 4),
        textcoords="offset points",
        ha="right" if before else "left",
        va="bottom",
        size=8.5,
        color=QUIET,
        zorder=6,
        path_effects=[withStroke(linewidth=3, foreground="white")],  # low curves pass here
    )


def note(curves: Sequence[Curve], found: Mapping[str, Role], bars: bool) -> str:
    """What the bands and the grey lines are."""
    others = sum(found.get(curve.arm, "other") == "other" for curve in curves)
    banded = any((curve.high > curve.low).any() for curve in curves)
    shown = "bands and bars" if bars else "bands"
    bands = f"{shown}: 95 % interval" if banded else "no bands: one cluster"
    last = max((float(curve.x[-1]) for curve in curves), default=0.0)
    ended = any(curve.x[-1] < last and found.get(curve.arm, "other") != "other" for curve in curves)
    return "; ".join(
        [
            bands,
            *([f"grey: {others} other arm{'s' * (others > 1)}"] if others else []),
            *(["a curve ends where its lists do"] if ended else []),
        ]
    )
