"""Each model's loss against the two that it must beat: the heuristic and the rate baseline."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from hebb_lab.plots.effects import Columns, Effect, Reading, are_cut, draw_rows, in_rows
from hebb_lab.plots.forest import ROW, names_width
from hebb_lab.plots.half_lives.axes import nothing
from hebb_lab.plots.style import WIDTH, heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """

    model: str
    group: str
    loss: float | None = None
    to_heuristic: Difference | None = None
    to_rate: Difference | None = None
    failed: bool = False


def draw(
    scores: Sequence[Score],
    loss: str,
    about: str,
    heuristic: str = "heuristic_deployed",
    rate: str = "rate",
    level: int = 99,
) -> Figure:
    """Draw a row a model and a panel for either rival: lower is better, better is blue.

    A star marks a learned model whose intervals lie below zero in both panels.

    Args:
        scores: one a model.
        loss: which loss, such as ``7-day log loss``.
        about: data set and number of rows, for the heading.
        heuristic: name of the model of the left panel.
        rate: name of the model of the right panel.
        level: of the intervals, in percent.
    """
    reading = Reading(level, lower_is_better=True, by_interval=True, decimals=4, said=SAID)
    effects = [
        [_effect(s, to, rival) for s in _sorted(scores)]
        for to, rival in (("to_heuristic", heuristic), ("to_rate", rate))
    ]
    rows = in_rows(effects[0], reading)
    again = {effect.arm: effect for effect in effects[1]}
    panels = [rows, [row if isinstance(row, str) else again[row.arm] for row in rows]]
    with styled():
        height = ROW * max(len(rows), 1) + 0.26
        figure = sheet(height + 1.8)
        left = names_width(effects[0])
        inches = (WIDTH - left - 3 * RIGHT - 0.25) / 2
        begin = left
        for panel, rival in zip((0, 1), (heuristic, rate), strict=True):
            ax = place(figure, begin, 0.6, inches, height)
            right = (2 - panel) * RIGHT
            columns = Columns(
                0.0 if panel else -(left - 0.12) / inches,
                None if panel else 1 + (RIGHT - 0.1) / inches,
                1 + (right - 0.1) / inches,
                named=not panel,
            )
            draw_rows(ax, panels[panel], reading, columns, ("loss", "Δ"), inches)
            ax.set_xlabel(f"Δ to {rival}", size=9.5)
            begin += inches + right + 0.1
            if not rows:
                nothing(ax, "no model was scored")
        key = f"bars: {level} % interval; filled: leaves out zero, blue better, vermilion worse"
        cut = "; arrows: beyond the axis" if any(map(are_cut, effects)) else ""
        claim = f"{BEATS.strip()} a learned model that beats both"
        claim += "; failed: scored as namespace_defaults" if any(s.failed for s in scores) else ""
        title = f"Does a learned half-life help? Δ {loss}, nats"
        heading(figure, title, f"{about}\n{key}{cut}\n{claim}")
        return figure


def _sorted(scores: Sequence[Score]) -> list[Score]:
    """By group, in the order of GROUPS, unknown groups last."""
    order = {group: place for place, group in enumerate(GROUPS)}
    return sorted(scores, key=lambda score: order.get(score.group, len(GROUPS)))


def _effect(score: Score, to: str, rival: str) -> Effect:
    difference: Difference | None = getattr(score, to)
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
    both = (score.to_heuristic, score.to_rate)
    below = all(difference is not None and difference.high < 0 for difference in both)
    return below and score.group == "learned" and not score.failed
