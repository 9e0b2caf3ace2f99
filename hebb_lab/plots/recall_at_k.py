"""Recall against the number of candidates that are injected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.plots.lines import (
    Curve,
    draw_curves,
    log_ticks,
    margin,
    mark_cut,
    name_curves,
    note,
    whiskers,
)
from hebb_lab.plots.style import canvas, frame, heading, styled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hebb_lab.plots.roles import Role

MEANING = {
    "any": "share of queries with a hit in the first k",
    "R": "share of relevant nodes in the first k",
    "all": "share of queries with every hit in the first k",
}


def draw(
    curves: Sequence[Curve],
    found: Mapping[str, Role],
    family: str,
    about: str,
    cut: int | None = 10,
    ax: Axes | None = None,
) -> Figure:
    """Draw a measure at every k, floors, base, best mechanism and ceiling in colour.

    Args:
        curves: one an arm; x is k.
        found: arm → role.
        family: the measure without its cut: ``any``, ``R``, ``all``.
        about: dataset, task and number of queries, for the heading.
        cut: the k of the headline, marked; None for none.
        ax: where to draw; a new figure when absent.
    """
    with styled():
        figure, axes = canvas(4.8, ax)
        draw_curves(axes, curves, found)
        axes.set_xscale("log")
        last = max((float(curve.x[-1]) for curve in curves), default=10.0)
        ticks = log_ticks(1, last)
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.set_xticks([], minor=True)
        axes.set_xlim(1, last)
        axes.set_xlabel("k, candidates injected (log scale)")
        axes.set_ylabel(MEANING.get(family, f"{family}@k"))
        if cut is not None and cut <= last:
            mark_cut(axes, cut, f"{family}@{cut}")
            whiskers(axes, curves, found, cut)
        if ax is None:
            frame(figure, left=0.85, right=margin(found), top=0.92, bottom=0.55)
            below = f"{about}\n{note(curves, found, bars=cut is not None)}"
            heading(figure, f"{family}@k: {MEANING.get(family, family)}", below)
        name_curves(axes, curves, found)
        return figure
