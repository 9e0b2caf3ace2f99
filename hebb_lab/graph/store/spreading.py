"""Spreading activation, one hop at a time, and the trace of every edge behind it.

From each node of the frontier along each edge:
energy × merged weight × spread_decay × hub factor, hub factor √(hub_degree / degree) above
hub_degree, of the sender; summed over paths. No visited set: energy walks back and seeds send to
each other. The next frontier is what arrived in this hop. Source: rules.md §1; the page, section 3.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hebb_lab.graph.store.edges import edge_key, house_order
from hebb_lab.graph.store.reading import namespace_factors, shares_of_neighbours

if TYPE_CHECKING:
    from hebb_lab.graph.store.table import EdgeTable

Seeds = Iterable[str | tuple[str, float]]
"""Nodes with energy 1, or (node, energy)."""


@dataclass(frozen=True)
class Carry:
    """Energy that one edge carried in one hop.

    Args:
        hop: from 1.
        source, target: sender and receiver.
        weight: raw weight of the edge in its namespace.
        energy: what arrived at the target through this namespace.
        sent: share of the sender's energy in this hop that went along: energy / its energy.
    """

    hop: int
    source: str
    target: str
    namespace: str
    weight: float
    energy: float
    sent: float


@dataclass(frozen=True)
class Spread:
    """The outcome of a walk.

    Args:
        ranked: (node, energy) without the seeds, by (energy as float32, id), both descending.
        contributions: node → namespace → energy; they sum to the node's energy.
        carries: every edge that carried energy, hop by hop.
    """

    ranked: list[tuple[str, float]]
    contributions: dict[str, dict[str, float]]
    carries: list[Carry]


def seed_energies(seeds: Seeds) -> dict[str, float]:
    """Node → energy; a node given twice has the sum.

    >>> seed_energies(["a", ("b", 0.5), "a"])
    {'a': 2.0, 'b': 0.5}
    """
    energies: dict[str, float] = {}
    for seed in seeds:
        node, energy = (seed, 1.0) if isinstance(seed, str) else seed
        energies[node] = energies.get(node, 0.0) + energy
    return energies


def spread(
    store: EdgeTable,
    seeds: Seeds,
    now_us: int,
    hops: int | None = None,
    top_k: int | None = None,
    namespaces: Sequence[str] | None = None,
) -> Spread:
    """Spread the seeds' energy; an empty graph or no seed gives nothing.

    ``frontier`` of the rules: all seeds send; after the first hop only the best so many of the
    nodes that just received energy send on (seeds among them, by the order of ``ranked``).
    ``normalisation=source_row``: a sender's merged weights are divided by their sum; the hub
    factor acts beside it.

    Args:
        store: read only.
        seeds: nodes, or (node, energy); energies ≤ 0 send nothing.
        now_us: the moment of reading.
        hops: None: as the rules say.
        top_k: None: all nodes.
        namespaces: None: the merged read; a list: these, raw.
    """
    frontier = seed_energies(seeds)
    seen = set(frontier)
    factors = namespace_factors(store.rules, store.active, namespaces)
    carries: list[Carry] = []
    for hop in range(1, (store.rules.hops if hops is None else hops) + 1):
        arrived: defaultdict[str, float] = defaultdict(float)
        for source, energy in frontier.items():
            if energy > 0:
                for carry in _sent_by(store, source, energy, hop, now_us, factors):
                    carries.append(carry)
                    arrived[carry.target] += carry.energy
        best = sorted(arrived.items(), key=house_order, reverse=True)
        frontier = dict(sorted(best[: store.rules.frontier]))
    shares = _contributions(carries, seen)
    totals = [(node, sum(parts.values())) for node, parts in shares.items()]
    ranked = sorted(totals, key=house_order, reverse=True)[:top_k]
    return Spread(ranked, {node: shares[node] for node, _ in ranked}, carries)


def _contributions(carries: list[Carry], seeds: set[str]) -> dict[str, dict[str, float]]:
    """Node → namespace → energy that arrived through it, without the seeds."""
    shares: dict[str, dict[str, float]] = {}
    for carry in carries:
        if carry.target not in seeds:
            by_namespace = shares.setdefault(carry.target, {})
            before = by_namespace.get(carry.namespace, 0.0)
            by_namespace[carry.namespace] = before + carry.energy
    return shares


def _sent_by(
    store: EdgeTable,
    source: str,
    energy: float,
    hop: int,
    now_us: int,
    factors: dict[str, float],
) -> Iterable[Carry]:
    """What one node sends along its edges; edges of weight 0 send nothing but count as degree."""
    rules = store.rules
    shares = shares_of_neighbours(store, source, now_us, factors)
    degree = len(shares)
    factor = rules.spread_decay
    if rules.hub_degree is not None and degree > rules.hub_degree:
        factor *= math.sqrt(rules.hub_degree / degree)
    if rules.normalisation == "source_row":
        total = sum(sum(parts.values()) for parts in shares.values())
        factor = factor / total if total > 0 else 0.0
    for target, parts in shares.items():
        for namespace, share in parts.items():
            sent = share * factor
            if sent > 0:
                key = edge_key(source, target, namespace)
                raw = store.raw_weight(key, now_us) if key else 0.0
                yield Carry(hop, source, target, namespace, raw, energy * sent, sent)


@dataclass(frozen=True)
class EdgeTrace:
    """One edge behind a candidate.

    Args:
        a, b: sender and receiver in this hop.
        namespace, weight: which edge, and its raw weight.
        hop: from 1.
        energy: what it carried in this hop, for whatever end.
        arrived: how much of the candidate's energy passed along it in this hop.
    """

    a: str
    b: str
    namespace: str
    weight: float
    hop: int
    energy: float
    arrived: float


def explain(
    store: EdgeTable,
    seeds: Seeds,
    now_us: int,
    hops: int | None = None,
    top_k: int | None = None,
    namespaces: Sequence[str] | None = None,
) -> dict[str, list[EdgeTrace]]:
    """Candidate → the edges on all walks to it, last hop first, by ``arrived`` descending.

    Two sums are the candidate's energy: ``energy`` over the edges that end at it, and ``arrived``
    over the edges of hop 1, since every walk begins with one.
    """
    walk = spread(store, seeds, now_us, hops, top_k, namespaces)
    into: defaultdict[tuple[int, str], list[Carry]] = defaultdict(list)
    for carry in walk.carries:
        into[carry.hop, carry.target].append(carry)
    return {node: _behind(node, into) for node, _ in walk.ranked}


def _behind(node: str, into: dict[tuple[int, str], list[Carry]]) -> list[EdgeTrace]:
    """Walk back from the candidate: an edge's share of what its sender passed on."""
    last = max((hop for hop, _ in into), default=0)
    wanted: dict[str, float] = {}  # node → factor from its energy after this hop to the candidate
    traces: list[EdgeTrace] = []
    for hop in range(last, 0, -1):
        wanted[node] = wanted.get(node, 0.0) + 1.0
        before: defaultdict[str, float] = defaultdict(float)
        for target, factor in wanted.items():
            for carry in into.get((hop, target), ()):
                before[carry.source] += carry.sent * factor
                traces.append(
                    EdgeTrace(
                        carry.source, carry.target, carry.namespace, carry.weight, hop,
                        carry.energy, carry.energy * factor,
                    )
                )  # fmt: skip
        wanted = dict(before)
    return sorted(traces, key=lambda t: (-t.hop, -t.arrived, t.a, t.b, t.namespace))
