"""leaderboard.* and figures/ of runs on the lives of memories, one by one and over many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.runs import rebuild

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.runs import Run
    from hebb_lab.runs.rebuild import Options


def write_run(run: Run, out: Path, options: Options | None = None) -> Leaderboard:
    """Write what an ablation has.

    Args:
        run: what to report.
        out: the folder to write to, mostly the run's own.
        options: formats and resamples.

    Raises:
        InputError: when the run's files cannot be read or do not fit its arms.
    """
    return rebuild.write_run(run, out, options)


def write_overall(
    boards: Sequence[tuple[Run, Leaderboard]], out: Path, options: Options | None = None,
    stem: str = "leaderboard",
) -> None:  # fmt: skip
    """Write leaderboard.* over many such runs, as for ablations."""
    rebuild.write_overall(boards, out, options, stem)
