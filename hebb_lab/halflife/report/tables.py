"""A board as Markdown, CSV, JSON and LaTeX, all from the same rows."""

from __future__ import annotations

import csv as csv_files
import io
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hebb_lab.evaluation.leaderboard.tables import latex_text
from hebb_lab.halflife.report.stored import FELL, GROUPS
from hebb_lab.halflife.report.words import truth_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.halflife.report.board import Board, Column
    from hebb_lab.halflife.report.scores import Delta

MOST_GROUPS = 40
KEYS = (
    "dataset", "dataset_sha256", "task", "arm", "group", "status", "fell_back", "splits",
    "seconds_fit", "seconds_score", "seed", "commit", "metric", "value", "n", "delta_heuristic",
    "delta_heuristic_interval", "delta_rate", "delta_rate_interval", "interval", "verdict",
    "source", "p_holm_heuristic", "effect_heuristic", "better_heuristic", "p_holm_rate",
    "effect_rate", "better_rate",
)  # fmt: skip
"""Of a row, in the order of the CSV; the last six are of means over projects."""


@dataclass(frozen=True)
class Table:
    """Cells as text; those of ``best`` are the best of their column."""

    title: str
    head: list[str]
    cells: list[list[str]]
    best: set[tuple[int, int]]
    left: tuple[str, ...] = ("model", "kind", "group", "verdict", "")
    level: int = 2  # of its heading


def as_json(
    rows: Sequence[Mapping[str, Any]], claims: Sequence[Mapping[str, Any]] = (),
    notes: Sequence[str] = (),
) -> str:  # fmt: skip
    """``{"rows": [...], "claims": [...], "notes": [...]}``; what is not known is null."""

    def lines(values: Sequence[Any]) -> str:
        dumped = [json.dumps(value, ensure_ascii=False, allow_nan=False) for value in values]
        return ",\n".join(dumped)

    parts = {"rows": rows, "claims": claims, "notes": notes}
    return "{" + ", ".join(f'"{key}": [\n{lines(v)}\n]' for key, v in parts.items()) + "}\n"


def csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """One line a row; an interval takes two columns, ``_low`` and ``_high``."""
    heads = [end for key in KEYS for end in _ends(key)]
    text = io.StringIO()
    lines = csv_files.DictWriter(text, heads, lineterminator="\n")
    lines.writeheader()
    for row in rows:
        flat: dict[str, Any] = {}
        for key in KEYS:
            value = row.get(key)
            if len(_ends(key)) == 2:
                flat |= dict(zip(_ends(key), value or (None, None), strict=True))
            else:
                flat[key] = value
        lines.writerow(flat)
    return text.getvalue()


def _ends(key: str) -> tuple[str, ...]:
    return (f"{key}_low", f"{key}_high") if key.endswith("interval") else (key,)


def models_table(board: Board) -> Table:
    """One row a model: baselines, published rules, learned ones."""
    head = ["model", "kind"]
    models = board.stored.models
    cells = [[name, GROUPS[entry["kind"]]] for name, entry in models.items()]
    best: set[tuple[int, int]] = set()
    for column in board.columns:
        values = [board.scores.values.get(name, {}).get(column.metric) for name in models]
        shown = [_decimal(value, column.decimals) for value in values]
        best |= {(row, len(head)) for row in _best(values, shown, column, list(models))}
        head.append(column.label)
        for cell, name, text in zip(cells, models, shown, strict=True):
            fell = text != "–" and board.stored.fallen_share(name, column.days) > 0
            cell.append(text + FELL * fell)
        for rival in board.rivals if column.compared else ():
            head.append(f"Δ {rival}")
            for cell, name in zip(cells, models, strict=True):
                delta = board.scores.delta(column.metric, rival, name)
                cell.append(difference(delta, column.decimals))
    head += ["fell back", "s"]
    for cell, entry in zip(cells, models.values(), strict=True):
        cell += _costs(entry)
    return Table(f"{board.stored.run.dataset['name']} · half-life", head, cells, best)


def _best(
    values: Sequence[float | None], shown: Sequence[str], column: Column, models: Sequence[str]
) -> set[int]:
    """Rows of the best value; the oracle, which knows the truth, does not compete.

    None where all are equal at the shown digits, and no order worse than chance.
    """
    known = {
        row: value
        for row, value in enumerate(values)
        if value is not None and math.isfinite(value) and models[row] != "oracle"
    }
    if not column.better or len({shown[row] for row in known}) < 2:
        return set()
    size = {"lower": lambda v: v, "higher": lambda v: -v, "one": lambda v: abs(v - 1)}
    least = min(map(size[column.better], known.values()))
    best = {shown[row] for row, value in known.items() if size[column.better](value) == least}
    if column.better == "higher" and least > -0.5:
        return set()
    return {row for row in known if shown[row] in best}


def _costs(entry: Mapping[str, Any]) -> list[str]:
    """How often it fell back, and its seconds."""
    if entry["status"] != "ok":
        return [entry["status"], "–"]
    fell = len(entry["fell_back"])
    seconds = entry["seconds"]["fit"] + entry["seconds"]["score"]
    return [f"{fell} of {len(entry['splits'])}" if fell else "no", f"{seconds:.1f}"]


def half_life_table(board: Board) -> Table:
    """One row a model and group: half-life, the truth of a world, re-activations, verdict."""
    unit = board.stored.unit
    lives = [h for name in board.stored.models for h in board.half_lives[name]]
    groups = list(board.stored.result["groups"])
    shown = [h for h in lives if h.group in groups[:MOST_GROUPS] or h.source == "exponent"]
    columns = {
        "model": [h.model for h in shown],
        "group": [h.group for h in shown],
        f"half-life, {unit}": [h.words(unit) for h in shown],
        "truth": [truth_words(board.stored, h) for h in shown],
        "re-activations": [f"{h.events:,}" if h.counted else "–" for h in shown],
        "verdict": ["" if h.verdict in h.words(unit) else h.verdict for h in shown],
    }
    if not any(columns["truth"]):
        del columns["truth"]
    head, cells = list(columns), [list(row) for row in zip(*columns.values(), strict=True)]
    left_out = len(groups) - MOST_GROUPS
    more = f" (first {MOST_GROUPS} of {len(groups)} groups)" if left_out > 0 else ""
    return Table(f"Half-lives, fitted to the whole log{more}", head, cells, set(), level=3)


def difference(delta: Delta | None, decimals: int = 4) -> str:
    """A difference with its interval; a dash where there is none."""
    if delta is None or not math.isfinite(delta.value):
        return "–"
    value, *ends = (_signed(number, decimals) for number in delta)
    return value if math.isnan(delta.low) else f"{value} [{', '.join(ends)}]"


def _decimal(value: float | None, decimals: int = 4) -> str:
    return "–" if value is None or not math.isfinite(value) else f"{value:.{decimals}f}"


def _signed(value: float, decimals: int = 4) -> str:
    return f"{value:+.{decimals}f}".replace("-", "−")


def markdown_table(table: Table) -> str:
    """A heading and the table."""
    lines = [
        [f"**{text}**" if (i, j) in table.best else text.replace("|", "\\|")
         for j, text in enumerate(row)]
        for i, row in enumerate(table.cells)
    ]  # fmt: skip
    rule = [":--" if name in table.left else "--:" for name in table.head]
    body = ["| " + " | ".join(line) + " |" for line in (table.head, rule, *lines)]
    return "\n".join([f"{'#' * table.level} {table.title}", "", *body, ""])


def latex_table(table: Table, notes: Sequence[str]) -> str:
    """A table environment; the notes stand in its caption."""
    lines = [
        [rf"\textbf{{{latex_text(text)}}}" if (i, j) in table.best else latex_text(text)
         for j, text in enumerate(row)]
        for i, row in enumerate(table.cells)
    ]  # fmt: skip
    columns = "".join("l" if name in table.left else "r" for name in table.head)
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{latex_text(' '.join([f'{table.title}.', *notes]))}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            " & ".join(map(latex_text, table.head)) + r" \\",
            r"\midrule",
            *(" & ".join(line) + r" \\" for line in lines),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
