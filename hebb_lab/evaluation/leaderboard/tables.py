"""A leaderboard as Markdown, CSV, JSON and LaTeX, all from the same rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from hebb_lab.evaluation.leaderboard.board import UNLISTED, Leaderboard

Row = Mapping[str, Any]


def write_leaderboard(board: Leaderboard, folder: Path) -> list[Path]:
    """Write leaderboard.md, .csv, .json and .tex into a folder; gives their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"md": markdown(board), "csv": csv(board), "json": as_json(board), "tex": latex(board)}
    paths = [folder / f"leaderboard.{ending}" for ending in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8", newline="\n")
    return paths


def as_json(board: Leaderboard) -> str:
    """``{"rows": [...]}``; what is not known is null, NaN never occurs."""
    rows = ",\n".join(
        json.dumps(row, ensure_ascii=False, allow_nan=False) for row in board.rows.to_dicts()
    )
    return f'{{"rows": [\n{rows}\n]}}\n'


def csv(board: Leaderboard) -> str:
    """One line per row; an interval takes two columns, ``_low`` and ``_high``."""
    columns: list[pl.Expr] = []
    for name in board.rows.columns:
        if board.rows.schema[name] == pl.List:
            ends = pl.col(name).list
            columns += [ends.get(0).alias(f"{name}_low"), ends.get(1).alias(f"{name}_high")]
        else:
            columns.append(pl.col(name))
    return board.rows.select(columns).write_csv()


def markdown(board: Leaderboard) -> str:
    """One table per data set and task, best arm first, with what must be said under it."""
    return "\n".join(_markdown_table(table) for table in _tables(board))


def latex(board: Leaderboard) -> str:
    """The tables of ``markdown`` for booktabs."""
    return "\n".join(_latex_table(table) for table in _tables(board))


@dataclass(frozen=True)
class _Table:
    """One table: cells as text, the best of each column marked by its place."""

    dataset: str
    task: str
    head: list[str]
    cells: list[list[str]]
    best: set[tuple[int, int]]
    about: str
    notes: list[str]


def _tables(board: Leaderboard) -> Iterator[_Table]:
    """The tables of a leaderboard, in the order of its rows."""
    shown = board.rows.filter(pl.col("group").fill_null("") != UNLISTED)
    for (dataset, task), rows in shown.group_by(["dataset", "task"], maintain_order=True):
        by_arm: dict[str, dict[str, Row]] = {}
        for row in rows.to_dicts():
            by_arm.setdefault(row["arm"], {})[row["metric"]] = row
        headlines = [m for m in board.headlines[str(task)] if m in set(rows["metric"])]
        metrics = headlines + [m for m in rows["metric"].unique(maintain_order=True)
                               if m not in headlines]  # fmt: skip
        arms = sorted(by_arm.values(), key=lambda found: _standing(found[metrics[0]]))
        notes = [n.text for n in board.notes if (n.dataset, n.task) == (dataset, task)]
        yield _table(str(dataset), str(task), arms, metrics, headlines, notes)


def _standing(row: Row) -> tuple[bool, float]:
    """Sorts best first, arms without a number last; equal ones keep their order."""
    return row["value"] is None, -(row["value"] or 0.0)


_ABOUT = (
    "Brackets: 95 % interval, clusters resampled. Costs: tokens injected, ms and edges read a"
    " query; bytes a memory. Arms that walk together have equal shares of the time."
)


def _table(
    dataset: str,
    task: str,
    arms: list[dict[str, Row]],
    metrics: list[str],
    headlines: list[str],
    notes: list[str],
) -> _Table:
    """Lay out the cells of one table."""
    any_row = [found[metrics[0]] for found in arms]
    bases = list(dict.fromkeys(row["base"] for row in any_row if row["base"]))
    head = ["arm", *(["base"] if len(bases) > 1 else [])]
    cells = [[row["arm"], *([row["base"] or "–"] if len(bases) > 1 else [])] for row in any_row]
    best: set[tuple[int, int]] = set()
    for metric in metrics:
        column = [found[metric] for found in arms]
        top = max((row["value"] for row in column if row["value"] is not None), default=None)
        best |= {(i, len(head)) for i, row in enumerate(column) if top == row["value"] is not None}
        full = metric in headlines
        head += [metric, *([f"Δ {metric}", "p"] if full else [])]
        for cell, row in zip(cells, column, strict=True):
            cell += _headline(row) if full else [_decimal(row["value"])]
    head += ["tokens", "ms", "edges", "bytes", ""]
    for cell, row in zip(cells, any_row, strict=True):
        cell += [_count(row["tokens_per_query"]), _short(row["ms_per_query"])]
        cell += [_brief(row["edges_per_query"]), _brief(row["bytes_per_memory"]), _flags(row)]
    about = _ABOUT
    if bases:
        against = bases[0] if len(bases) == 1 else "the base named in the row"
        about += f" Δ: difference to {against}; p: sign flips of clusters, Holm over the task."
    return _Table(dataset, task, head, cells, best, about, notes)


def _headline(row: Row) -> list[str]:
    """Value with interval, difference with interval, p."""
    p = row["p_holm"]
    return [
        _with_interval(_decimal(row["value"]), row["ci95"], _decimal),
        _with_interval(_signed(row["delta"]), row["delta_ci95"], _signed),
        "–" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}",
    ]


def _with_interval(text: str, ends: list[float] | None, spell: Any) -> str:
    return text if ends is None else f"{text} [{spell(ends[0])}, {spell(ends[1])}]"


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def _count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _brief(value: float | None) -> str:
    """Two or three digits and a unit: k for thousands, M for millions, G for thousands of those.

    >>> [_brief(value) for value in (0, 0.25, 9.96, 132.4, 999.7, 1234, 45_678, 3.2e6)]
    ['0', '0.2', '10', '132', '1.0k', '1.2k', '46k', '3.2M']
    """
    if value is None:
        return "–"
    if value == 0:
        return "0"
    unit = next(u for u in ("", "k", "M", "G") if round(value / _UNITS[u]) < 1000 or u == "G")
    scaled = value / _UNITS[unit]
    return (f"{scaled:.1f}" if round(scaled, 1) < 10 else f"{scaled:,.0f}") + unit


_UNITS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


def _flags(row: Row) -> str:
    """What a reader must know of the arm before reading its numbers."""
    found = [] if row["status"] == "ok" else [row["status"]]
    return ", ".join([*found, *(["inert"] if row["inert"] else [])])


def _markdown_table(table: _Table) -> str:
    """A heading, the table, and the notes as a list."""
    lines = [
        [f"**{text}**" if (i, j) in table.best else text.replace("|", "\\|")
         for j, text in enumerate(row)]
        for i, row in enumerate(table.cells)
    ]  # fmt: skip
    rule = [":--" if name in ("arm", "base", "") else "--:" for name in table.head]
    body = ["| " + " | ".join(line) + " |" for line in (table.head, rule, *lines)]
    notes = [f"- {note}" for note in (table.about, *table.notes)]
    return "\n".join([f"## {table.dataset} · {table.task}", "", *body, "", *notes, ""])


_LATEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"−": "$-$", "Δ": r"$\Delta$", "–": "--", "\\": r"\textbackslash{}", "·": r"$\cdot$",
       "<": "$<$", ">": "$>$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
       "½": r"$\tfrac12$", "×": r"$\times$", "∞": r"$\infty$"}
)  # fmt: skip


def latex_text(text: str) -> str:
    r"""Text with what LaTeX would take for commands written out.

    >>> latex_text("R@10 < 5 %")
    'R@10 $<$ 5 \\%'
    """
    return text.translate(_LATEX)


def _latex_table(table: _Table) -> str:
    """A table environment; the notes stand in its caption."""
    escape = latex_text
    lines = [
        [rf"\textbf{{{escape(text)}}}" if (i, j) in table.best else escape(text)
         for j, text in enumerate(row)]
        for i, row in enumerate(table.cells)
    ]  # fmt: skip
    columns = "".join("l" if name in ("arm", "base", "") else "r" for name in table.head)
    caption = " ".join([f"{table.dataset} · {table.task}.", table.about, *table.notes])
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{escape(caption)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            " & ".join(map(escape, table.head)) + r" \\",
            r"\midrule",
            *(" & ".join(line) + r" \\" for line in lines),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
