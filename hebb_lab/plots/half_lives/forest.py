"""Each model's loss against the two that it must beat: the heuristic and the rate baseline."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, nan
from typing import TYPE_CHECKING

from hebb_lab.evaluation.calibration import claim
from hebb_lab.plots.effects import Columns, Effect, Reading, are_cut, draw_rows, in_rows
from hebb_lab.plots.forest import ROW, names_width
from hebb_lab.plots.half_lives.axes import nothing
from hebb_lab.plots.style import WIDTH, heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GROUPS = ("baselines", "published", "learned")
RIGHT = 0.74
"""Inches of a column of numbers."""
SAID = {"failed": "failed", "skipped": "no score", "inert": "reference"}
BEATS = " ★"


@dataclass(frozen=True)
class Difference:
    """A model's loss minus another's on the same rows.

    Args:
        value: the difference in nats; below 0 the model is better.
        low: lower end of its interval; NaN where there is none.
        high: upper end.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Score:
    """The loss of a model.

    Args:
        model: its name.
        group: ``baselines``, ``published`` or ``learned``.
        loss: its mean; None where it was not scored.
        to_heuristic: to the heuristic as deployed; None where there is none.
        to_rate: to the rate baseline.
        failed: whether it could not be fitted and another's predictions were scored.
        fades: whether the log shows that weights fade, so that a gain may be that of a half-life.
    """

    model: str
    group: str
    loss: float | None = None
    to_heuristic: Difference | None = None
    to_rate: Difference | None = None
    failed: bool = False
    fades: bool = True


def draw(
    scores: Sequence[Score],
    loss: str,
    about: str,
    heuristic: str = "heuristic_deployed",
    rate: str = "rate",
    level: int = 99,
    silent: str = "",
    decimals: int = 4,
) -> Figure:
    """Draw a row a model and a panel for each rival: lower is better, better is blue.

    A star marks a learned model whose intervals lie below zero in both panels. A rival that nothing
    is compared with has no panel.

    Args:
        scores: one a model.
        loss: which loss, such as ``7-day log loss``.
        about: data set and number of rows, for the heading.
        heuristic: name of the model of the left panel.
        rate: name of the model of the right panel.
        level: of the intervals, in percent.
        silent: why there are no intervals; empty where there are.
        decimals: of the numbers.
    """
    reading = Reading(level, lower_is_better=True, by_interval=True, decimals=decimals, said=SAID)
    ordered = _sorted(scores)
    panels = {
        rival: [_effect(score, to, rival) for score, to in zip(ordered, tos, strict=True)]
        for rival, tos in (
            (heuristic, [score.to_heuristic for score in ordered]),
            (rate, [score.to_rate for score in ordered]),
        )
        if not scores or any(to is not None for to in tos)
    } or {heuristic: [_effect(score, None, heuristic) for score in ordered]}
    with styled():
        figure = _panels(panels, reading)
        cut = any(are_cut(effects) for effects in panels.values())
        title = f"Does a learned half-life help? Δ {loss}, nats"
        heading(figure, title, f"{about}\n{_key(scores, level, silent, cut=cut)}")
        return figure


def _panels(panels: Mapping[str, Sequence[Effect]], reading: Reading) -> Figure:
    """The panels side by side; names and losses stand at the first alone."""
    first = next(iter(panels.values()))
    rows = in_rows(first, reading)
    height = ROW * max(len(rows), 1) + 0.26
    left, more = names_width(first), 0.08 * max(reading.decimals - 4, 0)
    column, columns_shown = RIGHT + more, 1 + len(panels)
    wide = WIDTH + columns_shown * more  # more digits must not narrow the panels
    figure = sheet(height + 1.8, wide)
    free = wide - left - columns_shown * column - 0.05 - 0.1 * len(panels)
    inches, begin = free / len(panels), left
    for number, (rival, effects) in enumerate(panels.items()):
        own = {effect.arm: effect for effect in effects}
        shown = [row if isinstance(row, str) else own[row.arm] for row in rows]
        end, last = 1 + (column - 0.1) / inches, 1 + (2 * column - 0.1) / inches
        columns = Columns(-(left - 0.12) / inches, end, last)
        if number:
            columns = Columns(0, None, end, named=False)
        ax = place(figure, begin, 0.6, inches, height)
        draw_rows(ax, shown, reading, columns, ("loss", "Δ"), inches)
        _apart(ax, inches)
        ax.set_xlabel(f"Δ to {rival}", size=9.5)
        if not rows:
            nothing(ax, "no model was scored")
        begin += inches + 2 * column + 0.1
    return figure


def _apart(ax: Axes, inches: float) -> None:
    """Plain numbers at the ticks; where they are long, zero and the outer ones that have room."""
    from matplotlib.ticker import FixedLocator, FuncFormatter

    low, high = ax.get_xlim()
    ticks = [float(value) for value in ax.get_xticks() if low <= value <= high]
    scale = inches / (high - low)
    kept: list[float] = []
    for value in sorted(ticks, key=lambda v: (abs(v) > (high - low) * 1e-9, -abs(v))):
        room = [0.0425 * len(_tick(value) + _tick(other)) + 0.12 for other in kept]
        if all(scale * abs(value - o) >= r for o, r in zip(kept, room, strict=True)):
            kept.append(value)
    ax.xaxis.set_major_locator(FixedLocator(sorted(kept)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))


def _tick(value: float) -> str:
    return f"{value:.7f}".rstrip("0").rstrip(".").replace("-", "−") if value else "0"


def _key(scores: Sequence[Score], level: int, silent: str, *, cut: bool) -> str:
    """What the marks mean."""
    failed = ["failed: scored as namespace_defaults"] if any(s.failed for s in scores) else []
    if silent:
        return "\n".join([f"no interval: {silent}", *failed])
    marks = [f"bars: {level} % interval", "filled: leaves out zero, blue better, vermilion worse"]
    marks += ["arrows: beyond the axis"] if cut else []
    names = [
        f"{BEATS.strip()} a learned model that beats both, where the log shows fading",
        *failed,
    ]
    return "; ".join(marks) + "\n" + "; ".join(names)


def _sorted(scores: Sequence[Score]) -> list[Score]:
    """By group, in the order of GROUPS, unknown groups last."""
    order = {group: place for place, group in enumerate(GROUPS)}
    return sorted(scores, key=lambda score: order.get(score.group, len(GROUPS)))


def _effect(score: Score, difference: Difference | None, rival: str) -> Effect:
    """One row of a panel; numbers that are not finite are left out."""
    if difference is not None and not isfinite(difference.value):
        difference = None
    interval = None
    if difference is not None and isfinite(difference.low) and isfinite(difference.high):
        interval = difference.low, difference.high
    scored = score.loss is not None and isfinite(score.loss)
    reference = score.model == rival
    return Effect(
        arm=score.model + (BEATS if _beats_both(score) else ""),
        group=score.group,
        value=score.loss if scored else None,
        delta=0.0 if reference else None if difference is None else difference.value,
        interval=interval,
        inert=reference,
        status="failed" if score.failed else "ok" if scored else "skipped",
    )


def _beats_both(score: Score) -> bool:
    if score.group != "learned" or score.failed:
        return False
    heuristic, rate = (
        (nan, nan) if difference is None else (difference.low, difference.high)
        for difference in (score.to_heuristic, score.to_rate)
    )
    return claim(heuristic, rate, fades=score.fades).finding == "helps"
