"""leaderboard.* and figures/ of half-life runs, one by one and over many."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hebb_lab.halflife.report import macro, page, tables
from hebb_lab.halflife.report.board import board_of
from hebb_lab.runs.layout import write_atomic
from hebb_lab.runs.rebuild import FIGURES, Options, forget_old

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from hebb_lab.halflife.report.board import Board
    from hebb_lab.runs import Run


def write_run(run: Run, out: Path, options: Options | None = None) -> Board:
    """Write leaderboard.* and figures/ of one run.

    Raises:
        InputError: when a file of the run cannot be read or does not fit.
    """
    from hebb_lab.halflife.report import figures

    options = options or Options()
    board = board_of(run, options.resamples)
    spell: dict[str, Callable[[], str]] = {
        "md": lambda: page.markdown(board),
        "csv": lambda: tables.csv(board.rows()),
        "json": lambda: tables.as_json(
            board.rows(), [claim._asdict() for claim in board.claims], board.notes
        ),
        "tex": lambda: page.latex(board),
    }
    names = _figures(figures.of_board(board), out, options)
    forget_old(out / "figures", names, [e for e in options.formats if e in FIGURES])
    _tables(spell, out, options, "leaderboard", partial(page.pictures, board, names))
    return board


def _figures(figures: Iterator[tuple[str, Figure]], out: Path, options: Options) -> list[str]:
    """Draw and save; the names of what was drawn."""
    from hebb_lab.plots.style import save

    endings = [ending for ending in options.formats if ending in FIGURES]
    names = []
    for name, figure in figures if endings else ():
        save(figure, out / "figures" / name, endings)
        names.append(name)
    return names


def _tables(
    spell: Mapping[str, Callable[[], str]], out: Path, options: Options, stem: str,
    pictures: Callable[[str], list[str]],
) -> None:  # fmt: skip
    """Write the tables; the figures stand below that in Markdown."""
    out.mkdir(parents=True, exist_ok=True)
    shown = next((ending for ending in ("png", "svg") if ending in options.formats), None)
    for ending in options.formats:
        if ending in spell:
            text = spell[ending]()
            if ending == "md" and shown:
                text = "\n".join([text, *pictures(shown)])
            write_atomic(out / f"{stem}.{ending}", text)


def write_overall(
    boards: Sequence[tuple[Run, Board]], out: Path, options: Options | None = None,
    stem: str = "leaderboard",
) -> None:  # fmt: skip
    """Write the boards of many runs side by side, and the means over projects.

    Args:
        boards: each run with its board.
        out: the folder to write to.
        options: formats and resamples.
        stem: name of the tables, without ending.
    """
    from hebb_lab.runs.boards import titles

    options = options or Options()
    named = titles([run for run, _ in boards])
    own = [(named[str(run.folder)], board) for run, board in boards]
    groups = macro.comparable([board for _, board in boards])
    means = [found for group in groups for found in macro.macros_of(group, options.resamples)]
    rows = [row for found in means for row in macro.rows_of(found)]
    rows += [{**row, "dataset": title} for title, board in own for row in board.rows()]
    claims = [
        {"dataset": title, **claim._asdict()} for title, board in own for claim in board.claims
    ]
    spell: dict[str, Callable[[], str]] = {
        "md": lambda: "\n".join([*map(_macro_text, means), *(_titled(*one) for one in own)]),
        "csv": lambda: tables.csv(rows),
        "json": lambda: tables.as_json(rows, claims),
        "tex": lambda: "\n".join(
            [
                *(tables.latex_table(macro.table_of(found), found.notes) for found in means),
                *(page.latex(board) for _, board in own),
            ]
        ),
    }
    names = _figures(_macro_figures(means), out, options)
    for old in (out / "figures").glob("macro_half_life_*"):  # those of ablations stay
        if old.stem not in names and old.suffix[1:] in options.formats:
            old.unlink()
    _tables(
        spell, out, options, stem, lambda ending: [page.picture(name, ending) for name in names]
    )


def _macro_text(found: macro.Macro) -> str:
    notes = [f"- {note}" for note in found.notes]
    return "\n".join([tables.markdown_table(macro.table_of(found)), *notes, ""])


def _titled(title: str, board: Board) -> str:
    """The tables of one run, under a title that no other has."""
    own = f"## {board.stored.run.dataset['name']} · half-life"
    return page.markdown(board).replace(own, f"## {title} · half-life", 1)


def _macro_figures(means: Sequence[macro.Macro]) -> Iterator[tuple[str, Figure]]:
    """One forest a loss; numbered where several groups have a mean."""
    from hebb_lab.halflife.report.figures import macro_forest

    for number, found in enumerate(means, start=1):
        yield f"macro_half_life_{number}", macro_forest(found)
