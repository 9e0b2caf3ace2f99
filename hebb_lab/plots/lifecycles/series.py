"""Named lines over days or memories: colours, ends and limits that its figures share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.plots.lines import End
from hebb_lab.plots.style import (
    AMBER,
    BLACK,
    BLUE,
    BROWN,
    GREEN,
    INDIGO,
    PURPLE,
    SKY,
    VERMILION,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

COLOURS = (BLUE, VERMILION, GREEN, AMBER, PURPLE, INDIGO, SKY, BROWN)
"""So many lines are told apart by colour; more repeat them dashed."""


@dataclass(frozen=True)
class Series:
    """One line.

    Args:
        name: what stands at its end.
        x: [K] ascending.
        y: [K], NaN where it is not known.
        low, high: [K] ends of the interval, or None.
    """

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None


def draw_series(
    ax: Axes, lines: Sequence[Series], base: str | None, *, marks: bool = True
) -> list[End]:
    """Draw the lines, the base thick and black with its band; where each ends.

    Args:
        ax: where to draw.
        lines: in the order of colours.
        base: the name of the line that the others are read against.
        marks: whether points are marked.
    """
    ends, others = [], [line.name for line in lines if line.name != base]
    for line in lines:
        place = others.index(line.name) if line.name != base else -1
        colour = BLACK if place < 0 else COLOURS[place % len(COLOURS)]
        dashes = "--" if place >= len(COLOURS) else "-"
        ax.plot(line.x, line.y, color=colour, linestyle=dashes, zorder=3.5 if place < 0 else 3,
                linewidth=2.4 if place < 0 else 1.5, marker="o" if marks else None,
                markersize=4)  # fmt: skip
        if place < 0 and line.low is not None and line.high is not None:
            ax.fill_between(line.x, line.low, line.high, color=colour, alpha=0.12, linewidth=0)
        known = np.flatnonzero(np.isfinite(line.y))
        if len(known):
            last = known[-1]
            ends.append(
                End(line.name, float(line.x[last]), float(line.y[last]), colour, bold=place < 0)
            )
    return ends


def room(names: Sequence[str]) -> float:
    """Inches that names need at the right of the axes.

    >>> room(["off"]) < room(["reinforced_by_outcome"])
    True
    """
    return min(0.45 + 0.08 * max((len(name) for name in names), default=0), 3.4)
