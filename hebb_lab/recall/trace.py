"""Why is it here? The edges behind every candidate that injection added to a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.graph.synapse import Carried, SynapseLayer
    from hebb_lab.records import Queries, Ranking


@dataclass(frozen=True)
class AddedCandidate:
    """A node that was not in the host list.

    Args:
        node: its name.
        rank: from 1, in the list after injection.
        score: in that list.
        edges: layer → every edge that carried energy towards it, by hop; the energies of those
            that end in it sum to its energy in that layer.
    """

    node: str
    rank: int
    score: float
    edges: Mapping[str, tuple[Carried, ...]]


@dataclass(frozen=True)
class InjectionTrace:
    """What injection did to the list of one query.

    Args:
        query_id: its name.
        seeds: nodes that the energy came from.
        added: candidates that came in, best first.
        displaced: hits that went, best first.
    """

    query_id: str
    seeds: tuple[str, ...]
    added: tuple[AddedCandidate, ...]
    displaced: tuple[str, ...]


def trace_injection(
    layers: Mapping[str, SynapseLayer],
    config: int,
    queries: Queries,
    query: int,
    host: Ranking,
    mixed: Ranking,
    nodes: Sequence[str],
) -> InjectionTrace:
    """The trace of one query.

    Args:
        layers: name → layer; those whose energies were injected.
        config: their rule set.
        queries: with the seeds that the energy came from.
        query: which of them.
        host: [Q, kₕ] lists before injection.
        mixed: [Q, k] lists after it.
        nodes: [N] names.
    """
    before = [node for node in host.ids[query].tolist() if node >= 0]
    after = [node for node in mixed.ids[query].tolist() if node >= 0]
    fresh = [(rank, node) for rank, node in enumerate(after, 1) if node not in before]
    told = layers if fresh else {}
    carried = {name: layer.explain(config, queries, query) for name, layer in told.items()}
    first, last = queries.seed_ptr[query], queries.seed_ptr[query + 1]
    return InjectionTrace(
        query_id=queries.query_ids[query],
        seeds=tuple(nodes[node] for node in queries.seed_ids[first:last].tolist()),
        added=tuple(
            AddedCandidate(
                nodes[node], rank, float(mixed.scores[query, rank - 1]),
                {name: edges_towards(nodes[node], edges) for name, edges in carried.items()},
            )
            for rank, node in fresh
        ),
        displaced=tuple(nodes[node] for node in before if node not in after),
    )  # fmt: skip


def edges_towards(node: str, carried: Sequence[Carried]) -> tuple[Carried, ...]:
    """The edges that carried energy to a node, and those that had carried it to their senders."""
    wanted: dict[int, set[str]] = {}
    for edge in sorted(carried, key=lambda edge: -edge.hop):
        if edge.receiver == node or edge.receiver in wanted.get(edge.hop, ()):
            wanted.setdefault(edge.hop - 1, set()).add(edge.sender)
    return tuple(
        edge
        for edge in carried
        if edge.energy > 0 and (edge.receiver == node or edge.receiver in wanted.get(edge.hop, ()))
    )
