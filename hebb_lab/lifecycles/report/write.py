"""leaderboard.*, memory.* and figures/ of runs on lives of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.lifecycles.report.findings import findings_of
from hebb_lab.lifecycles.report.page import markdown_page
from hebb_lab.lifecycles.report.stored import Stored
from hebb_lab.pages.pictures import pictures, write_page
from hebb_lab.runs import rebuild
from hebb_lab.runs.boards import settings_of
from hebb_lab.runs.layout import as_json, write_atomic
from hebb_lab.runs.rebuild import Options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.figure import Figure

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
    names = pictures(lambda: _drawn(found), out, options)
    write_page(out / "memory.md", markdown_page(found), names, options)
    if "json" in options.formats:
        write_atomic(out / "memory.json", as_json(found.values()))
    return board


def _drawn(found: Findings) -> Iterator[tuple[str, Figure]]:
    from hebb_lab.lifecycles.report.figures import figures_of  # matplotlib only where it draws

    return figures_of(found)
