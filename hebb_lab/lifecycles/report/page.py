"""memory.md: the answers, then the tables behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hebb_lab.lifecycles.report.answers import (
    answers,
    days_of,
    growth_sentences,
    kept_sentences,
)
from hebb_lab.lifecycles.report.findings import idle, unasked
from hebb_lab.lifecycles.report.overlap import told
from hebb_lab.pages.families import too_few
from hebb_lab.pages.text import NONE, count, listed, markdown, size, value, with_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hebb_lab.lifecycles.report.findings import Compared, Findings
    from hebb_lab.lifecycles.report.stored import Stored
    from hebb_lab.pages.families import Standing

LEGEND = (
    "Δ to the arm's base with its 95 % interval, clusters resampled. Bold: told from chance (the"
    " interval leaves 0 out and p < 0.05 by sign flips of clusters, Holm over the arms of the table"
    " that change a score); =: the same score on every question."
)
LIVES = (
    "A life is what a store went through: what was remembered, practised, reinforced, revised and"
    " forgotten. Arms that differ in reading only share one. State: arrays in memory, vectors"
    " included."
)
PARTS = {
    "time": (
        "Parts are blocks of test questions in time order. Each is answered by what was best on the"
        " practice questions strictly before its first question; the first block by the start."
    ),
    "clusters": (
        "Parts are clusters, dealt. Each is answered by what was best on the practice questions of"
        " all other parts."
    ),
}
"""By what the test questions are parted → how the settings of each part were chosen."""
COUNTS = ("remembered", "practised", "returned", "useful", "reinforced", "revised", "forgotten")
"""What happened in a life, as columns; others follow where there are any."""


def markdown_page(found: Findings) -> str:
    """The whole page, without pictures."""
    stored, lines = found.stored, list[str]()
    for of, sittings in stored.sittings().items():
        lines += [*_head(stored, of, sittings[0]), *(f"- {said}" for said in answers(found, of))]
        lines += [""]
        for table in found.tables_of(of):
            lines += _compared(found, table)
        lines += [f"- {LEGEND}", *_unasked(stored), ""]
        for overlap in found.overlaps:
            lines += told(stored, overlap) if overlap.of == of else []
    return "\n".join(
        [*lines, *_picks(stored), *_kept(stored), *_grown(stored), *_lives(stored), *_ended(stored)]
    )


def _head(stored: Stored, of: str, sitting: str) -> Iterator[str]:
    about, entry = stored.memory, stored.run.tasks[sitting]
    yield from [f"# What a memory recalls after silence: {stored.run.dataset['name']} · {of}", ""]
    out = ", ".join(f"{name}: {n:,}" for name, n in entry["excluded"].items() if n)
    practice = (
        f"{about['steps']:,} steps of the log, {about['edits']:,} touches that edit,"
        f" {about['practice']:,} queries to choose settings by"
        if about["steps"]
        else f"{about['practice']:,} practice questions were asked before"
    )
    yield (
        f"{entry['n']:,} test questions in {entry['clusters']:,} clusters, {about['memories']:,}"
        f" memories of {about['scopes']:,} scope{'s' if about['scopes'] != 1 else ''}; {practice}."
        f" Vectors: {about['embedder']}, {about['dimensions']}. Edges that the data state:"
        f" {listed(about['stated'])}." + (f" Left out: {out}." if out else "")
    )
    yield ""
    if few := too_few(entry["clusters"]):
        yield from [f"**{few}.**", ""]


def _unasked(stored: Stored) -> Iterator[str]:
    """Deviations that no arm of the tables has, because no replay does what they say."""
    names = [arm.removeprefix("switch_") for arm in stored.group("switches") if unasked(arm)]
    if names:
        yield (
            f"- Deviations of what no replay does (writing, reflecting, pushing) cannot change a"
            f" ranking here: {', '.join(names)}."
        )
    for why, arms in idle(stored).items():
        yield f"- Not in the tables, because {why}: {', '.join(arms)}."


def _compared(found: Findings, table: Compared) -> Iterator[str]:
    """A table of arms: value and difference at each sitting."""
    metric, sittings = found.metric(table.of), list(table.standings)
    days = [days_of(found.days(name)) for name in sittings]
    head = ["arm", "base", *(f"{metric}, {day}" for day in days), *(f"Δ {day}" for day in days),
            "about"]  # fmt: skip
    base = str(found.stored.run.base)
    body = [[base, NONE, *(value(found.value(n, table.of, base)) for n in sittings),
             *[NONE] * len(days), str(found.stored.entry(base).get("about", ""))]]  # fmt: skip
    for arm in table.arms:
        entry = found.stored.entry(arm)
        values = [value(found.value(name, table.of, arm)) for name in sittings]
        told = [_difference(table.standings[name][arm]) for name in sittings]
        body.append([arm, entry.get("base") or NONE, *values, *told, entry.get("about", "")])
    yield from [f"## {table.title}", "", *markdown(head, body, names=2)]


def _difference(standing: Standing) -> str:
    """A difference as a cell."""
    if standing.verdict == "no change":
        return "="
    if standing.value is None:
        return standing.verdict
    text = with_interval(standing.value, standing.interval)
    return f"**{text}**" if standing.verdict in ("better", "worse") else text


def _picks(stored: Stored) -> Iterator[str]:
    """What was chosen on the practice questions, for each part of the test questions."""
    picked = {arm: entry["pick"] for arm, entry in stored.run.arms.items() if entry.get("pick")}
    if picked:
        yield from ["## What was chosen on the practice questions", ""]
        for arm, pick in picked.items():
            yield from [
                f"- {arm}: {_pick(pick)}",
                *(f"  - {_part(part)}" for part in pick["parts"]),
            ]
        ways = dict.fromkeys(PARTS[pick["by"]] for pick in picked.values())
        yield from [*(f"- {way}" for way in ways), ""]


def _pick(pick: Mapping[str, Any]) -> str:
    """What all practice questions would choose, which answers no test question."""
    return (
        f"over all {pick['questions']:,} practice questions {_changed(pick)}"
        f" ({pick['metric']} {value(pick['start'])} before, {value(pick['chosen'])} on those that"
        " chose); no test question is answered by that, but in parts:"
    )


def _part(part: Mapping[str, Any]) -> str:
    """What answers one part, and on how many questions it was chosen."""
    said = f"{part['part']}, {part['test']:,} test questions: "
    if not part["practice"]:
        return f"{said}the start, for nothing may choose for it."
    return (
        f"{said}{_changed(part)}, by {part['practice']:,} practice questions"
        f" ({value(part['start'])} before, {value(part['chosen'])} chosen)."
    )


def _changed(chosen: Mapping[str, Any]) -> str:
    return listed(chosen["changed"]) if chosen["changed"] else "the start"


def _kept(stored: Stored) -> Iterator[str]:
    curves = stored.retention
    if curves:
        yield from ["## What is kept", ""]
        threshold = curves[0]["threshold"]
        yield f"Share of memories above the threshold of {threshold:g}, in the base's life:"
        yield from ["", *(f"- {said}" for said in kept_sentences(curves, curves[0]["life"])), ""]


def _grown(stored: Stored) -> Iterator[str]:
    sentences = list(growth_sentences(stored.growth))
    if sentences:
        yield from ["## How the store grows", "", *(f"- {said}" for said in sentences), ""]


def _lives(stored: Stored) -> Iterator[str]:
    """One line a life."""
    names = [name for name in COUNTS if any(name in life["counts"] for life in stored.lives)]
    names += sorted({name for life in stored.lives for name in life["counts"]} - set(COUNTS))
    head = ["life", "arms", "practice", *names, "memories left", "edges", "state", "seconds"]
    body = [
        [life["life"], count(len(life["arms"])), str(life["practice"]),
         *(count(life["counts"].get(name, 0)) for name in names), count(life["memories"]),
         count(life["edges"]), size(life["bytes"]), f"{life['seconds']:.2f}"]
        for life in stored.lives
    ]  # fmt: skip
    yield from ["## Lives", "", *markdown(head, body), f"- {LIVES}", ""]


def _ended(stored: Stored) -> Iterator[str]:
    """Arms without a result, and strategies that could not answer."""
    ended = [
        f"- {arm}: {entry['status']}: {entry['error']}"
        for arm, entry in stored.run.arms.items()
        if entry["status"] != "ok"
    ]
    failed = [
        f"- {arm}: {reason}: {count(number)} times"
        for arm, entry in stored.run.arms.items()
        for reason, number in (entry.get("failures") or {}).items()
    ]
    if ended:
        yield from ["## Arms without a result", "", *ended, ""]
    if failed:
        yield from ["## Strategies that could not answer", "", *failed, ""]
