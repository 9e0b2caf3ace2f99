"""A board as one page of Markdown or LaTeX: all its tables with what must be said under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.halflife.report.tables import (
    half_life_table,
    latex_table,
    markdown_table,
    models_table,
)
from hebb_lab.halflife.report.verdicts import legend, verdict_table

if TYPE_CHECKING:
    from hebb_lab.halflife.report.board import Board
    from hebb_lab.halflife.report.tables import Table


def markdown(board: Board) -> str:
    """The table of models with its notes, the half-lives, and the verdicts with their legend."""
    parts = [
        markdown_table(models_table(board)),
        *(f"- {note}" for note in board.notes), "",
        markdown_table(half_life_table(board)),
    ]  # fmt: skip
    if board.claims:
        parts += [markdown_table(_verdicts(board)), legend(board.stored, board.notes), ""]
    return "\n".join(parts)


def latex(board: Board) -> str:
    """The tables of ``markdown`` for booktabs."""
    parts = [
        latex_table(models_table(board), board.notes),
        latex_table(half_life_table(board), ()),
    ]
    if board.claims:
        parts.append(latex_table(_verdicts(board), [legend(board.stored, board.notes)]))
    return "\n".join(parts)


def _verdicts(board: Board) -> Table:
    return verdict_table(board.stored, [claim._asdict() for claim in board.claims])
