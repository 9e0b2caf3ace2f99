"""`python -m hebb_lab.report runs/`: leaderboards and figures, rebuilt from run folders alone."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hebb_lab.errors import HebbLabError

if TYPE_CHECKING:
    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.plots.gallery import Figures
    from hebb_lab.runs import Run

TABLES = ("md", "csv", "json", "tex")
FIGURES = ("png", "svg", "pdf")


@dataclass(frozen=True)
class Options:
    """What to write, and how precisely.

    Args:
        formats: of TABLES and FIGURES.
        resamples: of the bootstrap; each run's own when absent.
    """

    formats: tuple[str, ...] = (*TABLES, "png", "svg")
    resamples: int | None = None


def write_run(run: Run, out: Path, options: Options | None = None) -> Leaderboard:
    """Write leaderboard.* and figures/ of one run.

    Args:
        run: what to report.
        out: the folder to write to, mostly the run's own.
        options: formats and resamples.

    Raises:
        InputError: when the run's rows cannot be read or do not fit its arms.
    """
    from hebb_lab.plots import gallery
    from hebb_lab.runs.boards import board_of, settings_of

    options = options or Options()
    board = board_of(run, options.resamples)
    resamples = settings_of(run, options.resamples).resamples
    _write(board, gallery.of_run(run, board, resamples), out, options)
    return board


def write_overall(
    boards: Sequence[tuple[Run, Leaderboard]], out: Path, options: Options | None = None
) -> None:
    """Write leaderboard.* over many runs, and the means over the data sets of comparable ones.

    Args:
        boards: each run with its leaderboard.
        out: the folder to write to.
        options: formats and resamples.
    """
    from hebb_lab.evaluation.leaderboard import merge
    from hebb_lab.plots import gallery
    from hebb_lab.runs import boards as made

    options = options or Options()
    runs = [run for run, _ in boards]
    named = made.titles(runs)
    own = {named[str(run.folder)]: board for run, board in boards}
    groups = made.comparable(runs)
    means = {
        made.macro_title(group, groups): made.macro_of(group, options.resamples) for group in groups
    }
    whole = merge([made.side_by_side(means), made.side_by_side(own)])

    def figures() -> Figures:
        for number, (board, group) in enumerate(zip(means.values(), groups, strict=True), start=1):
            for name, figure in gallery.of_macro(board, [r.dataset["name"] for r in group]):
                yield f"macro_{name}" + ("" if len(means) == 1 else f"_{number}"), figure

    _write(whole, figures(), out, options)


def _write(board: Leaderboard, figures: Figures, out: Path, options: Options) -> None:
    from hebb_lab.evaluation import leaderboard as tables
    from hebb_lab.plots.style import save
    from hebb_lab.runs import write_atomic

    out.mkdir(parents=True, exist_ok=True)
    endings = [ending for ending in options.formats if ending in FIGURES]
    names = []
    if endings:
        for name, figure in figures:
            save(figure, out / "figures" / name, endings)
            names.append(name)
    _forget_old(out / "figures", names, endings)
    shown = next((ending for ending in ("png", "svg") if ending in endings), None)
    pictures = [f"![{name}](figures/{name}.{shown})\n" for name in names if shown]
    spell = {
        "md": lambda: "\n".join([tables.markdown(board), *pictures]),
        "csv": lambda: tables.csv(board),
        "json": lambda: tables.as_json(board),
        "tex": lambda: tables.latex(board),
    }
    for ending in options.formats:
        if ending in spell:
            write_atomic(out / f"leaderboard.{ending}", spell[ending]())


def _forget_old(folder: Path, names: Sequence[str], endings: Sequence[str]) -> None:
    """A figure that this report no longer makes would show what is no longer true."""
    for ending in endings:
        for path in folder.glob(f"*.{ending}"):
            if path.stem not in names:
                path.unlink()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.report",
        description="Make leaderboards and figures from run folders, as often as you like.",
        epilog="Exit code: 0 all is well; 1 a run is broken, unfinished or has failed arms; "
        "2 the folder is missing or holds no run.",
    )
    parser.add_argument("runs", type=Path, help="runs/, runs/EXPERIMENT or one run's folder")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT", help="write here instead of into the run folders"
    )
    parser.add_argument(
        "--format",
        nargs="+",
        choices=(*TABLES, *FIGURES),
        default=Options().formats,
        help="what to write (default: %(default)s)",
    )
    parser.add_argument(
        "--resamples",
        type=_positive,
        metavar="N",
        help="resamples of the bootstrap (default: as many as each run asked for)",
    )
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def _place(run: Run, root: Path, out: Path | None) -> Path:
    """Where the report of a run goes."""
    if out is None:
        return run.folder
    return out if run.folder == root else out / run.result["experiment"] / run.result["run_id"]


def _report(root: Path, out: Path | None, options: Options) -> list[str]:
    """Write everything and give the sentences about what is not well."""
    from hebb_lab.runs import find_runs, read_run

    whole, partial = find_runs(root)
    problems = [f"{p}: unfinished. Run it again and it goes on where it stopped." for p in partial]
    boards = []
    for folder in _progress(whole):
        try:
            run = read_run(folder)
            board = write_run(run, _place(run, root, out), options)
        except HebbLabError as error:
            problems.append(str(error))
            continue
        except Exception as error:  # one broken run must not hide the others
            problems.append(f"{folder}: broken ({type(error).__name__}: {error}). Run it again.")
            continue
        boards.append((run, board))
        if run.failed:
            names = ", ".join(run.failed)
            problems.append(f"{folder}: failed arms: {names}. Run it again to try them again.")
    if boards and whole != [root]:
        write_overall(boards, out or root, options)
    return problems


def _progress(folders: Sequence[Path]) -> Iterator[Path]:
    """The folders one by one, with a bar where somebody is watching."""
    if not sys.stderr.isatty():
        yield from folders
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(folders, "reports", console=Console(stderr=True), transient=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Report on run folders; gives the exit code."""
    chosen = _parser().parse_args(arguments)
    options = Options(tuple(chosen.format), chosen.resamples)
    try:
        problems = _report(chosen.runs, chosen.out, options)
    except HebbLabError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stderr.writelines(f"{problem}\n" for problem in problems)
    table = (chosen.out or chosen.runs) / "leaderboard.md"
    if table.exists():
        sys.stdout.write(f"{table}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
