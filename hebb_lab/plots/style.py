"""How every figure looks: type, colours, titles, labels beside the lines, and how it is saved."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from hebb_lab.runs import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

# Okabe & Ito (2008), told apart with the common colour blindnesses; amber darkened to be read on
# white as a letter.
BLUE, VERMILION, GREEN, AMBER = "#0072B2", "#D55E00", "#00835F", "#A87000"
PURPLE, SKY, BROWN, INDIGO, BLACK = "#B3568C", "#2F8FC4", "#7A5230", "#5B5BA8", "#1A1A1A"
INK, QUIET, FAINT, RULE = "#1A1A1A", "#6B6B6B", "#C4C4C4", "#E2E2E2"
WIDTH = 8.0
"""Inches; at 150 dots an inch a README shows it without shrinking the letters below 9 pixels."""

SETTINGS: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.edgecolor": "#8A8A8A",
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "none",
    "svg.hashsalt": "hebb_lab",
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw with these settings, whatever the user's own are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def canvas(height: float, ax: Axes | None, width: float = WIDTH) -> tuple[Figure, Axes]:
    """The axes to draw on: the given ones, or those of a new figure of that height in inches."""
    if ax is not None:
        figure = ax.get_figure(root=True)
        if not isinstance(figure, Figure):
            raise ValueError("the axes belong to no figure")
        return figure, ax
    figure = sheet(height, width)
    return figure, figure.add_subplot()


def sheet(height: float, width: float = WIDTH) -> Figure:
    """A new figure without axes, in inches."""
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def place(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """New axes on a figure, everything in inches from its lower left corner."""
    whole_width, whole_height = figure.get_size_inches()
    return figure.add_axes(
        (left / whole_width, bottom / whole_height, width / whole_width, height / whole_height)
    )


def frame(figure: Figure, left: float, right: float, top: float, bottom: float) -> None:
    """Set the margins in inches, so that a figure may grow without its margins growing too."""
    width, height = figure.get_size_inches()
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        top=1 - top / height,
        bottom=bottom / height,
    )


def heading(figure: Figure, title: str, below: str) -> None:
    """A title, and under it in grey what the reader must know to read the figure."""
    _, height = figure.get_size_inches()
    x = 0.014
    figure.text(x, 1 - 0.12 / height, title, size=13, weight="bold", color=INK, va="top")
    figure.text(x, 1 - 0.42 / height, below, size=9, color=QUIET, va="top", linespacing=1.35)


def few_ticks(ax: Axes, inches: float) -> None:
    """Ticks along x so far apart that their labels, as long as −0.075, never meet."""
    bins = min(max(int(inches / 0.68), 2), 6)
    ax.xaxis.set_major_locator(MaxNLocator(bins, steps=[1, 2, 2.5, 5, 10], prune="both"))


def spread(places: Sequence[float], gap: float, low: float, high: float) -> NDArray[np.float64]:
    """Move labels apart as little as possible: at least ``gap`` between any two, in [low, high].

    Least squares under the order of the places: the pool-adjacent-violators algorithm on
    ``place_i − i · gap``. When all do not fit, the gap shrinks.

    >>> spread([0.5, 0.5, 0.9], gap=0.1, low=0, high=1).round(2).tolist()
    [0.45, 0.55, 0.9]
    """
    wanted = np.asarray(places, dtype=np.float64)
    if len(wanted) < 2:
        return np.clip(wanted, low, high)
    step = min(gap, (high - low) / (len(wanted) - 1))
    order = np.argsort(wanted, kind="stable")
    offset = step * np.arange(len(wanted))
    pools: list[tuple[float, int]] = []
    for value in wanted[order] - offset:
        mean, count = float(value), 1
        while pools and pools[-1][0] > mean:
            before, size = pools.pop()
            mean, count = (mean * count + before * size) / (count + size), count + size
        pools.append((mean, count))
    level = np.concatenate([np.full(count, mean) for mean, count in pools])
    moved = np.empty(len(wanted))
    moved[order] = np.clip(level, low, high - offset[-1]) + offset
    return moved


def plain(value: float, decimals: int = 3) -> str:
    """A share with three decimals, as tables print it."""
    return f"{value:.{decimals}f}"


def signed(value: float, decimals: int = 3) -> str:
    """A difference with its sign, and a minus as wide as a plus; 0 has no sign.

    What is no zero does not look like one: it gets a decimal more, and beyond it is one.

    >>> signed(-0.0214), signed(0.0004), signed(0.00217, 4), signed(-0.0)
    ('−0.021', '+0.0004', '+0.0022', '0')
    """
    for digits in (decimals, decimals + 1):
        if round(value, digits):
            return f"{value:+.{digits}f}".replace("-", "−")
    return "0"


def save(figure: Figure, stem: Path, formats: Sequence[str] = ("png", "svg")) -> list[Path]:
    """Write ``<stem>.<format>``; the same figure gives the same bytes.

    Args:
        figure: what to write.
        stem: path without ending; its folder is made.
        formats: of png, svg, pdf.
    """
    stem.parent.mkdir(parents=True, exist_ok=True)
    # A date in a file would make two reports of one run differ.
    dates = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    paths = []
    with styled(), warnings.catch_warnings():
        # A letter that the font lacks is drawn as a box; the tables have the name.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        for ending in formats:
            buffer = BytesIO()
            figure.savefig(buffer, format=ending, dpi=150, metadata=dates[ending])
            path = stem.with_name(f"{stem.name}.{ending}")
            write_atomic(path, buffer.getvalue())
            paths.append(path)
    return paths
