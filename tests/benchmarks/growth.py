"""`python -m tests.benchmarks.growth`: how cost grows, drawn of experiments/kernels/results.json.

Log-log, one panel for each thing that grows; the slope of each line is in its label.
"""

import json
import sys

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hebb_lab.plots import style
from tests.benchmarks.child import ROOT

FOLDER = ROOT / "experiments" / "kernels"
PANELS = {
    "events": ("events grow: 10⁴ to 10⁷", "events × configurations, or reinforcements"),
    "nodes": ("nodes and queries grow: 10⁴ to 10⁶, 1 to 10⁴", "edge visits"),
    "configurations": ("configurations grow: 1 to 256", "configurations"),
    "memories": ("memories grow: 10⁴ to 10⁶", "memories"),
}
LOOKS = (
    (style.BLUE, "-"), (style.VERMILION, "--"), (style.GREEN, "-."), (style.PURPLE, "-"),
    (style.QUIET, "-"),
)  # fmt: skip


def draw(rows, stem):
    """Draw the rows that have points; the paths that were written."""
    lines = [row["growth"] for row in rows if row.get("growth")]
    panels = [name for name in PANELS if any(line["panel"] == name for line in lines)]
    with style.styled():
        figure = Figure(figsize=(style.WIDTH, 0.85 + 3.15 * len(panels)))
        FigureCanvasAgg(figure)
        for number, name in enumerate(panels):
            ax = figure.add_subplot(len(panels), 1, number + 1)
            _panel(ax, name, [line for line in lines if line["panel"] == name])
        style.frame(figure, left=0.8, right=0.25, top=1.05, bottom=0.55)
        figure.subplots_adjust(hspace=0.5)
        style.heading(
            figure, "Cost as work grows",
            "Medians, with bars from the smallest to the largest of the rounds. Slope: of the "
            "filled points,\nin the upper two decades. The dotted line has slope 1: "
            "twice the work takes twice the time.",
        )  # fmt: skip
        return style.save(figure, stem, ("png",))


def _panel(ax, name, lines):
    title, x_label = PANELS[name]
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_title(title, loc="left", size=10.5, weight="bold")
    ax.set_xlabel(x_label)
    ax.set_ylabel("seconds")
    for (colour, dashes), line in zip(LOOKS[: len(lines)], lines, strict=True):
        x, median, low, high = zip(*line["points"], strict=True)
        bars = [
            [m - at for m, at in zip(median, low, strict=True)],
            [at - m for m, at in zip(median, high, strict=True)],
        ]
        ax.errorbar(x, median, bars, color=colour, linestyle=dashes, linewidth=1.6, elinewidth=1.2,
                    label=f"{line['line']}: slope {line['slope']:.2f}")  # fmt: skip
        filled = [at * 100 >= max(x) * 0.999 for at in x]
        for at, seconds, full in zip(x, median, filled, strict=True):
            ax.plot(at, seconds, "o", markersize=5.5, color=colour,
                    markerfacecolor=colour if full else "white", zorder=4)  # fmt: skip
    _unit_slope(ax, lines)
    ax.legend(loc="upper left", edgecolor="none", framealpha=1, fontsize=9, handlelength=3)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high * (high / low) ** 0.35)  # room for the legend


def _unit_slope(ax, lines):
    """A line of slope 1 through the last point of the dearest line, a little above it."""
    last = max((line["points"][-1] for line in lines), key=lambda point: point[1])
    first = min(point[0] for line in lines for point in line["points"])
    start = max(first, last[0] / 1e3)
    ends = [last[1] * 2 * start / last[0], last[1] * 2]
    ax.plot([start, last[0]], ends, ":", color=style.QUIET, linewidth=1.2, zorder=1)


def main():
    """Draw again what the table has published."""
    rows = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))["rows"]
    draw(rows, FOLDER / "growth")
    return 0


if __name__ == "__main__":
    sys.exit(main())
