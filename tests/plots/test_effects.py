"""How an effect is read: which way is better, and what tells it from chance."""

import pytest
from matplotlib.figure import Figure

from hebb_lab.plots.effects import Columns, Effect, Reading, are_cut, draw_rows, in_rows
from hebb_lab.plots.style import BLUE, QUIET, VERMILION
from tests.plots.looking import words

LOSS = Reading(level=99, lower_is_better=True, by_interval=True, decimals=4)
EFFECTS = [
    Effect("worse", "x", 0.4, 0.02, (0.01, 0.03)),
    Effect("failed", "x", status="failed"),
    Effect("better", "x", 0.3, -0.00217, (-0.003, -0.001)),
    Effect("other", "y", 0.35, -0.001, (-0.003, 0.001), 0.001),
]


@pytest.mark.parametrize(
    ("interval", "colour"),
    [((-0.3, -0.1), BLUE), ((-0.3, 0.0), QUIET), (None, QUIET)],
)
def test_by_its_interval_an_effect_is_told_from_chance_where_zero_is_left_out(interval, colour):
    assert LOSS.colour(Effect("a", "x", 0.5, -0.2, interval, 0.9)) == colour


def test_a_lower_loss_is_better_and_comes_first():
    assert [LOSS.colour(effect) for effect in EFFECTS] == [VERMILION, QUIET, BLUE, QUIET]
    rows = [row if isinstance(row, str) else row.arm for row in in_rows(EFFECTS, LOSS)]
    assert rows == ["x", "better", "worse", "failed", "y", "other"]
    assert [row.arm for row in in_rows(EFFECTS, Reading())[1:3]] == ["worse", "better"]


def test_numbers_have_the_decimals_asked_for_and_rows_the_words_given():
    reading = Reading(decimals=4, said={"failed": "gave up", "inert": "same"})
    same = Effect("twin", "y", 0.35, 0.0, inert=True)
    ax = Figure().add_subplot()
    draw_rows(ax, in_rows([*EFFECTS, same], reading), reading, Columns(-1, 1.2, 1.4), ("", "Δ"), 4)
    assert {"−0.0022", "0.3000", "gave up", "same", "0", "Δ"} <= set(words(ax.figure))


def test_a_second_panel_repeats_neither_names_nor_values():
    ax = Figure().add_subplot()
    columns = Columns(0, None, 1.4, named=False)
    draw_rows(ax, in_rows(EFFECTS, LOSS), LOSS, columns, ("loss", "Δ"), 4)
    assert {"better", "x", "loss", "0.3000"} & set(words(ax.figure)) == set()
    assert "−0.0022" in words(ax.figure)


def test_far_intervals_are_cut_and_near_ones_are_not():
    far = Effect("constant", "x", 0.5, 0.9, (0.8, 1.0))
    assert are_cut([*EFFECTS, far])
    assert not are_cut(EFFECTS[:1])
