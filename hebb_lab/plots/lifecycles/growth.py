"""How a store grows on the disk, and what forgetting gives back."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from matplotlib.ticker import FuncFormatter, MaxNLocator

from hebb_lab.plots.lines import End, name_ends
from hebb_lab.plots.style import BLUE, INK, QUIET, VERMILION, canvas, frame, heading, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Size:
    """A store at one moment.

    Args:
        memories: that it holds.
        bytes: of all its files.
        event: what had happened since the moment before, or an empty string for writing alone.
    """

    memories: int
    bytes: int
    event: str = ""


def draw(sizes: Sequence[Size], about: str, ax: Axes | None = None) -> Figure:
    """Draw bytes on the disk against memories, in the order of events; what is no writing is named.

    Args:
        sizes: in time order.
        about: dataset and length of vectors, for the heading.
        ax: where to draw; a new figure when absent.
    """
    unit, name = _unit(max((size.bytes for size in sizes), default=0))
    with styled():
        figure, axes = canvas(4.2, ax)
        written = [size for size in sizes if not size.event]
        axes.plot([s.memories for s in written], [s.bytes / unit for s in written], color=BLUE,
                  marker="o", markersize=4, linewidth=1.8, zorder=3)  # fmt: skip
        for before, after in pairwise(sizes):
            if after.event:
                axes.annotate(
                    "", (after.memories, after.bytes / unit),
                    (before.memories, before.bytes / unit), zorder=4,
                    arrowprops={"arrowstyle": "-|>", "color": VERMILION, "linewidth": 1.3},
                )  # fmt: skip
                axes.plot(after.memories, after.bytes / unit, "o", color=VERMILION, markersize=5,
                          zorder=4)  # fmt: skip
        axes.set_ylim(0, 1.06 * max((s.bytes / unit for s in sizes), default=1.0) or 1.0)
        axes.set_xlim(0, 1.03 * max((s.memories for s in sizes), default=1) or 1)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        axes.set_xlabel("memories in the store")
        axes.set_ylabel(f"{name} on the disk")
        ends = [End(s.event, s.memories, s.bytes / unit, VERMILION) for s in sizes if s.event]
        if ax is None:
            longest = max((len(end.name) for end in ends), default=0)
            frame(figure, left=0.75, right=0.4 + 0.075 * longest, top=0.95, bottom=0.6)
            heading(figure, "How the store grows", f"{about}\n{_slope(written)}")
        name_ends(axes, ends, size=9)
        axes.tick_params(labelcolor=INK, color=QUIET)
        return figure


def _unit(most: int) -> tuple[float, str]:
    """The unit in which the most is no more than four digits.

    >>> _unit(5_000), _unit(3 * 10**9)
    ((1000.0, 'kB'), (1000000000.0, 'GB'))
    """
    for power, name in ((9, "GB"), (6, "MB")):
        if most >= 10**power:
            return 10.0**power, name
    return 1e3, "kB"


def _slope(written: Sequence[Size]) -> str:
    """Bytes a memory over what was written."""
    if len(written) < 2 or written[-1].memories <= written[0].memories:
        return "vermilion: what forgetting and revising does"
    first, last = written[0], written[-1]
    each = (last.bytes - first.bytes) / (last.memories - first.memories)
    return f"blue: writing, {each:,.0f} bytes a memory; vermilion: what came after"
