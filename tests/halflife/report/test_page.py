"""A page has the tables in their order, in both spellings."""

from hebb_lab.halflife.report.board import board_of
from hebb_lab.halflife.report.page import UNDER, latex, markdown, pictures
from hebb_lab.runs import read_run


def test_models_half_lives_and_verdicts_follow_each_other(once):
    board = board_of(read_run(once))
    text = markdown(board)
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads == [
        "## world:tiny · half-life", "### Half-lives, fitted to the whole log",
        "### Does a learned half-life help?",
    ]  # fmt: skip
    assert latex(board).count(r"\begin{tabular}") == 3


def test_under_the_figure_of_survival_it_is_said_from_where_on_curves_compare(once):
    first, second, *_ = pictures(board_of(read_run(once)), ["survival", "half_life_count"], "svg")
    assert first == f"![survival](figures/survival.svg)\n\n{UNDER['survival']}\n"
    assert second == "![half_life_count](figures/half_life_count.svg)\n"


def test_that_there_is_no_figure_of_posteriors_is_said(once):
    board = board_of(read_run(once))
    assert "no figure of posteriors" in pictures(board, ["survival"], "png")[-1]
    assert "no figure" not in pictures(board, ["posteriors_frailty"], "png")[-1]
    for told in board.stored.curves["models"].values():
        told.pop("posteriors", None)
    assert "no figure" not in pictures(board, ["survival"], "png")[-1]
