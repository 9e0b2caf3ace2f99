"""What each layer is worth: added to the base, taken from the full stack, and its Shapley value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.layers.arms.standard import BASE, added, without
from hebb_lab.layers.report.stored import verdict
from hebb_lab.runs.effects import effects_of

if TYPE_CHECKING:
    from hebb_lab.evaluation.leaderboard import Settings
    from hebb_lab.layers.report.stored import Stored

KINDS = ("added", "kept", "shapley")
"""To the base; full − full without it; mean over all orders in which layers can come."""


class Effect(NamedTuple):
    """One layer under one metric, in one of the three ways.

    kind: of KINDS.
    value: positive where the layer helps; None where it was not measured.
    interval: 95 %, clusters resampled.
    p: after Holm over the task; None where it was not tested.
    verdict: as the leaderboard's.
    """

    kind: str
    value: float | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    verdict: str = "not measured"


class LayerRow(NamedTuple):
    """All that is said of one layer on one task.

    effects: metric → kind → effect.
    work: what it did when added to the base: counts and costs; empty where that was not run.
    note: why it did nothing, where so.
    """

    task: str
    layer: str
    effects: Mapping[str, Mapping[str, Effect]]
    work: Mapping[str, Any]
    note: str


def layer_rows(stored: Stored, settings: Settings) -> list[LayerRow]:
    """One row for each task and layer, in the order of the stack.

    Args:
        stored: the run.
        settings: how its numbers are made.
    """
    tasks = tuple(stored.run.tasks)
    wide = replace(settings, headline=dict.fromkeys(tasks, tuple(stored.metrics)))
    shapley = {
        (row["task"], row["metric"], row["part"]): _shapley(row)
        for row in effects_of(stored.run, wide).to_dicts()
    }
    return [
        LayerRow(
            task,
            layer,
            {
                metric: {
                    "added": _added(stored, task, layer, metric),
                    "kept": _kept(stored, task, layer, metric),
                    "shapley": shapley.get((task, metric, layer), Effect("shapley")),
                }
                for metric in stored.metrics
            },
            work_of(stored, task, layer),
            note_of(stored, layer),
        )
        for task in tasks
        for layer in stored.layers
    ]


def _added(stored: Stored, task: str, layer: str, metric: str) -> Effect:
    row = stored.row(task, added(layer), metric)
    if not row or row["delta"] is None:
        return Effect("added", verdict=verdict(row))
    return Effect("added", row["delta"], _ends(row["delta_ci95"]), row["p_holm"], verdict(row))


def _kept(stored: Stored, task: str, layer: str, metric: str) -> Effect:
    """Full − full without it: the sign turned, so that positive means that the layer helps."""
    row = stored.row(task, without(layer), metric)
    if not row or row["delta"] is None:
        return Effect("kept", verdict=verdict(row))
    ends = _ends(row["delta_ci95"])
    turned = {"better": "worse", "worse": "better"}
    found = verdict(row)
    return Effect(
        "kept", 0.0 - row["delta"], None if ends is None else (0.0 - ends[1], 0.0 - ends[0]),
        row["p_holm"], turned.get(found, found),
    )  # fmt: skip


def _shapley(row: Mapping[str, Any]) -> Effect:
    low, high = row["low"], row["high"]
    ends = None if low is None or high is None else (low, high)
    said = "one cluster: no interval and no test"
    if ends is not None:
        said = "better" if ends[0] > 0 else "worse" if ends[1] < 0 else "not shown"
    if row["effect"] == 0 and ends in (None, (0.0, 0.0)):
        said = "no change"
    return Effect("shapley", row["effect"], ends, None, said)


def _ends(pair: list[float] | None) -> tuple[float, float] | None:
    return None if pair is None else (pair[0], pair[1])


def work_of(stored: Stored, task: str, layer: str) -> dict[str, Any]:
    """What a layer did when it was added to the base; empty where that arm gave no result.

    found: candidates that it offered and direct search had not listed; queries: with one; listed
    and gold: of them in the final list; listed_at_10, gold_at_10: in its best ten.
    """
    entry = stored.entry(added(layer))
    own = [use for use in entry.get("layers") or () if use["layer"] == layer]
    if entry.get("status") != "ok" or not own or task not in own[0]["tasks"]:
        return {}
    use, metric = own[0], stored.metrics[0]
    row, base = stored.row(task, added(layer), metric), stored.row(task, BASE, metric)
    questions = sum(scope["questions"] for scope in stored.run.result["layers"]["scopes"])
    return {
        "n": row["n"],
        "found": use["tasks"][task]["found"],
        "queries": use["tasks"][task]["queries"],
        **entry["added"][task],
        "tokens": row["tokens_per_query"] - base["tokens_per_query"],
        "ms_per_query": 1000 * use["seconds"] / max(questions, 1),
        "bytes": use["bytes"],
        "edges": use["edges"],
        "expansion_rate": entry["expansion_rate"][task],
    }


def note_of(stored: Stored, layer: str) -> str:
    """Why a layer did nothing in some scopes, as it was reported; else empty."""
    scopes = len(stored.run.result["layers"]["scopes"])
    for arm in (added(layer), "full"):
        for use in stored.entry(arm).get("layers") or ():
            if use["layer"] == layer and use["failures"]:
                return "; ".join(
                    f"{reason} in {count} of {scopes} scopes"
                    for reason, count in use["failures"].items()
                )
    entry = stored.entry(added(layer))
    return str(entry["error"]) if entry.get("error") else ""
