"""leaderboard.*, layers.* and figures/ of layers runs."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from hebb_lab.layers.report.effects import KINDS
from hebb_lab.layers.report.findings import findings_of
from hebb_lab.layers.report.page import markdown_page
from hebb_lab.layers.report.stored import Stored
from hebb_lab.pages.pictures import pictures, write_page
from hebb_lab.runs import rebuild
from hebb_lab.runs.boards import settings_of
from hebb_lab.runs.layout import as_json, write_atomic
from hebb_lab.runs.rebuild import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.layers.report.effects import LayerRow
    from hebb_lab.layers.report.findings import Findings
    from hebb_lab.runs import Run

WORK = (
    "n", "found", "listed", "gold", "listed_at_10", "gold_at_10", "lost_at_10", "lost_gold_at_10",
    "queries", "tokens", "ms_per_query", "bytes", "edges", "expansion_rate", "learning_seconds",
)  # fmt: skip
"""What a layer did, as columns."""


def write_run(run: Run, out: Path, options: Options | None = None) -> Leaderboard:
    """Write what an ablation has, and beside it layers.md, .json, .csv and three figures a task.

    Args:
        run: what to report.
        out: the folder to write to, mostly the run's own.
        options: formats and resamples.

    Raises:
        InputError: when the run's files cannot be read or do not fit its arms.
    """
    options = options or Options()
    board = rebuild.write_run(run, out, options)
    stored, settings = Stored(run, board), settings_of(run, options.resamples)
    found = findings_of(stored, settings)
    names = pictures(lambda: _drawn(found), out, options)
    write_page(out / "layers.md", markdown_page(found), names, options)
    if "csv" in options.formats:
        write_atomic(out / "layers.csv", as_csv(found.rows))
    if "json" in options.formats:
        write_atomic(out / "layers.json", as_json(found.values()))
    return board


def _drawn(found: Findings) -> Iterator[tuple[str, Figure]]:
    from hebb_lab.layers.report.figures import figures_of  # matplotlib only where it draws

    return figures_of(found)


def as_csv(rows: Sequence[LayerRow]) -> str:
    """One line for each task, layer and metric."""
    text = io.StringIO()
    ways = ("value", "low", "high", "p", "verdict")
    head = ["task", "layer", "metric", *(f"{kind}_{way}" for kind in KINDS for way in ways)]
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*head, *WORK, "note"])
    for row in rows:
        for metric, kinds in row.effects.items():
            numbers: list[Any] = []
            for kind in KINDS:
                effect = kinds[kind]
                ends = effect.interval or ("", "")
                numbers += [effect.value, *ends, effect.p, effect.verdict]
            done = [row.work.get(name) for name in WORK]
            lines.writerow([row.task, row.layer, metric, *numbers, *done, row.note])
    return text.getvalue()
