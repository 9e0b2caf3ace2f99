"""A group of bars a category, the base's value across it."""

from hebb_lab.plots.layers.categories import Bar, draw
from tests.plots.looking import outside, overlapping, words

ABOUT = "locomo · question_to_evidence · n = 1,536 queries in 10 clusters"
BARS = [
    Bar(category, n, arm, 0.3 + 0.05 * i)
    for category, n in (("multi-hop", 282), ("single-hop", 841), ("temporal", 321))
    for i, arm in enumerate(("base", "full", "observed", "tuned", "a_rather_long_name_of_mine"))
]


def test_each_category_says_how_many_questions_it_has():
    text = words(draw(BARS, "base", "R@10", ABOUT))
    assert {"multi-hop (n = 282)", "single-hop (n = 841)", "temporal (n = 321)"} <= set(text)
    assert text.count("0.300") == 3


def test_the_base_is_grey_and_has_a_line_in_each_group():
    (axes,) = draw(BARS, "base", "R@10", ABOUT).axes
    assert len(axes.lines) == 3
    assert {line.get_xdata()[0] for line in axes.lines} == {0.3}


def test_nothing_is_cut_and_nothing_overlaps():
    figure = draw(BARS, "base", "R@10", ABOUT)
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_a_full_bar_keeps_its_number_inside_the_figure():
    figure = draw([Bar("all", 1, "base", 1.0)], "base", "R@10", ABOUT)
    assert outside(figure) == []


def test_nothing_found_at_all_is_drawn_too():
    assert outside(draw([Bar("all", 1, "base", 0.0)], "base", "R@10", ABOUT)) == []


def test_more_arms_than_colours_have_one_colour_and_no_two_share_theirs_by_chance():
    def drawn(count):
        arms = ["base", *(f"arm_{i}" for i in range(count))]
        (axes,) = draw([Bar("all", 1, arm, 0.5) for arm in arms], "base", "R@10", ABOUT).axes
        return [patch.get_facecolor() for patch in axes.patches]

    assert len(set(drawn(6))) == 7
    assert len(set(drawn(8))) == 2
