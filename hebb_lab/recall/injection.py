"""Injection: what associative energies do to a list of hits. Pure functions; nothing is mutated.

Boost: a hit that is not a seed gets score + boost · energy, and the list is sorted anew if any hit
was touched. Budget-neutral: at most ``displace_max`` absent nodes with energy ≥ ``displace_energy``
take the places of the last hits; one original stays and the number of hits never grows. Additive:
absent nodes come in with boost · energy and nothing leaves. No signal: the very same list.

Displacement, ``displace_compares``: the strongest absent node meets the last hit, the next one the
hit before it, and each comes in only if boost · energy is above that hit's score; scores can then
be compared, so the list is sorted once more. Without it (page and code) nobody compares, and the
nodes that come in stand at the end in the order in which ``fetch`` returns them.

Ties: ``stable`` keeps the order of the list (what the code does); ``id`` is the house rule (score
as float32 descending, id descending), also for the comparison, and is what ``inject_batch`` does.
Source: rules.md §1; the page, section 4; observed: v3.3.0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from hebb_lab.recall.injection_batch import inject_batch

if TYPE_CHECKING:
    from hebb_lab.graph.rules import SynapseRules

__all__ = [
    "Added",
    "Boosted",
    "Hit",
    "Injection",
    "additive",
    "budget_neutral",
    "fetch_all",
    "inject_batch",
    "seeds_of",
]

NodeId = Any
"""A name or a number; ids of one list compare with each other."""
Ties = Literal["stable", "id"]
Fetch = Callable[[list[NodeId]], Iterable[NodeId]]


class Hit(NamedTuple):
    """One row of a ranking."""

    id: NodeId
    score: float


class Boosted(NamedTuple):
    """A hit whose score was raised (or, by a negative energy, lowered)."""

    id: NodeId
    energy: float
    before: float
    after: float


class Added(NamedTuple):
    """A node that came in, and the hit that left for it (None: nothing left)."""

    id: NodeId
    energy: float
    score: float
    displaced: Hit | None


@dataclass(frozen=True)
class Injection:
    """A list after injection, and why it looks so.

    Args:
        hits: the very object that came in where nothing was touched.
        boosted: hits that had energy, in the order of the list that came in.
        added: nodes that came in, in the order in which they were taken.
    """

    hits: Sequence[Hit]
    boosted: tuple[Boosted, ...] = ()
    added: tuple[Added, ...] = ()


def fetch_all(ids: list[NodeId]) -> Iterable[NodeId]:
    """The default source of absent nodes: all exist, in the order asked for."""
    return ids


def seeds_of(hits: Sequence[Hit], rules: SynapseRules) -> list[NodeId]:
    """Ids of the hits that seed the spreading: the first ``seed_hits``, or all."""
    return [hit.id for hit in hits[: rules.seed_hits]]


def budget_neutral(
    hits: Sequence[Hit],
    energies: Iterable[tuple[NodeId, float]] | None,
    rules: SynapseRules,
    seeds: Collection[NodeId] = (),
    fetch: Fetch | None = fetch_all,
    ties: Ties = "stable",
    skip: Callable[[NodeId], bool] | None = None,
) -> Injection:
    """Boost what is there, displace the weakest by what is missing; never more hits than before.

    Args:
        hits: best first.
        energies: (node, energy), best first; None or empty is no signal.
        rules: boost, displace_max, displace_energy, displace_compares.
        seeds: their energies are ignored.
        fetch: given the wanted ids, returns those that exist; an unknown one is not replaced.
            None: nothing can be fetched, so nothing is displaced.
        ties: see the module.
        skip: nodes that can never be a hit (pseudo-nodes).

    >>> from hebb_lab.graph.rules import DOCUMENTED
    >>> hits = [Hit("top", 0.9), Hit("mid", 0.6), Hit("low", 0.1)]
    >>> budget_neutral(hits, [("new", 1.0)], DOCUMENTED, seeds=["top"]).added
    (Added(id='new', energy=1.0, score=0.3, displaced=Hit(id='low', score=0.1)),)
    """
    energy, order = dict(energies or ()), _order(ties)
    boosted_hits, boosted = _boost(hits, energy, rules, seeds, order)
    wanted = _wanted(hits, energy, rules, seeds, ties, skip)[: max(len(hits) - 1, 0)]
    found = fetch(wanted) if fetch is not None and wanted else ()
    known = [node for node in found if node in wanted]
    if rules.displace_compares:
        known = sorted(known, key=wanted.index)
    added = _pair(boosted_hits, known, energy, rules, ties)
    if not added:
        return Injection(boosted_hits, boosted)
    kept = boosted_hits[: len(hits) - len(added)]
    result = [*kept, *(Hit(new.id, new.score) for new in added)]
    if rules.displace_compares:
        result.sort(key=order, reverse=True)
    return Injection(result, boosted, added)


def additive(
    hits: Sequence[Hit],
    energies: Iterable[tuple[NodeId, float]] | None,
    rules: SynapseRules,
    limit: int | None = None,
    seeds: Collection[NodeId] = (),
    skip: Callable[[NodeId], bool] | None = None,
) -> Injection:
    """Boost what is there, add what is missing, remove nothing; house tie rule.

    At most ``limit`` absent nodes come in, by energy, if it is above 0: ``displace_energy`` is a
    threshold for taking a place and does not hold where no place is taken.

    >>> from hebb_lab.graph.rules import DOCUMENTED
    >>> additive([Hit("a", 0.5), Hit("b", 0.1)], [("c", 1.0)], DOCUMENTED).hits
    [Hit(id='a', score=0.5), Hit(id='c', score=0.3), Hit(id='b', score=0.1)]
    """
    energy = dict(energies or ())
    order = _order("id")
    boosted_hits, boosted = _boost(hits, energy, rules, seeds, order)
    absent = _absent(hits, energy, seeds, "id", skip)
    taken = [node for node in absent if energy[node] > 0][:limit]
    added = tuple(Added(node, energy[node], rules.boost * energy[node], None) for node in taken)
    if not added:
        return Injection(boosted_hits, boosted)
    rows = [*boosted_hits, *(Hit(new.id, new.score) for new in added)]
    return Injection(sorted(rows, key=order, reverse=True), boosted, added)


def _single(score: float) -> float:
    return float(np.float32(score))


def _order(ties: Ties) -> Callable[[Hit], tuple[Any, ...]]:
    """Key for a descending sort; Python's sort is stable in reverse too."""
    if ties == "stable":
        return lambda hit: (hit.score,)
    return lambda hit: (_single(hit.score), hit.id)


def _boost(
    hits: Sequence[Hit],
    energy: dict[NodeId, float],
    rules: SynapseRules,
    seeds: Collection[NodeId],
    order: Callable[[Hit], tuple[Any, ...]],
) -> tuple[Sequence[Hit], tuple[Boosted, ...]]:
    """The list with boosts, sorted if there was one, else the list itself."""
    boosted = tuple(
        Boosted(hit.id, energy[hit.id], hit.score, hit.score + rules.boost * energy[hit.id])
        for hit in hits
        if hit.id in energy and hit.id not in seeds
    )
    if not boosted:
        return hits, ()
    after = {row.id: row.after for row in boosted}
    raised = [Hit(hit.id, after.get(hit.id, hit.score)) for hit in hits]
    return sorted(raised, key=order, reverse=True), boosted


def _absent(
    hits: Sequence[Hit],
    energy: dict[NodeId, float],
    seeds: Collection[NodeId],
    ties: Ties,
    skip: Callable[[NodeId], bool] | None,
) -> list[NodeId]:
    """Nodes with energy that are neither hits nor seeds, by energy descending."""
    present = {hit.id for hit in hits}
    rows = [
        Hit(node, value)
        for node, value in energy.items()
        if node not in present and node not in seeds and not (skip and skip(node))
    ]
    return [hit.id for hit in sorted(rows, key=_order(ties), reverse=True)]


def _wanted(
    hits: Sequence[Hit],
    energy: dict[NodeId, float],
    rules: SynapseRules,
    seeds: Collection[NodeId],
    ties: Ties,
    skip: Callable[[NodeId], bool] | None,
) -> list[NodeId]:
    absent = _absent(hits, energy, seeds, ties, skip)
    strong = [node for node in absent if energy[node] >= rules.displace_energy]
    return strong[: rules.displace_max]


def _pair(
    hits: Sequence[Hit],
    known: list[NodeId],
    energy: dict[NodeId, float],
    rules: SynapseRules,
    ties: Ties,
) -> tuple[Added, ...]:
    """Each node that comes in with the hit that leaves for it, the last hit first."""
    added = []
    for node, hit in zip(known, reversed(hits), strict=False):
        score = rules.boost * energy[node]
        value, bar = (score, hit.score) if ties == "stable" else map(_single, (score, hit.score))
        if rules.displace_compares and not value > bar:
            break
        added.append(Added(node, energy[node], score, hit))
    return tuple(added)
