"""Edges out of one store and into another, for teams. Observed only (v3.3.0).

A merge keeps the larger weight and the larger count, field by field, so that importing twice is
importing once, except that both refresh the time of last activation. Counts travel, times and
half-lives do not: an imported edge with five reinforcements is potentiated at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import InputError
from hebb_lab.graph.store.decay import transition_at
from hebb_lab.graph.store.edges import (
    PERSONAL,
    SHARED,
    Transition,
    clamp,
    edge_key,
    house_order,
    namespace_name,
)
from hebb_lab.graph.store.transitions import WEIGHT_CAP

if TYPE_CHECKING:
    from hebb_lab.graph.store.table import EdgeTable

Row = tuple[str, str, float, int]
"""(a, b, weight, count)."""

VERSION = 1
EXPORT_LIMIT = 100_000
TEAM_LIMIT = 5_000


def import_edges(store: EdgeTable, rows: Iterable[Row], now_us: int, namespace: str) -> int:
    """Merge edges into a namespace; weights are clamped to [0, cap], self-loops left out.

    Returns the number of rows merged.
    """
    space = namespace_name(namespace, store.active)
    cap = store.rules.weight_cap
    merged = 0
    for a, b, weight, count in rows:
        key = edge_key(a, b, space)
        if key is not None:
            capped = max(weight, 0.0) if cap is None else clamp(weight, 0.0, cap)
            store.absorb(key, capped, max(0, count), now_us)
            merged += 1
    return merged


def import_transitions(store: EdgeTable, rows: Iterable[Row], now_us: int, namespace: str) -> int:
    """Merge transitions into a namespace, weights clamped to [0, 100]; returns how many."""
    space = namespace_name(namespace, store.active)
    merged = 0
    for a, b, weight, count in rows:
        if not a or not b or a == b:
            continue
        key, capped = (a, b, space), clamp(weight, 0.0, WEIGHT_CAP)
        move = store.sequences.alive(key, now_us)
        if move is None:
            store.sequences.moves[key] = Transition(capped, max(0, count), now_us)
        else:
            move.weight = max(transition_at(store.rules, move, space, now_us), capped)
            move.count = max(move.count, count)
            move.last_us = max(move.last_us, now_us)
        merged += 1
    return merged


def export_namespace(
    store: EdgeTable, now_us: int, namespace: str = PERSONAL, limit: int = EXPORT_LIMIT
) -> dict[str, Any]:
    """One namespace as plain data: raw weights as of now and counts, strongest first."""
    space = namespace_name(namespace, store.active)
    edges = [
        (key[0], key[1], weight, edge.count)
        for key, weight in store.edges(now_us, space).items()
        if (edge := store.alive(key, now_us)) is not None
    ]
    return {
        "version": VERSION,
        "namespace": space,
        "synapses": _entries(edges, limit),
        "transitions": _entries(store.sequences.merged(now_us, {space: 1.0}), limit),
    }


def team_bundle(store: EdgeTable, now_us: int, limit: int = TEAM_LIMIT) -> dict[str, Any]:
    """Personal and shared together, the larger weight and the larger count of each pair."""
    united: dict[str, list[dict[str, Any]]] = {}
    parts = [export_namespace(store, now_us, space) for space in (PERSONAL, SHARED)]
    for kind in ("synapses", "transitions"):
        best: dict[tuple[str, str], Row] = {}
        for entry in (entry for part in parts for entry in part[kind]):
            a, b, weight, count = _row(entry)
            _, _, other_weight, other_count = best.get((a, b), (a, b, 0.0, 0))
            best[a, b] = (a, b, max(weight, other_weight), max(count, other_count))
        united[kind] = _entries(best.values(), limit)
    return {"version": VERSION, "namespace": SHARED, **united}


def import_namespace(store: EdgeTable, bundle: Mapping[str, Any], now_us: int) -> tuple[int, int]:
    """Merge a bundle into its namespace: (edges, transitions) merged.

    Raises:
        InputError: a version, a list or an entry that is not as exported; nothing is imported.
    """
    if bundle.get("version") != VERSION:
        raise InputError(
            f"a bundle of version {bundle.get('version')!r} cannot be read",
            f"Export it again with version {VERSION}",
        )
    space = bundle.get("namespace")
    if not isinstance(space, str):
        raise InputError("the bundle names no namespace", "Add namespace, a word")
    edges, moves = (_rows(bundle, kind) for kind in ("synapses", "transitions"))
    name = namespace_name(space, store.active)
    return (
        import_edges(store, edges, now_us, name),
        import_transitions(store, moves, now_us, name),
    )


def _entries(rows: Iterable[Row], limit: int) -> list[dict[str, Any]]:
    ranked = sorted(rows, key=lambda row: (*house_order((row[1], row[2])), row[0]), reverse=True)
    return [
        {"source": a, "target": b, "weight": weight, "activation_count": count}
        for a, b, weight, count in ranked[:limit]
    ]


def _row(entry: Mapping[str, Any]) -> Row:
    return entry["source"], entry["target"], entry["weight"], entry["activation_count"]


def _rows(bundle: Mapping[str, Any], kind: str) -> Sequence[Row]:
    entries = bundle.get(kind, [])
    if not isinstance(entries, list):
        raise InputError(f"{kind} of the bundle is no list", "Give a list of entries")
    for number, entry in enumerate(entries):
        if not _is_entry(entry):
            raise InputError(
                f"{kind}[{number}] of the bundle is no edge",
                "Give source, target, a weight >= 0 and activation_count",
            )
    return [_row({"activation_count": 1, **entry}) for entry in entries]


def _is_entry(entry: Any) -> bool:
    """Whether an entry has two ids, a finite weight ≥ 0 and, if any, a whole count."""
    if not isinstance(entry, Mapping):
        return False
    ends = (entry.get("source"), entry.get("target"))
    weight, count = entry.get("weight"), entry.get("activation_count", 1)
    return (
        all(isinstance(end, str) and end for end in ends)
        and isinstance(weight, int | float)
        and 0 <= weight < float("inf")
        and isinstance(count, int)
    )
