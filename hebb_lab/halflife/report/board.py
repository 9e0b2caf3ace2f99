"""The board of a half-life run: rows of numbers, half-lives, claims and notes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.halflife.protocol.settings import RATE
from hebb_lab.halflife.report.scores import PARTIAL, WITHIN, at, scores_of
from hebb_lab.halflife.report.stored import FELL, GROUPS, Stored
from hebb_lab.halflife.report.verdicts import NO_INTERVAL
from hebb_lab.halflife.report.words import claims_of, half_lives_of
from hebb_lab.plots.half_lives.axes import in_days
from hebb_lab.plots.half_lives.axes import number as spelled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from hebb_lab.halflife.report.scores import Delta, Scores
    from hebb_lab.halflife.report.words import Claim, HalfLife
    from hebb_lab.runs import Run

TASK = "half_life"


class Column(NamedTuple):
    """A metric as a table shows it. better: lower, higher, one or "" (description only).

    days: of its horizon; None for a metric of the cases. decimals: so that a loss that is small,
    because few come back, still shows three digits.
    """

    metric: str
    label: str
    better: str
    compared: bool = False
    days: float | None = None
    decimals: int = 4


@dataclass(frozen=True)
class Board:
    """Everything that a report says of one run.

    Args:
        stored: the run.
        scores: its numbers.
        half_lives: model → of each group.
        claims: of each learned model.
        notes: what must be said under the table.
    """

    stored: Stored
    scores: Scores
    half_lives: Mapping[str, Sequence[HalfLife]]
    claims: Sequence[Claim]
    notes: Sequence[str]

    @property
    def columns(self) -> list[Column]:
        """The metrics of the table, in their order."""
        first, *others = self.stored.horizons
        many, said = self.stored.decimals(first), f"{first:g} d"
        return [
            Column(PARTIAL, "partial-likelihood loss", "lower", compared=True),
            Column(at("log_loss", first), f"log loss {said}", "lower", True, first, many),
            Column(at("brier", first), "Brier", "lower", False, first, many),
            Column(at("auc", first), WITHIN, "higher", False, first),
            Column(at("rmse_bins", first), "RMSE(bins)", "lower", False, first, many),
            Column(at("ici", first), "ICI", "lower", False, first, many),
            Column(at("slope", first), "slope", "one", False, first),
            *(
                Column(at("log_loss", days), f"log loss {days:g} d", "lower", False, days,
                       self.stored.decimals(days))
                for days in others
            ),
            Column("hit@1", "hit@1", "", decimals=3),
            Column("hit@5", "hit@5", "", decimals=3),
        ]  # fmt: skip

    @property
    def rivals(self) -> list[str]:
        """What losses are compared with."""
        return list(dict.fromkeys((self.stored.heuristic, RATE)))

    def rows(self) -> list[dict[str, Any]]:
        """One row a model and metric, and one a model and group for half-lives; plain values."""
        found = []
        for name, entry in self.stored.models.items():
            common = self._common(name, entry)
            for column in self.columns:
                value = self.scores.values.get(name, {}).get(column.metric)
                row = {**common, "metric": column.metric, "value": _plain(value)}
                found.append({**row, **self._compared(name, column)})
            lives = self.half_lives.get(name, ())
            found += [{**common, **_half_life_row(half_life)} for half_life in lives]
        return found

    def _common(self, name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
        result, dataset = self.stored.result, self.stored.run.dataset
        return {
            "dataset": dataset["name"], "dataset_sha256": dataset.get("sha256"), "task": TASK,
            "arm": name, "group": GROUPS[entry["kind"]], "status": entry["status"],
            "fell_back": len(entry["fell_back"]), "splits": len(entry["splits"]),
            "seconds_fit": (entry["seconds"] or {}).get("fit"),
            "seconds_score": (entry["seconds"] or {}).get("score"),
            "seed": result["seed"], "commit": result.get("commit"),
        }  # fmt: skip

    def _compared(self, name: str, column: Column) -> dict[str, Any]:
        """Differences to both rivals with their intervals, and the number of cases or rows."""
        found: dict[str, Any] = {"n": self.scores.sizes.get(column.metric)}
        for label, rival in (("heuristic", self.stored.heuristic), ("rate", RATE)):
            delta = self.scores.delta(column.metric, rival, name)
            found[f"delta_{label}"] = None if delta is None else _plain(delta.value)
            found[f"delta_{label}_interval"] = interval(delta)
        return found


def board_of(run: Run, resamples: int | None = None) -> Board:
    """The board of a stored run.

    Raises:
        InputError: a file is absent, damaged, or does not fit.
    """
    stored = Stored(run)
    scores = scores_of(stored, resamples)
    half_lives = {name: half_lives_of(stored, name) for name in stored.models}
    claims = claims_of(stored, scores)
    return Board(stored, scores, half_lives, claims, _notes(stored, scores))


def interval(delta: Delta | None) -> list[float] | None:
    """Both ends, rounded; None without an interval."""
    if delta is None or math.isnan(delta.low) or math.isnan(delta.high):
        return None
    return [round(delta.low, 10), round(delta.high, 10)]


def _plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 10)


def _half_life_row(half_life: HalfLife) -> dict[str, Any]:
    ends = [_plain(half_life.low), _plain(half_life.high)]
    unit = f", {half_life.unit}" if half_life.unit else ""
    named = f"half-life[{half_life.group}]{unit}"
    return {
        "metric": "exponent" if half_life.source == "exponent" else named,
        "value": _plain(half_life.value), "interval": ends, "n": half_life.events,
        "verdict": half_life.verdict,
        "source": half_life.source,
    }  # fmt: skip


def _notes(stored: Stored, scores: Scores) -> list[str]:
    result = stored.result
    settings = result["settings"]
    level = f"{100 * settings['confidence']:g} %"
    scored = [block for block in result["blocks"] if block["scored"]]
    notes = [
        f"{len(result['blocks'])} blocks of equally many recalls; each model is fitted to what came"
        f" before a block and scored on it. The first block is never scored. Pooled over"
        f" {len(scored)} blocks; lower losses are better. Clock: {settings['clock']}; exposure:"
        f" {settings['activity']}; a half-life for each {settings['group_by']}.",
        f"Δ: difference in nats to {stored.heuristic} and to {RATE} on the same cases or rows;"
        f" brackets: {level} interval, stretches of 7 days resampled. Half-lives: 95 % intervals."
        " AUC within checkpoints: mean over those with both outcomes, weighted by their rows.",
        *_sizes(stored),
        *(f"{NO_INTERVAL} {loss}: {why}." for loss, why in scores.reasons.items()),
    ]
    notes += [
        f"{rival} is not scored, so nothing is compared with it: add it to halflife.models."
        for rival in (stored.heuristic, RATE)
        if rival not in stored.scored
    ]
    for name, entry in stored.models.items():
        if entry["status"] != "ok":
            notes.append(f"{name} {entry['status']}: {entry['error']}")
        elif entry["fell_back"]:
            notes.append(_fallen(stored, name, entry))
        if entry["status"] == "ok" and entry["final"]["fell_back"]:
            notes.append(f"{name} could not be fitted to the whole log: "
                         f"{entry['final']['fell_back']}")  # fmt: skip
    return notes


def _sizes(stored: Stored) -> list[str]:
    """How much is scored at each horizon, and what cannot be."""
    scored = stored.result["scored"]
    lost = [f"{scored['cases_thinned_out']:,} thinned out"] * bool(scored["cases_thinned_out"])
    if alone := scored.get("cases_without_control"):
        lost.append(f"{alone:,} more have no live pair beside them and tell nothing")
    more = f" ({'; '.join(lost)})" if lost else ""
    parts = [f"{scored['cases']:,} re-activations{more} with"
             f" {stored.result['settings']['controls']} controls each"]  # fmt: skip
    for rows in scored["rows"]:
        days = in_days(rows["horizon"])
        if rows["rows"]:
            left = f", {rows['thinned_out']:,} thinned out" if rows["thinned_out"] else ""
            share = f"{spelled(100 * rows['again'] / rows['rows'])} % come back{left}"
            places = places_of(stored.rows_of(rows["horizon"]))
            parts.append(f"{rows['rows']:,} rows at {days}, {places} ({share})")
        else:
            parts.append(f"no row at {days}: no scored checkpoint has so much log after it")
    return ["Scored: " + "; ".join(parts) + "."]


def places_of(rows: pl.DataFrame) -> str:
    """At how many checkpoints of how many blocks the rows lie."""
    numbers = rows.select("block", "checkpoint").unique().height, rows["block"].n_unique()
    points, blocks = (
        f"{number} {name}{'' if number == 1 else 's'}"
        for number, name in zip(numbers, ("checkpoint", "block"), strict=True)
    )
    return f"at {points} of {blocks}"


def _fallen(stored: Stored, name: str, entry: Mapping[str, Any]) -> str:
    """Where a model fell back, and why; the reason of the first time stands for the same ones."""
    reasons = dict.fromkeys(s["fell_back"] for s in entry["splits"] if s["fell_back"])
    first, *others = reasons
    more = f" And {len(others)} other reasons, in result.json." if others else ""
    parts = {"re-activations": stored.fallen_share(name, None)} | {
        f"rows at {in_days(days)}": stored.fallen_share(name, days) for days in stored.horizons
    }
    told = [
        f"{'all' if share == 1 else spelled(100 * share) + ' % of'} {what}"
        for what, share in parts.items()
        if share
    ]
    where = f" {FELL} Scored as namespace_defaults: {', '.join(told)}." if told else ""
    return (
        f"{name} fell back to namespace_defaults in {len(entry['fell_back'])} of"
        f" {len(entry['splits'])} splits: {first}{more}{where}"
    )
