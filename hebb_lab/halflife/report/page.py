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
    from collections.abc import Sequence

    from hebb_lab.halflife.report.board import Board
    from hebb_lab.halflife.report.tables import Table


UNDER = {
    "survival": (
        "Predictions take recalls to go on at their mean pace of late, nights and pauses among it."
        " Right after an activation the work is still going on as a rule, so within hours more"
        " comes back than any model says: compare the curves from a day on."
    )
}
"""What must be said under a figure."""


def pictures(board: Board, names: Sequence[str], ending: str) -> list[str]:
    """The figures of a page, each with what must be said under it, and why one is absent.

    Args:
        board: of the run.
        names: of the figures that were drawn.
        ending: of their files.
    """
    shown = [picture(name, ending) for name in names]
    models = board.stored.curves["models"].values()
    shares = any(told.get("posteriors") for told in models)
    if shares and not any(name.startswith("posteriors") for name in names):
        each = board.stored.result["settings"]["group_by"]
        shown.append(
            f"There is no figure of posteriors: half-lives share a prior where at least three"
            f" {each}s have one, and here there are fewer.\n"
        )
    return shown


def picture(name: str, ending: str) -> str:
    """A figure, with what must be said under it."""
    said = f"\n{UNDER[name]}\n" if name in UNDER else ""
    return f"![{name}](figures/{name}.{ending})\n{said}"


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
