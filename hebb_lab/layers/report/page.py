"""layers.md: the answers, then the tables behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hebb_lab.layers.report.answers import answers
from hebb_lab.layers.report.effects import KINDS
from hebb_lab.layers.report.findings import STORAGE
from hebb_lab.layers.report.stored import rate_of
from hebb_lab.pages.families import too_few
from hebb_lab.pages.text import (
    NONE,
    count,
    listed,
    markdown,
    share,
    signed,
    size,
    value,
    with_interval,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hebb_lab.layers.report.categories import Cell
    from hebb_lab.layers.report.effects import LayerRow
    from hebb_lab.layers.report.findings import Compared, Findings
    from hebb_lab.layers.report.stored import Stored

TITLES = {
    "added": "added to the base", "kept": "kept in the full stack", "shapley": "Shapley value",
}  # fmt: skip
LEGEND = (
    "Δ with its 95 % interval, clusters resampled; positive: the layer helps. Added: base and the"
    " layer − base. Kept: full − full without it. Shapley: mean over all orders in which layers can"
    " come. better, worse: the interval leaves 0 out and p < 0.05 by sign flips of clusters, Holm"
    " over the layers of the table that change a score; not shown: it may be chance; no change: the"
    " same score on every question."
)
WORK = (
    "When added to the base. Found: candidates that direct search had not listed; listed: of them"
    " in the final list. New at 10: among the best ten and not among those of direct search,"
    " what was listed before and rose included; relevant lost at 10: what left them for it."
    " ms/question is the time of the layer's expansion, shared by the arms that share it; learning"
    " s that of all it learned from the memories, shared by the rule sets that learned together."
)
COMPARED = (
    "p: sign flips of clusters, Holm over the arms of this table that change a score (the"
    " leaderboard's runs over all arms). Expanded: share of the questions that the gate let expand,"
    " – for arms without layers; with candidates: for which a layer offered what direct search had"
    " not listed."
)


def markdown_page(found: Findings) -> str:
    """The whole page, without pictures."""
    lines: list[str] = []
    stored = found.stored
    asked = stored.run.result["layers"]
    for task, entry in stored.run.tasks.items():
        lines += [
            f"# What each layer adds: {stored.run.dataset['name']} · {task}",
            "",
            f"{entry['n']:,} questions in {entry['clusters']:,} clusters,"
            f" {asked['memories']:,} memories. Direct search: {asked['stack']['seeder']}; entities:"
            f" {asked['entities']}; tags: {asked['tags']}.",
            "",
            *([f"**{few}.**", ""] if (few := too_few(entry["clusters"])) else []),
            *(f"- {sentence}" for sentence in answers(found, task)),
            "",
            *_effects(stored, found.rows_of(task)),
            *_work(found.rows_of(task)),
            *(line for table in found.compared if table.task == task
              if table.title != STORAGE for line in _compared(stored, table)),
            f"- {COMPARED}",
            "",
            *_categories([cell for cell in found.cells if cell.task == task]),
        ]  # fmt: skip
    return "\n".join([*lines, *_picks(stored), *_ended(stored)])


def _effects(stored: Stored, rows: Sequence[LayerRow]) -> Iterator[str]:
    """A table a metric: the three effects of each layer."""
    for metric in stored.metrics:
        head = ["layer"]
        for title in TITLES.values():
            head += [f"{title}: Δ {metric}", "verdict"]
        body = []
        for row in rows:
            effects = [row.effects[metric][kind] for kind in KINDS]
            told = [(with_interval(e.value, e.interval), e.verdict) for e in effects]
            body.append([row.layer, *(text for pair in told for text in pair)])
        yield from [f"## {metric}: what each layer is worth", "", *markdown(head, body)]
    yield from [f"- {LEGEND}", ""]


def _work(rows: Sequence[LayerRow]) -> Iterator[str]:
    head = [
        "layer", "found", "listed", "relevant", "new at 10", "of these relevant",
        "relevant lost at 10", "questions", "tokens", "ms/question", "learning s",
        "memory", "edges", "note",
    ]  # fmt: skip
    body = []
    for row in rows:
        w = row.work
        if not w:
            body.append([row.layer, *[NONE] * 12, row.note])
            continue
        body.append(
            [row.layer, count(w["found"]), count(w["listed"]), count(w["gold"]),
             count(w["listed_at_10"]), count(w["gold_at_10"]), count(w["lost_gold_at_10"]),
             share(w["queries"], w["n"]),
             signed(w["tokens"], 1), value(w["ms_per_query"]), value(w["learning_seconds"]),
             size(w["bytes"]), count(w["edges"]), row.note]
        )  # fmt: skip
    yield from ["## What each layer did", "", *markdown(head, body), f"- {WORK}", ""]


def _compared(stored: Stored, table: Compared) -> Iterator[str]:
    """A table of arms: values, difference to the base of each, verdict, gate."""
    first, *others = stored.metrics
    head = ["arm", "base", first, f"Δ {first}", "p", "verdict", *others, "expanded",
            "with candidates", "about"]  # fmt: skip
    body = []
    for arm, standing in table.arms.items():
        entry = stored.entry(arm)
        rates = [rate_of(entry, name, table.task) for name in ("expansion_rate", "candidate_rate")]
        values = [stored.row(table.task, arm, metric).get("value") for metric in (first, *others)]
        body.append(
            [arm, entry.get("base") or NONE, value(values[0]),
             with_interval(standing.value, standing.interval), _p(standing.p), standing.verdict,
             *map(value, values[1:]), *(NONE if rate is None else share(rate, 1) for rate in rates),
             entry.get("about", "")]
        )  # fmt: skip
    yield from [f"## {table.title}", "", *markdown(head, body, names=2)]


def _p(p: float | None) -> str:
    return NONE if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _categories(cells: Sequence[Cell]) -> Iterator[str]:
    """R@10 / nDCG@10 of the main arms by the kind of question."""
    if not cells:
        return
    values = {(cell.arm, cell.category, cell.metric): cell.value for cell in cells}
    counts = {cell.category: cell.n for cell in cells}
    metrics = list(dict.fromkeys(cell.metric for cell in cells))
    head = ["arm", *(f"{name} (n = {n:,})" for name, n in counts.items())]
    body = [
        [arm, *(" / ".join(value(values[arm, name, metric]) for metric in metrics)
                for name in counts)]
        for arm in dict.fromkeys(cell.arm for cell in cells)
    ]  # fmt: skip
    yield from [f"## By the kind of question: {' / '.join(metrics)}", "", *markdown(head, body)]


def _picks(stored: Stored) -> Iterator[str]:
    """What each fold chose of the grid, from which start, and how many folds agree."""
    grid, starts = _tuning(stored)
    for arm, entry in stored.run.arms.items():
        picks: list[dict[str, Any]] = entry.get("picks") or []
        if not picks or entry["changed"]:
            continue  # an arm that starts from them has the same
        chosen = [{k: v for k, v in pick["changed"].items() if k in grid} for pick in picks]
        shared = {
            name: setting
            for name, setting in chosen[0].items()
            if all(name in other and other[name] == setting for other in chosen)
        }
        told = [listed({k: v for k, v in own.items() if k not in shared}) for own in chosen]
        agree = max(told.count(text) for text in told)
        many = "No two agree on all" if agree == 1 < len(picks) else f"{agree} agree on all"
        yield from [f"## {arm}: what the other scopes chose", ""]
        same = listed(shared) if shared else "nothing"
        yield f"All {len(picks)} chose of the grid: {same}. {many}."
        yield from ["", *_picked(stored, picks, told)]
        begun = [begin for begin in starts if any(begin == pick.get("begin") for pick in picks)]
        yield from (_by_hand(begin, starts[begin], grid) for begin in begun if starts[begin])
        yield ""


def _tuning(stored: Stored) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """(grid, starts) of the run."""
    tuning = stored.run.config["cognitive"]["tuning"]
    return tuning["grid"], tuning.get("starts") or {}


def _picked(
    stored: Stored, picks: Sequence[Mapping[str, Any]], told: Sequence[str]
) -> Iterator[str]:
    """A line a fold: where its rules come from, what they score, and what it chose by itself."""
    metric = stored.run.config["cognitive"]["tuning"]["metric"]
    begins = [top["begin"] for top in picks[0].get("tops") or ()]
    head = ["answered", "start that won", f"{metric} on the others: before", "chosen",
            *(f"from {begin}: others / own" for begin in begins),
            "and chose of the grid"]  # fmt: skip
    body = [
        [pick["fold"], pick.get("begin") or NONE, value(pick["start"]), value(pick["chosen"]),
         *(f"{value(top['others'])} / {value(top['own'])}" for top in pick.get("tops") or ()), text]
        for pick, text in zip(picks, told, strict=True)
    ]  # fmt: skip
    yield from markdown(head, body, names=2)


def _by_hand(begin: str, changes: Mapping[str, Any], grid: Mapping[str, Any]) -> str:
    """What a start sets, and that nobody chose it on other scopes."""
    fixed = {name: setting for name, setting in changes.items() if name not in grid}
    first = {name: setting for name, setting in changes.items() if name in grid}
    return (
        f"- Start {begin} was put together by hand and not chosen on other scopes. It fixes"
        f" {listed(fixed)}; the search goes on from {listed(first)}."
    )


def _ended(stored: Stored) -> Iterator[str]:
    """Arms without a result, and layers that were no-ops."""
    ended = [
        f"- {arm}: {entry['status']}: {entry['error']}"
        for arm, entry in stored.run.arms.items()
        if entry["status"] != "ok"
    ]
    if ended:
        yield from ["## Arms without a result", "", *ended, ""]
