"""`python -m hebb_lab.report runs/`: leaderboards and figures, rebuilt from run folders alone."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hebb_lab.errors import ConfigError, HebbLabError
from hebb_lab.kinds import write_overall, write_run
from hebb_lab.runs.reader import Run, find_runs, read_run
from hebb_lab.runs.rebuild import FIGURES, TABLES, Options

__all__ = ["Options", "main", "write_overall", "write_run"]

_SHOWN = (
    "layers.md", "leaderboard.md", "leaderboard_halflife.md", "leaderboard_layers.md", "figures",
)  # fmt: skip
"""What is named at the end, where it was written."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.report",
        description="Make leaderboards and figures from run folders, as often as you like.",
        epilog="Exit code: 0 all is well; 1 a run is broken, unfinished or has failed arms; "
        "2 the folder is missing or holds no run, or the report cannot be written.",
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
        help=f"what to write (default: {' '.join(Options().formats)})",
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


def _probe(place: Path) -> None:
    """Make the folder and write into it, before the long work is done for nothing."""
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=place):
        pass


def _unwritable(place: Path, error: OSError) -> ConfigError:
    """The sentence about a folder, or a file in it, that cannot be written."""
    return ConfigError(
        f"the report cannot be written here ({error.strerror or error})",
        "Make it a folder that you may write to, or name another one with -o OUT",
        place,
    )


def _report(root: Path, out: Path | None, options: Options) -> tuple[list[str], list[str]]:
    """Write everything; sentences about what is not well, and about what cannot be written."""
    whole, partial = find_runs(root)
    problems = [f"{p}: unfinished. Run it again and it goes on where it stopped." for p in partial]
    blocked: list[str] = []
    boards = []
    if out is not None:
        try:
            _probe(out)
        except OSError as error:
            raise _unwritable(out, error) from error
    for folder in _progress(whole):
        place = folder
        try:
            run = read_run(folder)
            place = _place(run, root, out)
            _probe(place)
            board = write_run(run, place, options)
        except HebbLabError as error:
            problems.append(str(error))
            continue
        except OSError as error:  # what cannot be read is an InputError
            blocked.append(str(_unwritable(place, error)))
            continue
        except Exception as error:  # one broken run must not hide the others
            problems.append(f"{folder}: broken ({type(error).__name__}: {error}). Run it again.")
            continue
        boards.append((run, board))
        if run.failed:
            names = ", ".join(run.failed)
            problems.append(f"{folder}: failed arms: {names}. Run it again to try them again.")
    if boards and whole != [root]:
        try:
            _probe(out or root)
            write_overall(boards, out or root, options)
        except OSError as error:
            blocked.append(str(_unwritable(out or root, error)))
    return problems, blocked


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
        problems, blocked = _report(chosen.runs, chosen.out, options)
    except HebbLabError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stderr.writelines(f"{problem}\n" for problem in (*problems, *blocked))
    if blocked:
        return 2
    place = chosen.out or chosen.runs
    for name in _SHOWN:
        if (place / name).exists():
            sys.stdout.write(f"{place / name}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
