"""Predicted against observed share of pairs that are re-activated within the horizon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.half_lives.axes import in_days, log_axis, nothing, number, outline, reach
from hebb_lab.plots.half_lives.models import letters, look_of
from hebb_lab.plots.lines import End, name_ends
from hebb_lab.plots.style import FAINT, INK, QUIET, WIDTH, heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

TOGETHER = 4
"""More models than these get an own panel each."""
ACROSS = 4
"""Panels side by side."""
STRIP = 0.42
"""Inches of the strip that counts rows."""


@dataclass(frozen=True)
class Calibration:
    """What a model predicted and what came, over quantile bins of the prediction.

    Args:
        model: its name.
        predicted: [B] mean predicted probability, increasing; NaN where a bin is empty.
        observed: [B] share that came within the horizon.
        low: [B] lower end of the 95 % interval of observed.
        high: [B] upper end.
        edges: [N + 1] increasing probabilities between which rows are counted.
        rows: [N] how many predictions lie between two edges.
        ici: mean |observed − predicted| by lowess; None where it was not computed.
    """

    model: str
    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    edges: NDArray[np.float64]
    rows: NDArray[np.int64]
    ici: float | None = None


@dataclass(frozen=True)
class _Scale:
    """Both axes of every panel."""

    low: float
    high: float
    log: bool

    @classmethod
    def of(cls, models: Sequence[Calibration]) -> _Scale:
        points = [part for m in models for part in (m.predicted, m.observed)]
        low, high = reach(points)
        if high / low > 10:
            low, high = reach([*points, *map(_bulk, models)], room=1.3)
            return cls(low, min(high, 1.0), log=True)
        tops = [np.concatenate([m.high[np.isfinite(m.high)], _bulk(m)]) for m in models]
        return cls(0.0, min(1.05 * max([high, *np.concatenate([*tops, []])]), 1.0), log=False)

    def on(self, ax: Axes, strip: Axes, most: int) -> None:
        """Set the axes of a panel, ``most`` ticks on either."""
        if self.log:
            for axes, which in ((ax, "x"), (ax, "y"), (strip, "x")):
                log_axis(axes, which, self.low, self.high, most)
        else:
            for axis in (ax.set_xlim, ax.set_ylim, strip.set_xlim):
                axis(self.low, self.high)
            for every in (ax.xaxis, ax.yaxis, strip.xaxis):
                every.get_major_locator().set_params(nbins=most)  # type: ignore[call-arg]
        ax.tick_params(labelbottom=False)
        strip.set_yticks([])
        for axes in (ax, strip):
            axes.tick_params(labelsize=8.5)


def draw(models: Sequence[Calibration], horizon_days: float, about: str) -> Figure:
    """Draw predicted against observed, the diagonal, and below how many rows lie where.

    Log axes where the probabilities span more than a decade. Up to four models share one panel;
    more get a panel each, on the same axes.

    Args:
        models: one a line.
        horizon_days: within how many days a pair had to be re-activated.
        about: data set and number of rows, for the heading.
    """
    scale = _Scale.of(models)
    title = f"Is it calibrated? Re-activated within {in_days(horizon_days)}"
    with styled():
        arrange = _apart if len(models) > TOGETHER else _together
        figure = arrange(models, scale)
        heading(figure, title, f"{about}\n{_key(models, scale)}")
        return figure


def _together(models: Sequence[Calibration], scale: _Scale) -> Figure:
    ends = []
    side, figure = 4.6, sheet(7.0)
    ax = place(figure, 0.85, 1.4, side, side)
    strip = place(figure, 0.85, 0.6, side, STRIP + 0.2)
    scale.on(ax, strip, most=8)
    _rows(strip, models)
    for model in models:
        _line(ax, model, scale)
        shown = _shown(model)
        if shown.any():
            x, y = model.predicted[shown][-1], model.observed[shown][-1]
            ends.append(End(_name(model), float(x), float(y), look_of(model.model).colour))
    _diagonal(ax, scale)
    if not ends:
        nothing(ax, "no row was predicted")
    ax.set_ylabel("observed share")
    strip.set_xlabel("predicted probability" + " (log scale)" * scale.log)
    strip.set_ylabel("rows", size=8.5)
    name_ends(ax, ends, size=9)
    return figure


def _apart(models: Sequence[Calibration], scale: _Scale) -> Figure:
    lines = -(-len(models) // ACROSS)
    left, gap, head, top, bottom = 0.85, 0.16, 0.45, 0.95, 0.62
    side = (WIDTH - left - 0.15 - gap * (ACROSS - 1)) / ACROSS
    tall = head + side + 0.06 + STRIP + 0.1
    figure = sheet(top + lines * tall + bottom)
    for at, model in enumerate(models):
        line, column = divmod(at, ACROSS)
        x, y = left + column * (side + gap), bottom + (lines - line - 1) * tall + 0.1
        ax = place(figure, x, y + STRIP + 0.06, side, side)
        strip = place(figure, x, y, side, STRIP)
        scale.on(ax, strip, most=4)
        _line(ax, model, scale)
        _rows(strip, [model])
        _diagonal(ax, scale)
        _title(ax, model)
        last = at + ACROSS >= len(models)
        strip.tick_params(labelbottom=last)
        ax.tick_params(labelleft=column == 0)
    width, height = figure.get_size_inches()
    middle = 0.5 + 0.35 / width
    figure.text(
        middle, 0.2 / height, "predicted probability" + " (log scale)" * scale.log, ha="center"
    )
    figure.text(
        0.14 / width, 0.5, "observed share; below it, rows and their most", va="center", rotation=90
    )
    return figure


def _line(ax: Axes, model: Calibration, scale: _Scale) -> None:
    look = look_of(model.model)
    shown = _shown(model)
    x, y = model.predicted[shown], model.observed[shown]
    low, high = model.low[shown], model.high[shown]
    # On a log axis a share of none has no place: its interval stands on the axis's foot.
    drawn = y >= scale.low if scale.log else np.ones(len(y), dtype=bool)
    ax.plot(
        x[drawn], y[drawn], color=look.colour, linewidth=min(look.width, 1.8), marker="o",
        markersize=4, linestyle=look.dashes, zorder=look.order,
    )  # fmt: skip
    ax.vlines(
        x, np.maximum(low, scale.low), high, color=look.colour, linewidth=1.2, alpha=0.8,
        zorder=look.order - 0.5,
    )  # fmt: skip
    none = x[~drawn]
    ax.plot(
        none, np.full(len(none), scale.low), linestyle="none", marker="v", markersize=6,
        markerfacecolor="white", markeredgecolor=look.colour, clip_on=False, zorder=7,
    )  # fmt: skip


def _rows(strip: Axes, models: Sequence[Calibration]) -> None:
    """How many rows lie where; the number is that of the highest step."""
    for model in models:
        colour = look_of(model.model).colour
        strip.stairs(model.rows, model.edges, color=colour, linewidth=1.2, fill=False)
        strip.stairs(model.rows, model.edges, color=colour, alpha=0.15, fill=True)
    most = max((int(model.rows.max(initial=0)) for model in models), default=0)
    strip.set_ylim(0, max(most, 1) * 1.5)
    style: Any = {"size": 7.5, "color": QUIET, "va": "top", "path_effects": outline()}
    strip.text(0.02, 0.97, f"{most:,}", transform=strip.transAxes, **style)


def _bulk(model: Calibration) -> NDArray[np.float64]:
    """The probabilities between which 99 % of the rows lie, at the edges that were counted at."""
    share = np.cumsum(model.rows) / max(int(model.rows.sum()), 1)
    inside = (share > 0.005) & (np.concatenate([[0.0], share[:-1]]) < 0.995)
    return np.concatenate([model.edges[:-1][inside], model.edges[1:][inside]])


def _diagonal(ax: Axes, scale: _Scale) -> None:
    ends = [scale.low, scale.high]
    ax.plot(ends, ends, color=FAINT, linewidth=1.4, zorder=1.5)


def _title(ax: Axes, model: Calibration) -> None:
    colour = letters(look_of(model.model))
    inches = ax.get_window_extent().width / ax.figure.dpi
    size = min(9.0, 9.0 * inches / (0.072 * len(model.model)))  # long names must not meet
    above: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "size": size}
    ax.annotate(model.model, (0, 1), (0, 16), weight="bold", color=colour, **above)
    if not _shown(model).any():
        nothing(ax, "no row was\npredicted")
    elif model.ici is not None:
        above["size"] = 8.5
        ax.annotate(f"ICI {number(model.ici)}", (0, 1), (0, 4), color=INK, **above)


def _shown(model: Calibration) -> NDArray[np.bool_]:
    return np.isfinite(model.predicted) & np.isfinite(model.observed)


def _name(model: Calibration) -> str:
    return model.model if model.ici is None else f"{model.model}\nICI {number(model.ici)}"


def _key(models: Sequence[Calibration], scale: _Scale) -> str:
    """What the marks mean."""
    none = any((m.observed[_shown(m)] < scale.low).any() for m in models) and scale.log
    words = ["bars: 95 % interval of each bin", "grey: predicted = observed"]
    words += ["ICI: mean distance between them"] if any(m.ici is not None for m in models) else []
    words += ["hollow: none observed"] if none else []
    return "; ".join(words)
