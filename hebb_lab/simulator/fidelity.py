"""How close a simulated log comes to real ones: one row a statistic, one verdict a row.

The figures of real logs: each statistic has the meaning that ``statistics.py`` gives it.
Sources: four public sets of sessions of coding agents that projects had committed beside their
code, read in August to October 2026: Claude Code on entireio/cli (272 sessions, 41 days, several
developers), on FSM1/cipher-box (33 sessions, one developer) and on context_eval (98 sessions, one
developer), Codex and Copilot on EntityProcess/agentv (24 sessions with touches). Sizes are facts
about the sets, no targets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hebb_lab.simulator.parameters import SimulatorParameters
from hebb_lab.simulator.statistics import statistics

REAL_SETS = ("entire_cli", "cipher_box", "context_eval", "agentv")
SIZES = (
    "sessions", "touches", "windows", "nodes", "distinct pairs", "pairs in 3 or more sessions",
    "pairs in 5 or more sessions", "pairs in 10 or more sessions", "degree, max", "span, days",
)  # fmt: skip

_NONE = float("nan")
FIGURES: dict[str, tuple[float, float, float, float]] = {
    "sessions": (272, 33, 98, 24),
    "touches": (13059, 2325, 2273, 1732),
    "windows": (1209, 107, 204, 114),
    "nodes": (451, 381, 164, 258),
    "nodes per window, median": (2, 4, 2, 3),
    "nodes per window, p95": (12, 35.1, 14.8, 17.7),
    "nodes per window, max": (37, 56, 26, 27),
    "single-node windows": (0.36, 0.20, 0.26, 0.25),
    "nodes per session, median": (8, 16, 4, 17.5),
    "nodes per session, p95": (28, 58, 15, 42),
    "turns per session, median": (3, 3, 2, 4),
    "turns per session, p95": (13, 6, 4, 9),
    "touches per turn, median": (6, 10, 7, 5),
    "touches per turn, p95": (37, 78, 41, 68),
    "distinct pairs": (6966, 5576, 1843, 2756),
    "pairs recurring in a later session": (0.312, 0.148, 0.257, 0.071),
    "pairs in 3 or more sessions": (1134, 185, 225, 46),
    "pairs in 5 or more sessions": (439, 14, 63, 7),
    "pairs in 10 or more sessions": (113, 0, 6, 0),
    "pair gap, median days": (1.74, 0.04, 0.97, 3.67),
    "pair gap, p90 days": (12.98, 1.11, 5.88, 8.70),
    "pairs reactivated within 1 d": (0.19, 0.15, 0.19, 0.02),
    "pairs reactivated within 7 d": (0.41, 0.16, 0.32, 0.08),
    "pairs reactivated within 30 d": (0.68, _NONE, _NONE, 0.11),
    "Weibull shape of the pair gaps": (0.51, 0.31, 0.37, 0.56),
    "degree, max": (206, 171, 92, 123),
    "degree, p95": (107, 87, 61, 59),
    "degree, median": (19, 27, 16, 18),
    "hub degree, share of the nodes": (0.457, 0.449, 0.561, 0.477),
    "nodes recurring in a later session": (0.603, 0.449, 0.616, 0.295),
    "node gap, median days": (0.67, 0.09, 0.20, 2.1),
    "node gap, p90 days": (5.6, 7.9, 3.9, 8.1),
    "node life, median days": (1.3, _NONE, _NONE, _NONE),
    "node life, p90 days": (35.5, _NONE, _NONE, _NONE),
    "fewest new nodes in a full week": (50, _NONE, _NONE, _NONE),
    "share of the ten most touched nodes": (0.31, 0.27, 0.44, 0.23),
    "rank-frequency slope": (-1.5, -1.1, -1.3, -1.2),
    "repeat touches in a session": (0.79, 0.67, 0.74, 0.74),
    "same node twice in a row": (0.49, 0.27, 0.42, 0.16),
    "first touches never seen before": (0.17, 0.49, 0.31, 0.59),
    "span, days": (41.5, 10.4, 18.1, 104.1),
    "sessions per active day, median": (5.5, 3.5, 10, 2),
    "sessions per active day, max": (27, 20, 19, 6),
    "overlapping sessions": (0.43, 0.0, 0.33, 0.17),
    "session hours, median": (0.41, 0.46, 0.13, 1.1),
    "session hours, p95": (14.9, 1.8, 4.7, 13.1),
    "seconds between touches, median": (6.6, 3.8, 8.4, 0.0),
    "seconds between touches, p95": (292, 84, 88, 159),
    "share of read": (0.47, 0.50, 0.36, 0.01),
    "share of edit and write": (0.35, 0.24, 0.35, 0.14),
    "share of exec": (0.11, 0.19, 0.21, 0.85),
    "share of search": (0.07, 0.07, 0.07, 0.0),
    "touches by subagents": (0.13, 0.40, 0.08, 0.0),
    "failed calls": (0.032, 0.037, 0.050, 0.069),
}
"""statistic → its value in each of REAL_SETS; NaN where none was taken."""


@dataclass(frozen=True)
class FidelityRow:
    """One statistic of simulated logs beside its value in real ones.

    Args:
        statistic: its name in ``statistics.py``.
        mean: over the seeds.
        low: least value over the seeds.
        high: greatest value over the seeds.
        real: its value in each of REAL_SETS, NaN where none was taken, then in further logs, which
            are shown and do not count in the verdict.
        judged: whether the verdict counts; sizes of a set are no targets.
    """

    statistic: str
    mean: float
    low: float
    high: float
    real: tuple[float, ...]
    judged: bool

    @property
    def verdict(self) -> str:
        """``within`` when the mean lies in the range of the real sets, rounding allowed for.

        With a figure of one set only there is no range: the verdict is ``one set``.

        >>> FidelityRow("x", 2.0, 1.0, 3.0, (1.0, 2.5), True).verdict
        'within'
        >>> FidelityRow("x", 4.0, 3.0, 5.0, (1.0, 2.5), True).verdict
        'above'
        """
        known = [value for value in self.real[: len(REAL_SETS)] if not math.isnan(value)]
        if not self.judged:
            return "size"
        if len(known) < 2 or math.isnan(self.mean):
            return "one set" if known else "no figure"
        mean = float(f"{self.mean:.2g}")  # the figures have two or three digits
        if mean < float(f"{min(known):.2g}"):
            return "below"
        return "above" if mean > float(f"{max(known):.2g}") else "within"


def simulated_statistics(
    parameters: SimulatorParameters, seeds: Sequence[int]
) -> list[dict[str, float]]:
    """The statistics of one simulated log a seed."""
    from hebb_lab.simulator.log import simulate

    return [statistics(simulate(parameters, np.random.default_rng(seed)).log) for seed in seeds]


def compare(
    simulated: Sequence[Mapping[str, float]], real: Mapping[str, Mapping[str, float]] | None = None
) -> list[FidelityRow]:
    """Rows in the order of the statistics.

    Args:
        simulated: statistics of each seed.
        real: set → its statistics, shown beside the published figures.
    """
    more = real or {}
    rows = []
    for name in simulated[0]:
        values = np.array([one[name] for one in simulated], dtype=np.float64)
        figures = FIGURES.get(name, (math.nan,) * len(REAL_SETS))
        others = tuple(float(one.get(name, math.nan)) for one in more.values())
        rows.append(
            FidelityRow(
                name, float(values.mean()), float(values.min()), float(values.max()),
                (*figures, *others), name not in SIZES,
            )
        )  # fmt: skip
    return rows


def as_text(value: float) -> str:
    """A number with three digits that matter.

    >>> [as_text(x) for x in (0.312, 13059.0, 5.5, float("nan"))]
    ['0.312', '13,059', '5.5', '–']
    """
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{float(f'{value:.3g}'):g}"


def table(rows: Sequence[FidelityRow], names: Sequence[str] = REAL_SETS) -> list[list[str]]:
    """The cells of the table, heads first."""
    head = ["statistic", "simulated", "range over seeds", *names, "verdict"]
    body = [
        [
            row.statistic, as_text(row.mean), f"{as_text(row.low)} to {as_text(row.high)}",
            *(as_text(value) for value in row.real), row.verdict,
        ]
        for row in rows
    ]  # fmt: skip
    return [head, *body]


def summary(rows: Sequence[FidelityRow]) -> str:
    """One sentence on all verdicts."""
    judged = [row for row in rows if row.verdict in ("within", "below", "above")]
    outside = [f"{row.statistic} ({row.verdict})" for row in judged if row.verdict != "within"]
    said = f"{len(judged) - len(outside)} of {len(judged)} statistics within the real sets' range"
    return said + (f"; outside: {', '.join(outside)}." if outside else ".")


def as_markdown(cells: Sequence[Sequence[str]]) -> str:
    """A Markdown table, numbers to the right."""
    head, *body = cells
    rule = ["---", *["---:"] * (len(head) - 2), "---"]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *body]) + "\n"


def as_columns(cells: Sequence[Sequence[str]]) -> str:
    """A plain table for a terminal."""
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if i in (0, len(row) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return "\n".join(lines) + "\n"
