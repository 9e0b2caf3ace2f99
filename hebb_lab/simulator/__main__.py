"""``python -m hebb_lab.simulator``: the simulated log's statistics beside those of real logs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hebb_lab.errors import HebbLabError, InputError

PRESET_NAMES = ("team", "tiny", "large")  # PRESETS, without its imports, so that --help is quick


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.simulator",
        description="Simulate an agent's log and hold its statistics against those of real logs.",
    )
    parser.add_argument("--preset", default="team", choices=PRESET_NAMES)
    parser.add_argument("--seed", type=_seed, default=0, help="the first seed (default: 0)")
    parser.add_argument("--seeds", type=_count, default=3, help="how many seeds (default: 3)")
    parser.add_argument(
        "--against", type=Path, action="append", default=[], metavar="PATH",
        help="a log for a further column: a table of touches, or any log that a reader knows;"
        " may be repeated",
    )  # fmt: skip
    parser.add_argument("--output", type=Path, metavar="PATH", help="write the table as Markdown")
    return parser


def _seed(text: str) -> int:
    return _whole(text, 0)


def _count(text: str) -> int:
    return _whole(text, 1)


def _whole(text: str, least: int) -> int:
    """A whole number that is at least so large."""
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least {least}")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 2 when the user has something to mend."""
    options = parser().parse_args(arguments)
    try:
        if options.output is not None:
            _probe(options.output)
        _run(options)
    except HebbLabError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _run(options: argparse.Namespace) -> None:
    from hebb_lab.simulator import fidelity
    from hebb_lab.simulator.parameters import PRESETS

    real = {path.name: _statistics_of(path) for path in options.against}
    seeds = range(options.seed, options.seed + options.seeds)
    rows = fidelity.compare(fidelity.simulated_statistics(PRESETS[options.preset], seeds), real)
    cells = fidelity.table(rows, [*fidelity.REAL_SETS, *real])
    sys.stdout.write(f"{fidelity.as_columns(cells)}\n{fidelity.summary(rows)}\n")
    if options.output is not None:
        seeds_text = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}"
        title = f"# Simulated ({options.preset}, {seeds_text}) against real logs\n"
        options.output.write_text(
            f"{title}\n{fidelity.as_markdown(cells)}\n{fidelity.summary(rows)}\n", encoding="utf-8"
        )


def _probe(output: Path) -> None:
    """Open what is to be written, before the simulation is made for nothing."""
    if not output.parent.is_dir():
        raise InputError("no such folder", "Make it first", path=output.parent)
    try:
        new = not output.exists()
        output.open("a").close()
        if new:
            output.unlink()
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            "Give a file that you may write to with --output",
            path=output,
        ) from error


def _statistics_of(path: Path) -> dict[str, float]:
    """The statistics of a log on disk."""
    from hebb_lab.simulator.statistics import statistics
    from hebb_lab.telemetry.discover import read_log

    return statistics(read_log(path))


if __name__ == "__main__":
    sys.exit(main())
