"""Claims as one small table: a row a model, a column a loss, and one sentence that explains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.halflife.protocol.settings import RATE
from hebb_lab.halflife.report.scores import PARTIAL, at
from hebb_lab.halflife.report.tables import Table
from hebb_lab.plots.half_lives.axes import in_days

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.halflife.report.stored import Stored

TITLE = "Does a learned half-life help?"
NO_INTERVAL = "No interval for the"
"""How the note begins that says why a loss has none."""


def verdict_table(stored: Stored, claims: Sequence[Mapping[str, str]]) -> Table:
    """What each loss says of each learned model.

    Args:
        stored: the run.
        claims: as in leaderboard.json.
    """
    head = ["model", f"by {PARTIAL}", f"by log loss at {in_days(stored.horizons[0])}"]
    cells = [[claim["model"], claim["by_partial"], claim["by_log_loss"]] for claim in claims]
    return Table(TITLE, head, cells, set(), left=tuple(head), level=3)


def legend(stored: Stored, notes: Sequence[str]) -> str:
    """What "helps" means, and why an interval is absent.

    Args:
        stored: the run.
        notes: of the board, those on absent intervals among them.
    """
    level = f"{100 * stored.result['settings']['confidence']:g} %"
    rivals = list(dict.fromkeys((stored.heuristic, RATE)))
    against = "both " * (len(rivals) > 1) + " and ".join(rivals)
    said = f'"helps": the {level} interval of Δ lies below 0 against {against}'
    learned = [name for name in stored.scored if stored.models[name]["kind"] == "learned"]
    if not all(map(stored.fades, learned)):
        said += '; "not by fading": the interval of its half-life reaches up to no decay at all'
    shown = tuple(
        f"{NO_INTERVAL} {loss}:" for loss in (PARTIAL, at("log_loss", stored.horizons[0]))
    )
    silent = [n.rstrip(".") for n in notes if n.startswith(shown)]
    return "; ".join([said, *(n[0].lower() + n[1:] for n in silent)]) + "."
