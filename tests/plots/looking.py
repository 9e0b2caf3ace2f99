"""What a reader would see: the texts of a figure and where they stand."""

from __future__ import annotations

from itertools import combinations

from matplotlib.text import Text


def texts(figure):
    return [t for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible()]


def words(figure):
    return [t.get_text() for t in texts(figure)]


def outside(figure):
    """Texts that are cut by the edge of the figure."""
    figure.canvas.draw()
    edge = figure.bbox
    return [
        text.get_text()
        for text in drawn(figure)
        if (box := text.get_window_extent()).x0 < -1
        or box.x1 > edge.x1 + 1
        or box.y0 < -1
        or box.y1 > edge.y1 + 1
    ]


def overlapping(figure):
    """Pairs of texts that cover each other."""
    figure.canvas.draw()
    boxes = [(t.get_text(), Text.get_window_extent(t)) for t in drawn(figure)]
    return [
        (a, b)
        for (a, one), (b, other) in combinations(boxes, 2)
        if min(one.x1, other.x1) - max(one.x0, other.x0) > 1
        and min(one.y1, other.y1) - max(one.y0, other.y0) > 2
    ]


def drawn(figure):
    """Texts without the tick labels that matplotlib keeps beyond the limits of an axis."""
    hidden = set()
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low <= tick.get_loc() <= high:
                    hidden |= {tick.label1, tick.label2}
    return [t for t in texts(figure) if t not in hidden]
