"""What each layer is worth: added to the base, taken from the full stack, and its Shapley value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.layers.arms.standard import BASE, added, without
from hebb_lab.pages.families import Standing, shapley_standings, standings, turned

if TYPE_CHECKING:
    from hebb_lab.evaluation.leaderboard import Settings
    from hebb_lab.layers.report.stored import Stored

KINDS = ("added", "kept", "shapley")
"""To the base; full − full without it; mean over all orders in which layers can come."""


class LayerRow(NamedTuple):
    """All that is said of one layer on one task.

    effects: metric → kind → effect.
    work: what it did when added to the base: counts and costs; empty where that was not run.
    note: why it did nothing, where so.
    """

    task: str
    layer: str
    effects: Mapping[str, Mapping[str, Standing]]
    work: Mapping[str, Any]
    note: str


def layer_rows(stored: Stored, settings: Settings) -> list[LayerRow]:
    """One row for each task and layer, in the order of the stack.

    The family of a metric is all layers, added and removed: 2k tests. The Shapley values are one
    of k tests.

    Args:
        stored: the run.
        settings: how its numbers are made.
    """
    tasks = tuple(stored.run.tasks)
    wide = replace(settings, headline=dict.fromkeys(tasks, tuple(stored.metrics)))
    rows = []
    for task in tasks:
        found = {metric: _effects(stored, wide, task, metric) for metric in stored.metrics}
        rows += [
            LayerRow(
                task, layer, {metric: by_layer[layer] for metric, by_layer in found.items()},
                work_of(stored, task, layer), note_of(stored, layer),
            )
            for layer in stored.layers
        ]  # fmt: skip
    return rows


def _effects(
    stored: Stored, settings: Settings, task: str, metric: str
) -> dict[str, dict[str, Standing]]:
    """Layer → kind → effect, under one metric."""
    layers = stored.layers
    family = [*map(added, layers), *map(without, layers)]
    found = standings(stored, settings, task, family, metric)
    shapley = shapley_standings(stored, settings, task, metric)
    return {
        layer: {
            "added": found[added(layer)],
            "kept": turned(found[without(layer)]),
            "shapley": shapley.get(layer, Standing()),
        }
        for layer in layers
    }


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
        "learning_seconds": use.get("learning_seconds"),  # older runs did not keep it
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
