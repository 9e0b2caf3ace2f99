"""Names beside the ends of lines, on whatever scale the lines are drawn."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hebb_lab.plots.lines import End, label, name_ends
from tests.plots.looking import overlapping


def axes(scale):
    figure = Figure(figsize=(8, 4))
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    figure.subplots_adjust(right=0.7)
    ax.set_yscale(scale)
    ax.set_ylim(0.01, 1)
    ax.set_yticks([], minor=True)
    return ax


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize("last", [(0.5, 0.5, 0.5), (0.011, 0.012, 0.9), (0.02, 0.02, 7.0)])
def test_names_keep_apart_and_their_order(scale, last):
    ax = axes(scale)
    name_ends(ax, [End(f"line {i}", 1.0, y, "black") for i, y in enumerate(last)])
    assert overlapping(ax.figure) == []
    places = [text.get_position()[1] for text in ax.texts]
    assert np.array_equal(np.argsort(places), np.argsort(last, kind="stable"))


def test_a_line_that_leaves_the_axis_is_named_at_the_edge():
    ax = axes("log")
    name_ends(ax, [End("far", 1.0, 50.0, "black")])
    assert ax.texts[0].xy == (1.0, pytest.approx(1.0))


def test_without_lines_there_are_no_names():
    ax = axes("linear")
    name_ends(ax, [])
    assert not ax.texts


def test_an_arm_that_is_called_base_is_not_called_so_twice():
    assert (label("base", "base"), label("bm25", "base")) == ("base", "bm25 (base)")
