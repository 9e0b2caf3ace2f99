"""Edges from the structure of code: what calls, imports or contains what. Observed only (v3.3.0).

The page promises that a cold store changes nothing; a store that was seeded is not cold. Seeded
edges are counted up at each build, so after five builds they are potentiated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hebb_lab.graph.store.edges import SHARED, edge_key

if TYPE_CHECKING:
    from hebb_lab.graph.store.table import EdgeTable

KIND_OF_RELATION = {
    "calls": "call",
    "imports": "import",
    "imports_from": "import",
    "inherits": "inherits",
    "implements": "implements",
    "uses": "uses",
    "references": "uses",
    "contains": "contains",
}
BASE_WEIGHT = 0.25
LOG_SCALE = 0.06
WEIGHT_MAX = 0.70


def structural_weight(count: int) -> float:
    """min(0.70, 0.25 + 0.06 · ln(count + 1)).

    >>> [round(structural_weight(n), 4) for n in (1, 10, 1000, 1808)]
    [0.2916, 0.3939, 0.6645, 0.7]
    """
    return min(WEIGHT_MAX, BASE_WEIGHT + LOG_SCALE * math.log(count + 1))


def record_structure(store: EdgeTable, rows: Iterable[Mapping[str, str]]) -> int:
    """Count one build's rows: +1 for each (caller, callee, kind).

    A row names ``source``, ``target``, ``relation`` (or ``_src``, ``_tgt``, ``label``, ``kind``).
    Unknown relations and self-loops are left out. Returns the number of rows kept.
    """
    kept = 0
    for row in rows:
        caller = row.get("source", row.get("_src", ""))
        callee = row.get("target", row.get("_tgt", ""))
        relation = row.get("relation", row.get("label", row.get("kind", "")))
        kind = KIND_OF_RELATION.get(relation)
        if kind is not None and caller and callee and caller != callee:
            store.structure[caller, callee, kind] += 1
            kept += 1
    return kept


def seed_structure(store: EdgeTable, now_us: int) -> int:
    """Give every counted row an undirected edge in ``shared``.

    An edge that is there keeps the larger weight; its count grows by 1 a row; it is active now.
    Returns the number of rows.
    """
    for (caller, callee, _), count in sorted(store.structure.items()):
        key = edge_key(caller, callee, SHARED)
        if key is not None:
            store.absorb(key, structural_weight(count), 1, now_us, adds_count=True)
    return len(store.structure)
