"""synapse_store.json: what the synapse store's own tuning can take of the fitted half-lives.

The store keeps half-lives in days of wall time, one default a namespace and one value an edge, all
between two bounds that its tuner knows as DECAY_RATE_MIN and DECAY_RATE_MAX (neuralmind.md §1.4,
§1.6). Fits know no bounds; only what is exported here is clipped to them, and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.halflife.export.half_lives import half_lives_of, provenance
from hebb_lab.halflife.objectives.profile import is_identified

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "hebb_lab synapse-store half-lives 1"
NAME = "synapse_store.json"
LEAST_DAYS, MOST_DAYS = 3.0, 120.0
MOST_EDGES = 10_000
EDGE_MODEL = "empirical_bayes"


def store_of(result: Mapping[str, Any], edges: pl.DataFrame | None = None) -> dict[str, Any]:
    """The content of synapse_store.json.

    Args:
        result: result.json of a half-life run.
        edges: half-lives of single edges; columns a, b, namespace, count, half_life, low, high,
            supported.

    Returns:
        defaults of the namespaces in days and edges that have one of their own, or ``withheld``:
        why the store can take none of them. A default that the log does not identify is null and
        has its verdict: there the store keeps its own.
    """
    fitted = half_lives_of(result)
    said = {key: fitted[key] for key in ("dataset", "clock", "activity", "group_by", "rules")}
    store = {
        "format": FORMAT,
        "provenance": {**provenance(result), "model": fitted["model"], **said},
    }
    reason = _withheld(fitted)
    if reason:
        return {**store, "withheld": reason}
    groups = fitted["models"][fitted["model"]]["final"]["groups"]
    valued = {name: group for name, group in groups.items() if group["half_life"] is not None}
    known = {
        name: group["half_life"]
        for name, group in valued.items()
        if is_identified(group["verdict"])
    }
    clipped = [_clipping(name, days) for name, days in known.items()]
    store |= {
        "tuning": {"DECAY_RATE_MIN": LEAST_DAYS, "DECAY_RATE_MAX": MOST_DAYS},
        "defaults_days": {name: _clip(known[name]) if name in known else None for name in groups},
        "clipped": [sentence for sentence in clipped if sentence],
        "fitted_days": {
            name: {key: group[key] for key in ("half_life", "low", "high", "events")}
            for name, group in valued.items()
        },
        "verdicts": {name: group["verdict"] for name, group in groups.items() if group["verdict"]},
    }
    return store if edges is None else {**store, **_edges(edges)}


def _withheld(fitted: Mapping[str, Any]) -> str | None:
    """Why the store can take none of the half-lives; None where it can."""
    if fitted["clock"] != "wall":
        return (
            f"The half-lives are counted in {fitted['unit']} and the store counts days of wall"
            " time: fit with halflife.clock=wall"
        )
    if fitted["group_by"] != "namespace":
        return (
            f"The half-lives are those of each {fitted['group_by']} and the store has defaults"
            " for namespaces: fit with halflife.group_by=namespace"
        )
    if fitted["model"] is None:
        return "No learned model has a half-life that this log identifies"
    return None


def _clip(days: float) -> float:
    return min(max(days, LEAST_DAYS), MOST_DAYS)


def _clipping(name: str, days: float) -> str | None:
    """A sentence where a half-life lies outside of the store's bounds."""
    if LEAST_DAYS <= days <= MOST_DAYS:
        return None
    bound = _clip(days)
    side = "below" if days < bound else "above"
    return f"{name}: fitted {days:.3g} days, {side} the store's {bound:g}: exported as {bound:g}"


def _edges(edges: pl.DataFrame) -> dict[str, Any]:
    """Half-lives of the edges that have one, most often reinforced first; how many are withheld.

    An edge has one where shrinkage supports it and both ends of its interval are closed: a
    posterior that is pressed against the end of the grid is narrow too, and says nothing.
    """
    whole = pl.all_horizontal(
        pl.col(name).is_finite() & (pl.col(name) > 0) for name in ("half_life", "low", "high")
    )
    supported = edges.filter(pl.col("supported"))
    closed = supported.filter(whole.fill_null(value=False))
    ranked = closed.sort(["count", "a", "b", "namespace"], descending=[True, False, False, False])
    rows = ranked.head(MOST_EDGES).to_dicts()
    return {
        "edge_model": EDGE_MODEL,
        "edges": [_edge(row) for row in rows],
        "edges_withheld": {
            "not supported by shrinkage": edges.height - supported.height,
            "an end of the interval is open": supported.height - closed.height,
            f"beyond the first {MOST_EDGES:,}": closed.height - len(rows),
        },
        "edges_clipped": sum(_clip(row["half_life"]) != row["half_life"] for row in rows),
    }


def _edge(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the store takes, and beside it what was fitted: only the former knows bounds."""
    return {
        "node_a": row["a"],
        "node_b": row["b"],
        "namespace": row["namespace"],
        "half_life_days": _clip(row["half_life"]),
        "fitted_days": row["half_life"],
        "fitted_low_days": row["low"],
        "fitted_high_days": row["high"],
    }


def clipped_count(store: Mapping[str, Any]) -> int:
    """How many values of a synapse_store.json are not the fitted ones but a bound."""
    return len(store.get("clipped") or ()) + int(store.get("edges_clipped") or 0)
