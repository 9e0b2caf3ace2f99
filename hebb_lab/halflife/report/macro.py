"""Means over projects: the losses of several half-life runs that were asked the same."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.evaluation.calibration import WEIGHTINGS, macro_comparison
from hebb_lab.halflife.protocol.settings import RATE
from hebb_lab.halflife.report.board import TASK
from hebb_lab.halflife.report.scores import PARTIAL, Delta, at
from hebb_lab.halflife.report.stored import GROUPS
from hebb_lab.halflife.report.tables import Table, difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.evaluation.calibration import MacroComparison
    from hebb_lab.halflife.report.board import Board

MADE_UP = ("simulated", "world")
"""Readers whose data sets are a sample of nothing."""
LEAST_PROJECTS = 8
"""Of an interval: BCa ends over fewer are the least and the greatest of them, not 99 %."""
_SAID = {"unit": "", "event": " (event-weighted)", "log": " (log-weighted)"}


@dataclass(frozen=True)
class Macro:
    """One loss over several projects.

    Args:
        boards: one a project, each with the loss.
        loss: name of the loss.
        models: those with a loss in every project.
        found: rival → comparison with it.
    """

    boards: Sequence[Board]
    loss: str
    models: list[str]
    found: Mapping[str, MacroComparison]

    @property
    def title(self) -> str:
        """``macro(3)``."""
        return f"macro({len(self.boards)})"

    def delta(self, rival: str, model: str, weighting: str = "unit") -> Delta | None:
        """Mean difference to a rival with its BCa interval, by the same weights.

        NaN ends with fewer than LEAST_PROJECTS projects.
        """
        if model == rival or rival not in self.found:
            return None
        comparison, row = self.found[rival], self.models.index(model)
        place = WEIGHTINGS.index(weighting)
        low, high = (math.nan,) * 2 if self.silent else comparison.interval[row, place]
        return Delta(float(comparison.delta[row, place]), float(low), float(high))

    def mean(self, model: str, weighting: str = "unit") -> float:
        """Mean loss."""
        comparison = next(iter(self.found.values()))
        return float(comparison.mean[self.models.index(model), WEIGHTINGS.index(weighting)])

    @property
    def decimals(self) -> int:
        """Of its losses: as many as the project with the smallest ones needs."""
        if self.loss == PARTIAL:
            return 4
        return max(board.stored.decimals(board.stored.horizons[0]) for board in self.boards)

    @property
    def silent(self) -> str:
        """Why there are no intervals; empty where there are."""
        count = len(self.boards)
        few = f"{count} projects, and an interval needs {LEAST_PROJECTS}"
        return few if count < LEAST_PROJECTS else ""

    @property
    def notes(self) -> list[str]:
        """What belongs under the table."""
        names = ", ".join(str(board.stored.run.dataset["name"]) for board in self.boards)
        caution = next(iter(self.found.values())).caution
        level = f"{100 * self.boards[0].stored.result['settings']['confidence']:g} %"
        ends = "" if self.silent else f" {level} BCa intervals over projects;"
        said = [f"no interval: {self.silent}"] if self.silent else []
        said += [caution] if caution else []
        return [
            f"Projects: {names}. Means in which each project counts the same, its events, or the"
            f" logarithm of them;{ends} p: Wilcoxon signed-rank test over projects, Holm over the"
            " models; r: its effect size; better: share of projects.",
            *([f"Caution: {'; '.join(said)}."] if said else []),
        ]


def comparable(boards: Sequence[Board]) -> list[list[Board]]:
    """Groups of two or more projects that were asked the same.

    Of two runs on one data set the later one counts, by the end of its log.
    """
    groups: dict[str, dict[str, Board]] = {}
    for board in sorted(boards, key=_age):
        run = board.stored.run
        if str(run.dataset["name"]).partition(":")[0] in MADE_UP:
            continue
        settings = {k: v for k, v in run.result["settings"].items() if k != "stride_days"}
        asked = [run.result["experiment"], run.result["seed"], settings, list(run.arms)]
        key = json.dumps(asked, sort_keys=True)
        groups.setdefault(key, {})[run.dataset["name"]] = board
    return [
        sorted(group.values(), key=lambda board: str(board.stored.run.dataset["name"]))
        for group in groups.values()
        if len(group) > 1
    ]


def _age(board: Board) -> tuple[int, int, str]:
    dataset = board.stored.run.dataset
    return dataset.get("window_last") or 0, dataset.get("events") or 0, board.stored.run.name


def macros_of(group: Sequence[Board], resamples: int | None = None) -> list[Macro]:
    """Both losses of a group, as far as two projects have them."""
    headline = at("log_loss", group[0].stored.horizons[0])
    made = [_macro(group, loss, resamples) for loss in (PARTIAL, headline)]
    return [macro for macro in made if macro is not None]


def _macro(group: Sequence[Board], loss: str, resamples: int | None) -> Macro | None:
    boards = [board for board in group if board.scores.sizes.get(loss)]
    if len(boards) < 2:
        return None
    first = boards[0].stored
    models = [m for m in first.models if all(_has(board, m, loss) for board in boards)]
    table = np.array([[b.scores.values[m][loss] for b in boards] for m in models])
    events = np.array([board.scores.sizes[loss] for board in boards])
    settings, found = first.result["settings"], {}
    for rival in dict.fromkeys((first.heuristic, RATE)):
        if rival in models:
            key = f"{first.result['seed']}\n{loss}\n{rival}\nmacro".encode()
            rng = np.random.default_rng(list(hashlib.sha256(key).digest()))
            found[rival] = macro_comparison(
                table, events, models.index(rival), rng, resamples or settings["resamples"],
                settings["confidence"],
            )  # fmt: skip
    return Macro(boards, loss, models, found) if found else None


def _has(board: Board, model: str, loss: str) -> bool:
    return math.isfinite(board.scores.values.get(model, {}).get(loss, math.nan))


def rows_of(macro: Macro) -> list[dict[str, Any]]:
    """Rows as those of a run, one a model and weighting."""
    entries, rows = macro.boards[0].stored.models, []
    rivals = {"heuristic": macro.boards[0].stored.heuristic, "rate": RATE}
    for weighting in WEIGHTINGS:
        for place, model in enumerate(macro.models):
            row: dict[str, Any] = {
                "dataset": macro.title, "dataset_sha256": None, "task": TASK, "arm": model,
                "group": GROUPS[entries[model]["kind"]], "status": "ok",
                "metric": macro.loss + _SAID[weighting], "value": macro.mean(model, weighting),
                "n": len(macro.boards),
            }  # fmt: skip
            for label, rival in rivals.items():
                delta = macro.delta(rival, model, weighting)
                row[f"delta_{label}"] = None if delta is None else _plain(delta.value)
                known = delta is not None and math.isfinite(delta.low)
                row[f"delta_{label}_interval"] = list(delta[1:]) if known and delta else None
                if rival in macro.found and weighting == "unit":
                    comparison = macro.found[rival]
                    row |= {
                        f"p_holm_{label}": _plain(comparison.p_holm[place]),
                        f"effect_{label}": _plain(comparison.effect[place]),
                        f"better_{label}": _plain(comparison.better[place]),
                    }
            rows.append(row)
    return rows


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def table_of(macro: Macro) -> Table:
    """One row a model; differences in all three weightings."""
    head, cells = ["model", macro.loss], []
    for rival in macro.found:
        head += [f"Δ {rival}{_SAID[w]}" for w in WEIGHTINGS] + ["p", "r", "better"]
    for place, model in enumerate(macro.models):
        cell = [model, f"{macro.mean(model):.{macro.decimals}f}"]
        for rival, comparison in macro.found.items():
            cell += [difference(macro.delta(rival, model, w), macro.decimals) for w in WEIGHTINGS]
            cell += [_short(v[place]) for v in (comparison.p_holm, comparison.effect)]
            better = comparison.better[place]
            cell.append("–" if math.isnan(better) else f"{better:.0%}")
        cells.append(cell)
    return Table(f"{macro.title} · {macro.loss}", head, cells, set())


def _short(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"
