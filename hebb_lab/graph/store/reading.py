"""Reads: namespaces merged with weights, or named ones raw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hebb_lab.graph.store.decay import transition_at
from hebb_lab.graph.store.edges import PERSONAL, SHARED, house_order

if TYPE_CHECKING:
    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.graph.store.table import EdgeTable


def namespace_factors(
    rules: SynapseRules, active: str, namespaces: Sequence[str] | None = None
) -> dict[str, float]:
    """Which namespaces a read sees, and the factor on their weights.

    None: the active one × 1.0, personal × 0.8, shared × 0.5; a namespace that is two of these
    counts once, as the first. Others (branches that are not active, ephemeral) are not seen.
    A list: exactly these, raw; an empty list sees nothing.

    >>> from hebb_lab.graph.rules import DOCUMENTED
    >>> namespace_factors(DOCUMENTED, "branch:login")
    {'branch:login': 1.0, 'personal': 0.8, 'shared': 0.5}
    >>> namespace_factors(DOCUMENTED, "shared")
    {'shared': 1.0, 'personal': 0.8}
    >>> namespace_factors(DOCUMENTED, "personal", ["ephemeral"])
    {'ephemeral': 1.0}
    """
    if namespaces is not None:
        return dict.fromkeys(namespaces, 1.0)
    factors = {active: rules.read_branch}
    factors.setdefault(PERSONAL, rules.read_personal)
    factors.setdefault(SHARED, rules.read_shared)
    return factors


def shares_of_neighbours(
    store: EdgeTable, node: str, now_us: int, factors: dict[str, float]
) -> dict[str, dict[str, float]]:
    """Neighbour → namespace → weight × factor; neighbours by id, edges of weight 0 included.

    Their number is the degree that the hub factor sees.
    """
    shares: dict[str, dict[str, float]] = {}
    for key in store.keys_of(node):
        a, b, namespace = key
        if namespace in factors and store.alive(key, now_us) is not None:
            other = b if a == node else a
            share = store.raw_weight(key, now_us) * factors[namespace]
            shares.setdefault(other, {})[namespace] = share
    return dict(sorted(shares.items()))


def neighbours(
    store: EdgeTable,
    node: str,
    now_us: int,
    namespaces: Sequence[str] | None = None,
    top_k: int | None = None,
) -> list[tuple[str, float]]:
    """(neighbour, merged weight), strongest first, ties by id descending."""
    factors = namespace_factors(store.rules, store.active, namespaces)
    shares = shares_of_neighbours(store, node, now_us, factors)
    merged = [(other, sum(parts.values())) for other, parts in shares.items()]
    return sorted(merged, key=house_order, reverse=True)[:top_k]


@dataclass(frozen=True)
class NamespaceStats:
    """Counts of one namespace."""

    edges: int
    weight: float
    transitions: int
    transition_weight: float
    nodes: int


@dataclass(frozen=True)
class StoreStats:
    """Counts of a store at one moment.

    Args:
        edges, transitions: that are alive.
        potentiated: edges with at least ``potentiation_count`` reinforcements.
        nodes: nodes that were ever activated, not only those with an edge.
        weight, transition_weight: raw sums.
        namespaces: the same, a namespace each.
    """

    edges: int
    potentiated: int
    weight: float
    transitions: int
    transition_weight: float
    nodes: int
    namespaces: dict[str, NamespaceStats]


def stats(store: EdgeTable, now_us: int) -> StoreStats:
    """Count what is alive now."""
    edges = store.edges(now_us)
    moves = {
        key: transition_at(store.rules, move, key[2], now_us)
        for key in sorted(store.sequences.moves)
        if (move := store.sequences.alive(key, now_us)) is not None
    }
    names = {key[2] for key in (*edges, *moves)} | {space for _, space in store.activations}
    each = {}
    for name in sorted(names):
        weights = [weight for key, weight in edges.items() if key[2] == name]
        moved = [weight for key, weight in moves.items() if key[2] == name]
        nodes = sum(space == name for _, space in store.activations)
        each[name] = NamespaceStats(len(weights), sum(weights), len(moved), sum(moved), nodes)
    alive = [edge for key in edges if (edge := store.alive(key, now_us)) is not None]
    return StoreStats(
        edges=len(edges),
        potentiated=sum(edge.count >= store.rules.potentiation_count for edge in alive),
        weight=sum(edges.values()),
        transitions=len(moves),
        transition_weight=sum(moves.values()),
        nodes=len({node for node, _ in store.activations}),
        namespaces=each,
    )
