"""What share of memories is still above the threshold of forgetting, day by day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.plots.lifecycles.series import Series, draw_series, room
from hebb_lab.plots.lines import name_ends
from hebb_lab.plots.style import WIDTH, heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

PANEL, GAP = 2.7, 0.75
"""Height of a panel and what stands between two, inches."""


@dataclass(frozen=True)
class Retained:
    """One rule set's memories over time.

    Args:
        name: of the rule set.
        days: [K] since the last event.
        all: [K] share of all memories that are kept.
        needed: [K] share of those that a later question needs; None where none is known.
    """

    name: str
    days: NDArray[np.float64]
    all: NDArray[np.float64]
    needed: NDArray[np.float64] | None = None


def draw(kept: Sequence[Retained], base: str | None, about: str) -> Figure:
    """Draw the share of all memories that is kept, and below it of those that are needed later.

    What a good rule does can be read from both: the upper line falls, the lower stays.

    Args:
        kept: one a rule set.
        base: the rule set that the others are read against, or None.
        about: dataset, number of memories and threshold, for the heading.
    """
    panels = [("of all memories", [Series(k.name, k.days, k.all) for k in kept])]
    needed = [Series(k.name, k.days, k.needed) for k in kept if k.needed is not None]
    if needed:
        panels.append(("of those that a question needs", needed))
    beside = room([k.name for k in kept])
    width = WIDTH - 0.75 - beside
    height = 0.95 + len(panels) * PANEL + (len(panels) - 1) * GAP + 0.6
    with styled():
        figure = sheet(height)
        heading(figure, "What is kept: share above the threshold of forgetting", about)
        for number, (title, lines) in enumerate(panels):
            bottom = height - 0.95 - (number + 1) * PANEL - number * GAP
            ax = place(figure, 0.75, bottom, width, PANEL)
            ax.set_ylim(0, 1.02)
            ax.set_xlim(0, max((float(line.x[-1]) for line in lines if len(line.x)), default=1.0))
            ax.set_ylabel("share kept")
            ax.set_title(title, loc="left", size=10)
            if number == len(panels) - 1:
                ax.set_xlabel("days since the last event")
            name_ends(ax, draw_series(ax, lines, base, marks=False), size=9)
        return figure
