"""What a layers run found, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.layers.arms.standard import BASE, CODE, FULL, PAGE
from hebb_lab.layers.report.stored import verdict
from hebb_lab.layers.report.text import count, signed, value, with_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hebb_lab.layers.report.effects import Effect, LayerRow
    from hebb_lab.layers.report.stored import Stored

SAID = {
    "better": "helps",
    "worse": "harms",
    "not shown": "no effect shown",
    "no change": "changes nothing",
}
"""Verdict of a layer → words; other verdicts stand for themselves."""


def answers(stored: Stored, rows: Sequence[LayerRow], task: str) -> list[str]:
    """Sentences on one task: the stack, each layer, the two systems, the tuned rules."""
    metric = stored.metrics[0]
    own = [row for row in rows if row.task == task]
    return [
        *_against(stored, task, metric, FULL, "The full stack"),
        *(layer_sentence(row, metric) for row in own),
        *_against(stored, task, metric, PAGE, "All layers by the page's rules"),
        *_against(stored, task, metric, CODE, "All layers by the code's rules"),
        *_against(stored, task, metric, "tuned", "Rules chosen on the other scopes"),
        *_turned(stored, task, metric),
        *_nulls(stored, task, metric),
    ]


def _against(stored: Stored, task: str, metric: str, arm: str, what: str) -> Iterator[str]:
    """How a system stands against direct search."""
    row = stored.row(task, arm, metric)
    if not row:
        return
    if row["status"] != "ok":
        yield f"{what}: {row['status']}: {stored.entry(arm).get('error')}."
        return
    rate = stored.entry(arm)["expansion_rate"].get(task)
    gate = "" if rate is None else f"; the gate let {100 * rate:.3g} % of the questions expand"
    yield (
        f"{what} ({arm}): {metric} {value(row['value'])} against {BASE}"
        f" {value(stored.row(task, BASE, metric).get('value'))}:"
        f" {with_interval(row['delta'], row['delta_ci95'])}, {verdict(row)}{gate}."
    )


def layer_sentence(row: LayerRow, metric: str) -> str:
    """One layer in one sentence."""
    found = row.effects[metric]
    parts = [
        f"{_said(found['added'])} when added to direct search{_number(found['added'])}",
        f"{_said(found['kept'])} in the full stack{_number(found['kept'])}",
    ]
    if found["shapley"].value is not None:
        parts.append(f"Shapley value{_number(found['shapley'])}")
    if row.work:
        parts.append(
            f"{count(row.work['found'])} candidates found, {count(row.work['listed'])} listed,"
            f" {count(row.work['gold'])} of these relevant"
        )
    note = f" It was a no-op: {row.note}." if row.note else ""
    return f"{row.layer}: {'; '.join(parts)}.{note}"


def _said(effect: Effect) -> str:
    return SAID.get(effect.verdict, effect.verdict)


def _number(effect: Effect) -> str:
    return "" if effect.value is None else f" ({with_interval(effect.value, effect.interval)})"


def _turned(stored: Stored, task: str, metric: str) -> Iterator[str]:
    """The deviations in one sentence."""
    arms = stored.group("switches")
    if not arms:
        return
    by_verdict: dict[str, list[str]] = {}
    for arm in arms:
        row = stored.row(task, arm, metric)
        name = arm.removeprefix("switch_")
        delta = "" if row.get("delta") in (None, 0.0) else f" {signed(row['delta'])}"
        by_verdict.setdefault(verdict(row), []).append(f"{name}{delta}")
    told = [
        f"{said}: {', '.join(by_verdict[said])}"
        for said in ("better", "worse")
        if said in by_verdict
    ]
    counts = [f"{len(names)} {said}" for said, names in by_verdict.items()]
    yield (
        f"Of {len(arms)} deviations of the code, each by itself on the page's rules:"
        f" {', '.join(counts)}"
        + "".join(f"; {text}" for text in told if not text.endswith(": "))
        + "."
    )


def _nulls(stored: Stored, task: str, metric: str) -> Iterator[str]:
    """For each layer: whether its content matters, or only that there is some."""
    arms = stored.group("nulls")
    if not arms:
        return
    told = []
    for layer in stored.layers:
        row = stored.row(task, f"{layer}_shuffled", metric)
        if row:
            told.append(f"{layer} {signed(row['delta'])} ({verdict(row)})")
    yield "The full stack with one layer's knowledge shuffled: " + ", ".join(told) + "."
