"""Recall at k and at a budget: few names, no clutter, a band around each named curve."""

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from hebb_lab.plots import budget, recall_at_k
from hebb_lab.plots.choose import curves_of, longest, roles_of
from hebb_lab.plots.lines import Curve
from hebb_lab.plots.roles import look
from tests.plots.looking import outside, overlapping, words

ABOUT = "simulated · first_touch · n = 160 queries, 40 sessions"
K = np.arange(1.0, 51.0)
FOUND = {
    "random": "floor", "popularity": "floor", "recency": "floor", "bm25": "floor",
    "bm25_dense_rrf": "floor", "half_life_7d": "base", "row_normalised_two_hops": "best",
    "oracle": "ceiling", **{f"arm_{i}": "other" for i in range(22)},
}  # fmt: skip


def curves(x, ceiling=0.9):
    steps = np.linspace(0.05, ceiling, len(FOUND))
    for arm, step in zip(FOUND, steps, strict=True):
        mean = step * np.log1p(x) / np.log1p(x[-1])
        yield Curve(arm, x, mean, mean * 0.9, np.minimum(mean * 1.1, 1))


def at_k(ceiling=0.9, **more):
    return recall_at_k.draw(list(curves(K, ceiling)), FOUND, "any", ABOUT, **more)


def at_budget(**more):
    x = np.geomspace(128, 16_000, 20)
    return budget.draw(list(curves(x)), FOUND, "R", ABOUT, **more)


@pytest.mark.parametrize("draw", [at_k, at_budget])
def test_named_are_floors_base_best_and_ceiling_and_the_rest_is_counted(draw):
    figure = draw()
    text = words(figure)
    named = {arm for arm, role in FOUND.items() if role != "other"}
    assert {t.split()[0] for t in text} >= named
    assert not any("arm_" in t for t in text)
    assert any("grey: 22 other arms" in t for t in text)
    assert any(ABOUT in t for t in text)
    assert "half_life_7d (base)" in text
    assert "row_normalised_two_hops\n(best mechanism)" in text


@pytest.mark.parametrize("draw", [at_k, at_budget, lambda: at_k(0.051)])
def test_no_text_is_cut_or_covers_another_even_when_all_curves_end_together(draw):
    figure = draw()
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_bands_go_with_base_and_best_and_bars_at_the_cut_with_floors_and_ceiling():
    ax = at_k().axes[0]
    assert len(ax.collections) == 2
    bars = [line for line in ax.lines if len(line.get_xdata()) == 2 and line.get_xdata()[0] != 10]
    assert len(bars) == sum(role in ("floor", "ceiling") for role in FOUND.values())
    given = {round(float(c.low[9]), 9) for c in curves(K)}
    assert {round(float(bar.get_ydata()[0]), 9) for bar in bars} <= given


def test_the_curve_drawn_is_the_curve_given():
    ax = at_k().axes[0]
    given = next(c for c in curves(K) if c.arm == "half_life_7d")
    blue = [
        line for line in ax.lines if to_hex(line.get_color()) == look("", "base").colour.lower()
    ]
    assert len(blue) == 1
    assert np.array_equal(blue[0].get_ydata(), given.mean)


def test_the_cut_of_the_headline_is_marked_where_it_lies():
    marked = [line for line in at_k(cut=10).axes[0].lines if list(line.get_xdata()) == [10, 10]]
    assert len(marked) == 1
    assert "any@10" in words(at_k(cut=10))
    assert "any@99" not in words(at_k(cut=99))
    assert len(at_k(cut=None).axes[0].lines) == len(FOUND)


@pytest.mark.parametrize("draw", [at_k, at_budget])
def test_it_draws_on_axes_that_somebody_else_made(draw):
    figure = Figure(figsize=(12, 5))
    left, right = figure.subplots(1, 2)
    assert draw(ax=left) is figure
    assert left.lines
    assert not right.lines


def test_a_run_without_a_single_finished_arm_still_gives_a_figure():
    assert outside(recall_at_k.draw([], {}, "any", ABOUT)) == []
    assert outside(budget.draw([], {}, "any", ABOUT)) == []


def test_curves_that_are_zero_everywhere_are_drawn_on_a_whole_axis():
    zero = np.zeros(50)
    figure = recall_at_k.draw([Curve("a", K, zero, zero, zero)], {"a": "base"}, "any", ABOUT)
    assert figure.axes[0].get_ylim() == (0, 1)


def test_a_curve_ends_where_its_lists_do():
    frame = pl.DataFrame(
        {"arm": ["long"] * 3 + ["short"] * 3, "k": [1, 2, 3] * 2, "recall": [0.1, 0.2, 0.3] * 2,
         "low": [None] * 6, "high": [None] * 6},
        schema_overrides={"low": pl.Float64, "high": pl.Float64},
    )  # fmt: skip
    rows = pl.DataFrame({"arm": ["long", "short", "short"], "returned": [3, 1, 2]})
    drawn = {curve.arm: curve.x.tolist() for curve in curves_of(frame, "k", longest(rows))}
    assert drawn == {"long": [1, 2, 3], "short": [1, 2]}


def test_the_figure_says_that_a_curve_ends_early():
    short = [c if c.arm != "half_life_7d" else cut_at_10(c) for c in curves(K)]
    figure = recall_at_k.draw(short, FOUND, "any", ABOUT)
    assert any("a curve ends where its lists do" in text for text in words(figure))
    assert not any("ends where" in text for text in words(at_k()))


def cut_at_10(curve):
    return Curve(curve.arm, curve.x[:10], curve.mean[:10], curve.low[:10], curve.high[:10])


@pytest.mark.parametrize(("delta", "win", "best"), [(0.0, 0, None), (0.1, 3, "twin")])
def test_an_arm_that_equals_its_base_on_every_query_is_not_the_best(delta, win, best):
    row = {"group": "x", "value": 0.3, "base": "floor", "delta": delta, "win": win, "loss": 0}
    rows = {
        "floor": {**row, "group": "floors", "base": None, "value": 0.3},
        "mine": {**row, "base": None, "value": 0.1},
        "twin": row,
    }
    found = [arm for arm, role in roles_of(rows).items() if role == "best"]
    assert found == ([best] if best else ["mine"])
