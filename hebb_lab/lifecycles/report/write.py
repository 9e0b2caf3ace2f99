"""leaderboard.*, memory.* and figures/ of runs on lives of memories, one by one and over many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.lifecycles.report.findings import findings_of
from hebb_lab.lifecycles.report.page import markdown_page
from hebb_lab.lifecycles.report.stored import Stored
from hebb_lab.runs import rebuild
from hebb_lab.runs.boards import settings_of
from hebb_lab.runs.layout import as_json, write_atomic
from hebb_lab.runs.rebuild import FIGURES, Options

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.lifecycles.report.findings import Findings
    from hebb_lab.runs import Run


def write_run(run: Run, out: Path, options: Options | None = None) -> Leaderboard:
    """Write what an ablation has, and beside it memory.md, memory.json and figures of days.

    Args:
        run: what to report.
        out: the folder to write to, mostly the run's own.
        options: formats and resamples.

    Raises:
        InputError: when the run's files cannot be read or do not fit its arms.
    """
    options = options or Options()
    board = rebuild.write_run(run, out, options)
    found = findings_of(Stored(run, board), settings_of(run, options.resamples))
    names = _figures(found, out, options)
    shown = next((ending for ending in ("png", "svg") if ending in options.formats), None)
    if "md" in options.formats:
        pictures = [f"![{name}](figures/{name}.{shown})\n" for name in names if shown]
        write_atomic(out / "memory.md", "\n".join([markdown_page(found), *pictures]))
    if "json" in options.formats:
        write_atomic(out / "memory.json", as_json(found.values()))
    return board


def _figures(found: Findings, out: Path, options: Options) -> list[str]:
    """Draw and save; the names of what was drawn. Old ones are gone with the ablation's."""
    endings = [ending for ending in options.formats if ending in FIGURES]
    if not endings:
        return []
    from hebb_lab.lifecycles.report.figures import figures_of
    from hebb_lab.plots.style import save

    names = []
    for name, figure in figures_of(found):
        save(figure, out / "figures" / name, endings)
        names.append(name)
    return names


def write_overall(
    boards: Sequence[tuple[Run, Leaderboard]], out: Path, options: Options | None = None,
    stem: str = "leaderboard",
) -> None:  # fmt: skip
    """Write leaderboard.* over many such runs, as for ablations."""
    rebuild.write_overall(boards, out, options, stem)
