"""Recall against the tokens that the injected candidates cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.plots.lines import Curve, draw_curves, log_ticks, margin, name_curves, note
from hebb_lab.plots.recall_at_k import MEANING
from hebb_lab.plots.style import canvas, frame, heading, styled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hebb_lab.plots.roles import Role


def draw(
    curves: Sequence[Curve],
    found: Mapping[str, Role],
    family: str,
    about: str,
    ax: Axes | None = None,
) -> Figure:
    """Draw a measure at every token budget: what a query gets for what it costs.

    Args:
        curves: one an arm; x is the budget in tokens.
        found: arm → role.
        family: the measure without its cut: ``any``, ``R``.
        about: dataset, task and number of queries, for the heading.
        ax: where to draw; a new figure when absent.
    """
    with styled():
        figure, axes = canvas(4.8, ax)
        draw_curves(axes, curves, found)
        axes.set_xscale("log")
        first = min((float(curve.x[0]) for curve in curves), default=100.0)
        last = max((float(curve.x[-1]) for curve in curves), default=10_000.0)
        ticks = log_ticks(first, last)
        axes.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
        axes.set_xticks([], minor=True)
        axes.set_xlim(first, last)
        axes.set_xlabel("budget, tokens injected a query (log scale)")
        meaning = MEANING.get(family, family).replace("the first k", "the budget")
        axes.set_ylabel(meaning)
        if ax is None:
            frame(figure, left=0.85, right=margin(found), top=0.92, bottom=0.55)
            heading(
                figure,
                f"Recall at a token budget ({family})",
                f"{about}\n{note(curves, found, bars=False)}",
            )
        name_curves(axes, curves, found)
        return figure
