"""What a layers run found, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.graph.cognitive.rules import RERANKERS
from hebb_lab.layers.arms.standard import BASE, CODE, FULL, PAGE
from hebb_lab.layers.report.findings import STORAGE, TURNED
from hebb_lab.pages.families import SAID
from hebb_lab.pages.text import count, share, signed, value, with_interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hebb_lab.layers.report.effects import LayerRow
    from hebb_lab.layers.report.findings import Findings
    from hebb_lab.pages.families import Standing


def answers(found: Findings, task: str) -> list[str]:
    """Sentences on one task: the stack, each layer, the two systems, the tuned rules."""
    metric = found.stored.metrics[0]
    return [
        *_against(found, task, metric, FULL, "The full stack"),
        *(layer_sentence(row, metric) for row in found.rows_of(task)),
        *_against(found, task, metric, PAGE, "All layers by the page's rules"),
        *_against(found, task, metric, CODE, "All layers by the code's rules"),
        *_against(found, task, metric, "tuned", "Rules chosen on the other scopes"),
        *_against(found, task, metric, "tuned_from_start",
                  "Rules chosen on the other scopes from the stack's own rules alone"),
        *_turned(found, task),
        *_nulls(found, task),
    ]  # fmt: skip


def _against(found: Findings, task: str, metric: str, arm: str, what: str) -> Iterator[str]:
    """How a system stands against direct search."""
    stored = found.stored
    entry, row = stored.entry(arm), stored.row(task, arm, metric)
    if not entry:
        return
    if entry["status"] != "ok":
        yield f"{what}: {entry['status']}: {entry['error']}"
        return
    standing = found.standing(task, arm)
    rate = entry["expansion_rate"].get(task)
    some = entry["candidate_rate"].get(task)
    gate = (
        ""
        if rate is None or some is None
        else f"; the gate let {share(rate, 1)} of the questions expand, and {share(some, 1)} have"
        " candidates"
    )
    yield (
        f"{what} ({arm}): {metric} {value(row['value'])} against {BASE}"
        f" {value(stored.row(task, BASE, metric).get('value'))}:"
        f" {with_interval(standing.value, standing.interval)}, {standing.verdict}{gate}."
    )


def layer_sentence(row: LayerRow, metric: str) -> str:
    """One layer in one sentence."""
    found = row.effects[metric]
    parts = (
        ["changes no score"]
        if _is_inert(row, metric)
        else [
            f"{_said(found['added'])} when added to direct search{_number(found['added'])}",
            f"{_said(found['kept'])} in the full stack{_number(found['kept'])}",
        ]
    )
    if found["shapley"].value is not None and not _is_inert(row, metric):
        parts.append(f"Shapley value{_number(found['shapley'])}, {_said(found['shapley'])}")
    if row.work:
        parts.append(_did(row))
    note = f" It was a no-op: {row.note}." if row.note else ""
    return f"**{row.layer}**: {'; '.join(parts)}.{note}"


def _did(row: LayerRow) -> str:
    """What it found; a layer that only reorders has found nothing, and is told by the best ten."""
    work = row.work
    if row.layer in RERANKERS and not work["found"]:
        return (
            f"it adds nothing and reorders what direct search listed: {count(work['listed_at_10'])}"
            f" memories new among the best ten, {count(work['gold_at_10'])} of these relevant, and"
            f" {count(work['lost_gold_at_10'])} relevant ones lost from there"
        )
    return (
        f"{count(work['found'])} candidates found, {count(work['listed'])} listed,"
        f" {count(work['gold'])} of these relevant"
    )


def _is_inert(row: LayerRow, metric: str) -> bool:
    """Whether it changes no score, neither added nor removed."""
    return {row.effects[metric][kind].verdict for kind in ("added", "kept")} == {"no change"}


def _said(effect: Standing) -> str:
    return SAID.get(effect.verdict, effect.verdict)


def _number(effect: Standing) -> str:
    return "" if effect.value is None else f" ({with_interval(effect.value, effect.interval)})"


def _turned(found: Findings, task: str) -> Iterator[str]:
    """The deviations in one sentence."""
    arms = found.arms_of(task, TURNED)
    if not arms:
        return
    by_verdict: dict[str, list[str]] = {}
    for arm, standing in arms.items():
        delta = f" {signed(standing.value)}" if standing.value else ""
        by_verdict.setdefault(standing.verdict, []).append(f"{arm.removeprefix('switch_')}{delta}")
    counts = [f"{len(names)} {said}" for said, names in by_verdict.items()]
    named = [(said, by_verdict[said]) for said in ("better", "worse") if said in by_verdict]
    told = "".join(f"; {said}: {', '.join(names)}" for said, names in named)
    yield (
        f"Of {len(arms)} deviations of the code, each by itself on the page's rules:"
        f" {', '.join(counts)}{told}."
    )
    stored = found.arms_of(task, STORAGE)
    if stored:
        did = {each.verdict for each in stored.values()} != {"no change"}
        yield (
            f"{len(stored)} more ({', '.join(arm.removeprefix('switch_') for arm in stored)}) say"
            " how graphs are stored, named and told of, and change no ranking by definition"
            + ("; yet a score changed: look at layers.json." if did else ".")
        )


def _nulls(found: Findings, task: str) -> Iterator[str]:
    """For each layer: whether its content matters, or only that there is some."""
    if not found.stored.group("nulls"):
        return
    told = []
    for layer in found.stored.layers:
        standing = found.standing(task, f"{layer}_shuffled")
        delta = f" {signed(standing.value)}" if standing.value else ""
        told.append(f"{layer}{delta} ({standing.verdict})")
    yield "The full stack with one layer's knowledge shuffled: " + ", ".join(told) + "."
