"""Spreading activation from seeds over the edges of one rule set.

Breadth first (the page): a walk's activation is the product of the scaled weights of its edges. A
walk has at most ``depth`` edges and does not return to its seed; over two edges that is the same as
a path. Of all walks from a seed to a memory the one with most activation counts, and of all seeds
the one that gives most energy, then the one that stands first; fewer edges break a tie before that.
With ``sums`` the activations of the walks of a level are added, and the energies of all levels and
seeds; a level counts if its best walk passes the gate, so that sums change energies and not who is
found.

Depth first (the code): a memory that is expanded is marked, and is not emitted again for this seed;
edges are followed by weight descending, then the older memory first; c = w × attenuation is emitted
if above 0.01, and halved on the next edge. What is emitted several times counts once, by its best,
or is summed.

Energy is gain × the seed's score × activation, or × min(activation/5, 1) (``over_five``).
"""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.associations.walks import breadth_first, depth_first
from hebb_lab.graph.cognitive.layer import Expansion
from hebb_lab.kernels.cpu.compile import in_workers, pieces_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.layer import Seeds

PIECE = 128  # queries that one thread works on at a time


class Paths(NamedTuple):
    """The edges of one rule set, with weights as walks multiply them. N memories."""

    ptr: NDArray[np.int64]  # [N+1]
    neighbor: NDArray[np.int32]
    scaled: NDArray[np.float64]


class Reading(NamedTuple):
    """How a rule set walks, as numbers that kernels take."""

    depth: int
    gain: float
    least: float  # activation that a memory needs
    over_five: bool
    sums: bool
    depth_first: bool


class Room(NamedTuple):
    """What a thread walks in: N places a line; clean between queries."""

    level: Any  # [2, N] float64, activation of the best walk that ends here; −1: none
    total: Any  # [2, N] float64, of all walks of this level
    nodes: Any  # [2, N] int32, whom a level reaches
    energy: Any  # [N] float64; −1: not found
    activation: Any  # [N] float64
    best: Any  # [N] float64, energy of the best walk
    origin: Any  # [N] int32
    hop: Any  # [N] int8
    found: Any  # [N] int32
    mark: Any  # [N] int64, the seed for which a memory was expanded
    stack: Any  # [3, depth + 1] int64: place, end and node of each level
    carried: Any  # [depth + 1] float64


def scaled_weights(
    offsets: NDArray[np.integer], weight: NDArray[np.float32], scale: str
) -> NDArray[np.float64]:
    """[E] activations that weights stand for.

    ``saturating``: 1 − e^(−w/3). ``raw``: w. ``share``: w divided by the sum of its row.
    """
    w = weight.astype(np.float64)
    if scale == "raw":
        return w
    if scale == "saturating":
        return -np.expm1(-w / 3.0)
    degree = np.diff(offsets)
    sums = np.add.reduceat(np.append(w, 0.0), offsets[:-1])  # of empty rows: never read
    return np.divide(w, np.repeat(sums, degree), out=np.zeros_like(w), where=w > 0)


def by_weight(paths: Paths) -> Paths:
    """The same rows, each by weight descending and then the older memory first."""
    sender = np.repeat(np.arange(len(paths.ptr) - 1), np.diff(paths.ptr))
    order = np.lexsort((paths.neighbor, -paths.scaled, sender))
    return Paths(paths.ptr, paths.neighbor[order], paths.scaled[order])


def spread(paths: Paths, reading: Reading, seeds: Seeds) -> Expansion:
    """What Q queries find. Paths of depth-first readings must come ``by_weight``."""
    queries, memories = len(seeds), len(paths.ptr) - 1
    parts: dict[int, tuple[Any, ...]] = {}
    count = np.zeros(queries, np.int64)

    def work(room: Room, first: int, stop: int) -> None:
        parts[first] = _piece(paths, reading, seeds, room, first, stop, count)

    pieces = pieces_of(queries, PIECE)
    in_workers(lambda: _room(memories, reading.depth), work, pieces)
    ptr = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    empty = _buffers(0)
    columns = [
        np.concatenate([kind[:0], *(parts[first][place] for first, _ in pieces)])
        for place, kind in enumerate(empty)
    ]
    return Expansion(ptr, *columns)


def _piece(
    paths: Paths, reading: Reading, seeds: Seeds, room: Room, first: int, stop: int,
    count: NDArray[np.int64],
) -> tuple[Any, ...]:  # fmt: skip
    """The columns of queries [first, stop): buffers grow when the kernel says they are full."""
    buffers = _buffers(64 * (stop - first))
    used, query = 0, first
    run = depth_first if reading.depth_first else breadth_first
    while True:
        query, used = run(query, stop, paths, reading, seeds, room, buffers, used, count)
        if query == stop:
            return tuple(column[:used] for column in buffers)
        larger = _buffers(2 * len(buffers[0]) + len(paths.ptr))
        for new, old in zip(larger, buffers, strict=True):
            new[:used] = old[:used]
        buffers = larger


def _buffers(size: int) -> tuple[Any, ...]:
    """memory, energy, activation, origin, hop."""
    return (
        np.empty(size, np.int32), np.empty(size, np.float32), np.empty(size, np.float32),
        np.empty(size, np.int32), np.empty(size, np.int8),
    )  # fmt: skip


def _room(memories: int, depth: int) -> Room:
    return Room(
        np.full((2, memories), -1.0), np.zeros((2, memories)), np.empty((2, memories), np.int32),
        np.full(memories, -1.0), np.empty(memories), np.empty(memories),
        np.empty(memories, np.int32), np.empty(memories, np.int8), np.empty(memories, np.int32),
        np.full(memories, -1, np.int64), np.empty((3, depth + 1), np.int64), np.empty(depth + 1),
    )  # fmt: skip
