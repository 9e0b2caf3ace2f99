"""Half-life by count: lines of models, levels, and the cloud of pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.plots.half_lives.half_life_count import APART, Level, ModelCurve, cloud_of, draw
from hebb_lab.plots.half_lives.models import look_of
from hebb_lab.plots.style import BLACK
from tests.plots.half_lives.made import ABOUT, MODELS, of_colour
from tests.plots.looking import outside, overlapping, words

COUNT = np.geomspace(1, 300, 30)
LEVELS = [Level("personal", 30), Level("shared", 60), Level("ephemeral", 3)]
NONE = cloud_of(np.empty(0, dtype=np.int64), np.empty(0))


def curve(model, days=12.0, band=False):
    line = days * COUNT**0.25
    return ModelCurve(model, COUNT, line, line * 0.8, line * 1.2) if band else ModelCurve(
        model, COUNT, line
    )  # fmt: skip


def pairs(count=4000, seed=3):
    rng = np.random.default_rng(seed)
    counts = np.minimum(rng.zipf(1.7, count), 400)
    return counts, 15 * counts**0.2 * np.exp(rng.normal(0, 0.5, count))


HOLES = ModelCurve("basis", COUNT, np.where(COUNT > 50, np.nan, 20.0))
CASES = {
    "nothing": ([], [], None),
    "no pairs": ([curve("heuristic_deployed")], LEVELS, NONE),
    "one pair": ([], [], cloud_of(np.array([1]), np.array([9.0]))),
    "as it is met": (
        [curve("heuristic_deployed", 13), curve("log_linear", band=True)],
        LEVELS,
        cloud_of(*pairs()),
    ),
    "holes": ([HOLES, ModelCurve("rate", COUNT, np.full(30, np.nan))], LEVELS, None),
    "crowded": (
        [curve(model, 3.0 + i) for i, model in enumerate(MODELS[5:])],
        [Level(f"namespace {i}", 2.0**i) for i in range(8)],
        cloud_of(*pairs()),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_or_covers_another(case):
    figure = draw(*CASES[case], ABOUT)
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_both_axes_are_logs_and_counts_begin_at_one():
    ax = draw(*CASES["as it is met"], ABOUT).axes[0]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert ax.get_xlim()[0] == 1
    assert draw(*CASES["one pair"], ABOUT).axes[0].get_xlim() == (1, 10)


def test_models_levels_and_pairs_are_named_and_drawn_as_given():
    curves, levels, cloud = CASES["as it is met"]
    figure = draw(curves, levels, cloud, ABOUT)
    ax = figure.axes[0]
    assert {"heuristic_deployed", "log_linear", "shared: 60 d"} <= set(words(figure))
    (line,) = of_colour(ax.lines, look_of("log_linear").colour)
    assert np.array_equal(line.get_ydata(), curves[1].days)
    (median,) = of_colour(ax.lines, BLACK)
    assert np.array_equal(median.get_ydata(), cloud.median)
    assert len(ax.collections) == 3  # two bands of pairs, one of a model


def test_the_numbers_below_add_up_to_all_pairs():
    ax = draw(*CASES["as it is met"], ABOUT).axes[0]
    below = [t.get_text().replace(",", "") for t in ax.texts]
    assert sum(int(text) for text in below if text.isdigit()) == 4000


@settings(deadline=None)
@given(st.lists(st.integers(1, 500), max_size=60), st.integers(1, 20))
def test_every_pair_is_in_the_cloud_once_and_counts_are_not_split(counts, least):
    count = np.array(counts, dtype=np.int64)
    cloud = cloud_of(count, count * 2.0, least)
    assert cloud.pairs.sum() == len(count)
    assert (cloud.pairs[:-1] >= least).all()
    assert (np.diff(cloud.count) > 0).all()
    assert cloud.pairs @ cloud.count == pytest.approx(count.sum())


def test_each_frequent_count_has_the_quantiles_of_its_own_pairs():
    counts, days = pairs()
    cloud = cloud_of(counts, days)
    assert cloud.count[:3].tolist() == [1, 2, 3]
    own = days[counts == 2]
    assert cloud.median[1] == np.median(own)
    assert [cloud.low_50[1], cloud.high_90[1]] == np.quantile(own, [0.25, 0.95]).tolist()
    assert (cloud.low_90 <= cloud.low_50).all()
    assert cloud.count[20] > APART * cloud.count[19]


def test_pairs_without_a_half_life_are_left_out():
    cloud = cloud_of(np.array([1, 2, 0]), np.array([np.nan, 5.0, 7.0]))
    assert (cloud.count.tolist(), cloud.pairs.tolist()) == ([2.0], [1])
