"""A page has the tables in their order, in both spellings."""

from hebb_lab.halflife.report.board import board_of
from hebb_lab.halflife.report.page import latex, markdown
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
