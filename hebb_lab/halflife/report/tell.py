"""What the command line says when a half-life run is done."""

from __future__ import annotations

import json
import math
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from hebb_lab.halflife.export import synapse_store
from hebb_lab.halflife.protocol.plain import number
from hebb_lab.halflife.report.board import places_of
from hebb_lab.halflife.report.scores import PARTIAL, Delta, at
from hebb_lab.halflife.report.stored import FELL, Stored
from hebb_lab.halflife.report.tables import difference
from hebb_lab.halflife.report.verdicts import TITLE, legend, verdict_table
from hebb_lab.halflife.report.words import half_lives_of
from hebb_lab.plots.half_lives.axes import in_days
from hebb_lab.runs.reader import read_run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hebb_lab.halflife.report.words import HalfLife

LEADING = "frailty"
MOST_GROUPS = 12
_FILES = {
    "leaderboard": "leaderboard.md", "figures": "figures", "half-lives": "half_lives.yaml",
    "for the store": "synapse_store.json",
}  # fmt: skip


def headline(folder: Path) -> float | None:
    """The headline loss of the default model, or of the best learned one; a sweep minimises it."""
    stored, rows = Stored(read_run(folder)), _board(folder)["rows"]
    learned = [name for name in stored.scored if stored.models[name]["kind"] == "learned"]
    for loss in (at("log_loss", stored.horizons[0]), PARTIAL):
        found = {r["arm"]: r["value"] for r in rows if r["metric"] == loss and r["arm"] in learned}
        known = {name: float(value) for name, value in found.items() if value is not None}
        if known:
            return known.get(LEADING, min(known.values()))
    return None


def tell(folder: Path) -> None:
    """Print the table's main columns, the half-lives, the claims, and where everything lies."""
    stored, board = Stored(read_run(folder)), _board(folder)
    out, loss = sys.stdout, at("log_loss", stored.horizons[0])
    scored, first = stored.result["scored"], stored.horizons[0]
    rows = stored.rows_of(first)
    places = f", {places_of(rows)}" if rows.height else ""  # few say little, however many rows
    out.write(
        f"\n{stored.run.dataset['name']} · half-life · scored: {scored['cases']:,} re-activations"
        f" and {scored['rows'][0]['rows']:,} rows at {in_days(first)}{places}\n\n"
    )
    out.writelines(_table(stored, board, loss))
    out.writelines(_half_lives(stored))
    if board["claims"]:
        out.writelines(_verdicts(stored, board))
    for name, entry in stored.models.items():
        if entry["status"] != "ok":
            out.write(f"\n{name}: {entry['status']}: {entry['error']}")
    out.write("\n")
    for label, name in _FILES.items():
        if (folder / name).exists():
            out.write(f"{label:<14} {folder / name}{_clipped(folder / name)}\n")


def _clipped(path: Path) -> str:
    """How many values the store is given that are a bound of its own and not what was fitted."""
    if path.name != synapse_store.NAME:
        return ""
    count = synapse_store.clipped_count(json.loads(path.read_text("utf-8")))
    bounds = f"[{synapse_store.LEAST_DAYS:g}, {synapse_store.MOST_DAYS:g}] days"
    return f" ({count:,} value{'' if count == 1 else 's'} clipped to {bounds})" if count else ""


def _verdicts(stored: Stored, board: Mapping[str, Any]) -> list[str]:
    """The claims as a table of short lines, and its legend."""
    table = verdict_table(stored, board["claims"])
    lines = [table.head, *table.cells]
    wide = [max(len(line[place]) for line in lines) for place in range(3)]
    told = ["  ".join(f"{text:<{w}}" for text, w in zip(line, wide, strict=True)) for line in lines]
    explained = textwrap.wrap(legend(stored, board["notes"]), 90)
    return [f"\n{TITLE}\n", *(f"  {line.rstrip()}\n" for line in (*told, *explained))]


def _board(folder: Path) -> dict[str, Any]:
    board: dict[str, Any] = json.loads((folder / "leaderboard.json").read_text("utf-8"))
    return board


def _table(stored: Stored, board: Mapping[str, Any], loss: str) -> list[str]:
    """Both losses, and the difference in the headline loss to both rivals."""
    rows = {(row["arm"], row["metric"]): row for row in board["rows"]}
    width = max(map(len, stored.models))
    rivals = [f"Δ {stored.heuristic}", "Δ rate"]
    first = stored.horizons[0]
    days, many = f"log loss {first:g} d", stored.decimals(first)
    lines = [f"  {'':<{width}}  {'partial':>8}  {days:>13}  {rivals[0]:<30}  {rivals[1]}\n"]
    for name, entry in stored.models.items():
        if entry["status"] != "ok":
            continue
        row = rows[name, loss]
        told = [difference(_delta(row, label), many) for label in ("heuristic", "rate")]
        fell = len(entry["fell_back"])
        marks = [FELL if stored.fallen_share(name, when) else " " for when in (None, first)]
        note = f"  fell back in {fell} of {len(entry['splits'])} splits" if fell else ""
        lines.append(
            f"  {name:<{width}}  {_value(rows[name, PARTIAL]):>8}{marks[0]} {_value(row, many):>13}"
            f"{marks[1]} {told[0]:<30}  {told[1]:<30}{note}".rstrip()
            + "\n"
        )
    if any(FELL in line for line in lines):
        lines.append(
            f"  {FELL} scored as namespace_defaults, wholly or in part: it fell back there\n"
        )
    return lines


def _value(row: Mapping[str, Any], decimals: int = 4) -> str:
    return "–" if row["value"] is None else f"{row['value']:.{decimals}f}"


def _delta(row: Mapping[str, Any], label: str) -> Delta | None:
    value, ends = row[f"delta_{label}"], row[f"delta_{label}_interval"]
    if value is None:
        return None
    low, high = ends or (None, None)
    return Delta(float(value), number(low), number(high))


def _half_lives(stored: Stored) -> list[str]:
    """The half-lives of the learned models in words."""
    lines = []
    for name, entry in stored.models.items():
        if entry["kind"] != "learned":
            continue
        found = [h for h in half_lives_of(stored, name) if not math.isnan(h.value) or h.verdict]
        told = [f"    {_said(h, stored.unit)}\n" for h in found[:MOST_GROUPS]]
        if len(found) > MOST_GROUPS:
            told.append(f"    and {len(found) - MOST_GROUPS} more groups, in the leaderboard\n")
        lines += [f"  {name}\n", *told] if told else []
    return ["\nHalf-lives, fitted to the whole log\n", *lines] if lines else []


def _said(found: HalfLife, unit: str) -> str:
    """A half-life in words; none where half_lives.yaml has none: a verdict, and both ends open."""
    open_ends = not found.low > 0 and not found.high < math.inf
    bare = found.source == "fitted" and bool(found.verdict) and open_ends
    if not (bare or math.isnan(found.value)):
        return found.sentence(unit)
    behind = f", from {found.events:,} re-activations" if found.counted else ""
    return f"{found.group}: none of its own: {found.verdict}{behind}"
