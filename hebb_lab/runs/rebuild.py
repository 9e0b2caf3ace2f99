"""Tables and figures of stored runs, written from their folders alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hebb_lab.runs.layout import write_atomic
from hebb_lab.runs.reader import Run

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.plots.gallery import Figures

TABLES = ("md", "csv", "json", "tex")
FIGURES = ("png", "svg", "pdf")


@dataclass(frozen=True)
class Options:
    """What to write, and how precisely.

    Args:
        formats: of TABLES and FIGURES.
        resamples: of the bootstrap; each run's own when absent.
    """

    formats: tuple[str, ...] = (*TABLES, "png")
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
    from hebb_lab.runs.effects import effects_of

    options = options or Options()
    board, settings = board_of(run, options.resamples), settings_of(run, options.resamples)
    effects = effects_of(run, settings)
    figures = gallery.of_run(run, board, settings.resamples, effects)
    _write(board, figures, out, options, effects)
    return board


def write_overall(
    boards: Sequence[tuple[Run, Leaderboard]], out: Path, options: Options | None = None,
    stem: str = "leaderboard",
) -> None:  # fmt: skip
    """Write leaderboard.* over many runs, and the means over the data sets of comparable ones.

    Args:
        boards: each run with its leaderboard.
        out: the folder to write to.
        options: formats and resamples.
        stem: name of the tables, without ending.
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
    before = "" if stem == "leaderboard" else f"{stem.removeprefix('leaderboard_')}_"

    def figures() -> Figures:
        for number, (board, group) in enumerate(zip(means.values(), groups, strict=True), start=1):
            resamples = made.settings_of(group[0], options.resamples).resamples
            for name, figure in gallery.of_macro(board, group, resamples):
                ending = "" if len(means) == 1 else f"_{number}"
                yield f"{before}macro_{name}{ending}", figure

    _write(whole, figures(), out, options, stem=stem, among=before)


def _write(
    board: Leaderboard,
    figures: Figures,
    out: Path,
    options: Options,
    effects: pl.DataFrame | None = None,
    stem: str = "leaderboard",
    among: str = "",
) -> None:
    from hebb_lab.evaluation import leaderboard as tables
    from hebb_lab.plots.style import save
    from hebb_lab.runs import effects as parts

    out.mkdir(parents=True, exist_ok=True)
    endings = [ending for ending in options.formats if ending in FIGURES]
    names = []
    if endings:
        for name, figure in figures:
            save(figure, out / "figures" / name, endings)
            names.append(name)
    forget_old(out / "figures", names, endings, among)
    shown = next((ending for ending in ("png", "svg") if ending in endings), None)
    said = [] if effects is None or effects.is_empty() else [parts.markdown(effects)]
    if said and effects is not None:
        write_atomic(out / "attribution.csv", effects.write_csv())
    pictures = [f"![{name}](figures/{name}.{shown})\n" for name in names if shown]
    spell = {
        "md": lambda: "\n".join([tables.markdown(board), *said, *pictures]),
        "csv": lambda: tables.csv(board),
        "json": lambda: tables.as_json(board),
        "tex": lambda: tables.latex(board),
    }
    for ending in options.formats:
        if ending in spell:
            write_atomic(out / f"{stem}.{ending}", spell[ending]())


def forget_old(
    folder: Path, names: Sequence[str], endings: Sequence[str], among: str = ""
) -> None:  # fmt: skip
    """Remove figures that this report no longer makes: they would show what is no longer true.

    Only those whose names begin with ``among`` are looked at: others are of another kind of run.
    """
    for ending in endings:
        for path in folder.glob(f"{among}*.{ending}"):
            if path.stem not in names:
                path.unlink()
