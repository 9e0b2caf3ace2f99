"""One hop of the walk by two engines: a sparse frontier, or energies of all nodes at once."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple, Protocol

import torch

from hebb_lab.kernels.parameters import NEVER
from hebb_lab.kernels.torch.frontier import added, expand, merged, pieces, summed
from hebb_lab.kernels.torch.rules import as_tensor
from hebb_lab.kernels.torch.segments import ranked

if TYPE_CHECKING:
    from torch import Tensor

    from hebb_lab.kernels.arrays import Rows
    from hebb_lab.kernels.parameters import ReadArrays


class Weights(NamedTuple):
    """Entries of rows: row [L] and target [L] int64; weight and alive [L, C].

    weight: float64, 0 where the edge is not alive.
    """

    row: Tensor
    target: Tensor
    weight: Tensor
    alive: Tensor


class Source(Protocol):
    """A graph that is walked through: rows [row_ptr[i], row_ptr[i + 1]) of neighbours.

    columns: values of one entry. slot_bytes: what reading it works in.
    """

    row_ptr: Tensor
    columns: int
    slot_bytes: int

    def read(self, row: Tensor, slot: Tensor, query: Tensor) -> Weights:
        """Entries [L] of rows, for the queries [L] that walk there."""

    def matrix_of(self, query: Tensor) -> Tensor:
        """Numbers of the matrices that queries walk through."""


class Standing:
    """Weights that stand still."""

    def __init__(self, rows: Rows, device: torch.device) -> None:
        self.row_ptr, self._col = as_tensor(rows.row_ptr, device), as_tensor(rows.col, device)
        self._weight = as_tensor(rows.weight, device)
        self.columns = max(self._weight.shape[1], 1)
        self.slot_bytes = 160 + 64 * self.columns

    def read(self, row: Tensor, slot: Tensor, query: Tensor) -> Weights:
        """As it is for all queries."""
        weight = self._weight[slot].to(torch.float64)
        return Weights(row, self._col[slot].long(), weight.clamp(min=0), weight > 0)

    def matrix_of(self, query: Tensor) -> Tensor:
        """One for all."""
        return torch.zeros_like(query)


class Frontier(NamedTuple):
    """Nodes with energy. key: [F] query · N + node, ascending. energy: [F, C]."""

    key: Tensor
    energy: Tensor


class Reading(NamedTuple):
    """How C configurations read, [1, C] each but the last two.

    hops: [C] on the host's side of the loop. limits: whether any has a limited frontier.
    """

    spread_decay: Tensor
    hub_degree: Tensor
    source_row: Tensor
    frontier: Tensor
    hops: Tensor
    limits: bool

    def sent(self, energy: Tensor, degree: Tensor, total: Tensor) -> Tensor:
        """What senders [F, C] send along an edge of weight 1."""
        hub = torch.sqrt(self.hub_degree / degree.clamp(min=1))
        sent = energy * self.spread_decay * torch.where(degree > self.hub_degree, hub, 1.0)
        return sent / torch.where(self.source_row & (total > 0), total, 1.0)


def reading_of(reads: ReadArrays, device: torch.device) -> Reading:
    """The numbers of ``reads`` as tensors; those that require a gradient keep it.

    Energies are float64 whatever the weights are, so that the order in which they are summed,
    which depends on how queries are grouped, does not show in a score that is float32.
    """
    frontier = as_tensor(reads.frontier, device)[None]
    return Reading(
        as_tensor(reads.spread_decay, device, torch.float64)[None],
        as_tensor(reads.hub_degree, device, torch.float64)[None],
        as_tensor(reads.source_row, device)[None],
        frontier, as_tensor(reads.hops, device), bool((frontier < NEVER).any()),
    )  # fmt: skip


class World(NamedTuple):
    """What a walk goes through.

    most: entries of rows that are worked on at once; on a processor what its cache holds.
    held: those that memory holds.
    """

    source: Source
    reading: Reading
    nodes: int
    most: int
    held: int
    edges: Tensor  # [C, Q] pairs read so far

    def degree(self, key: Tensor) -> Tensor:
        """Entries of the rows of (query, node) pairs."""
        node = key % self.nodes
        return self.source.row_ptr[node + 1] - self.source.row_ptr[node]


def rows_of(world: World, key: Tensor) -> Weights:
    """The rows of (query, node) pairs [F], parallel edges summed, numbered by their pair."""
    node, query = key % world.nodes, torch.div(key, world.nodes, rounding_mode="floor")
    row, slot = expand(world.source.row_ptr[node], world.degree(key))
    found = world.source.read(row, slot, query[row])
    group = merged(found.row, found.target)
    if group is None:
        return found
    count = int(group[-1]) + 1
    own = torch.searchsorted(group, torch.arange(count, device=key.device))
    alive = added(group, found.alive.to(torch.int32), count) > 0
    weight = added(group, found.weight, count)
    return Weights(found.row[own], found.target[own], weight, alive)


def sparse(world: World, frontier: Frontier) -> list[tuple[Tensor, Tensor]]:
    """What arrives by one hop: (key [L], energy [L, C]) in parts, not summed.

    The frontier's rows are read so many entries at a time as memory allows; where that takes
    several parts each is summed, so that what is kept follows the nodes that are reached.
    """
    parts = []
    runs = pieces(world.degree(frontier.key), world.most)
    for first, stop in runs:
        key, energy = frontier.key[first:stop], frontier.energy[first:stop]
        query = torch.div(key, world.nodes, rounding_mode="floor")
        rows = rows_of(world, key)
        degree = added(rows.row, rows.alive.to(energy.dtype), len(key))
        total = degree
        if bool(world.reading.source_row.any()):
            total = added(rows.row, rows.weight, len(key))
        _count(world, query, degree, energy)
        sent = world.reading.sent(energy, degree, total)
        gain = sent.index_select(0, rows.row) * rows.weight
        target = query[rows.row] * world.nodes + rows.target
        lit = torch.nonzero((gain > 0).any(1))[:, 0]
        if len(lit) < len(target):
            target, gain = target[lit], gain.index_select(0, lit)
        parts.append(summed(target, gain) if len(runs) > 1 else (target, gain))
    return parts


def dense(world: World, frontier: Frontier) -> tuple[Tensor, Tensor]:
    """The same for queries that walk through one matrix: energy [N, q] times sparse [N, N].

    One product a configuration, whose weights are its own. No gradients.
    """
    nodes, device = world.nodes, frontier.key.device
    node, query = frontier.key % nodes, torch.div(frontier.key, nodes, rounding_mode="floor")
    queries, place = torch.unique(query, return_inverse=True)
    rows = rows_of(world, queries[0] * nodes + torch.arange(nodes, device=device))
    degree = added(rows.row, rows.alive.to(torch.float64), nodes)
    total = added(rows.row, rows.weight, nodes)
    _count(world, query, degree[node], frontier.energy)
    sent = world.reading.sent(frontier.energy, degree[node], total[node])
    matrices, arrived = turned(rows.row, rows.target, rows.weight, nodes), []
    for c in range(sent.shape[1]):
        energy = torch.zeros((nodes, len(queries)), dtype=sent.dtype, device=device)
        energy[node, place] = sent[:, c]
        arrived.append((matrices[c] @ energy).T)  # [q, N]
    reached = torch.stack([part > 0 for part in arrived]).any(0)
    at, target = torch.nonzero(reached, as_tuple=True)
    return queries[at] * nodes + target, torch.stack([part[at, target] for part in arrived], 1)


def turned(sender: Tensor, receiver: Tensor, weight: Tensor, size: int) -> list[Tensor]:
    """C sparse matrices of receivers' rows, from entries [L] with weights [L, C].

    Indices are int32, since MKL would convert wider ones at each product.
    """
    order = torch.sort(receiver.to(torch.int32), stable=True).indices
    pointer = torch.zeros(size + 1, dtype=torch.int32, device=sender.device)
    pointer[1:] = torch.bincount(receiver, minlength=size).cumsum(0)
    column, value = sender[order].to(torch.int32), weight.T[:, order].contiguous()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        return [
            torch.sparse_csr_tensor(pointer, column, own, (size, size), check_invariants=False)
            for own in value
        ]


def next_frontier(world: World, key: Tensor, energy: Tensor, hop: int) -> Frontier:
    """Who sends at hop ``hop``: the best of each configuration, where it is limited; all seeds."""
    kept = (world.reading.hops >= hop)[None] & (energy > 0)
    if world.reading.limits and hop > 1:
        query = torch.div(key, world.nodes, rounding_mode="floor")
        order, rank = ranked(energy.T, key, query)
        place = torch.empty_like(order).scatter_(1, order, rank)
        kept = kept & torch.lt(place.T, world.reading.frontier)
    lit = kept.any(1)
    return Frontier(key[lit], energy[lit] * kept[lit])


def _count(world: World, query: Tensor, degree: Tensor, energy: Tensor) -> None:
    """Pairs with a weight where energy passes."""
    read = (degree * (energy > 0)).detach().T.to(torch.int64)
    world.edges.index_add_(1, query, read)
