"""The edges of the best walk from a seed to a memory: what the trace shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.graph.cognitive.associations.walks import ATTENUATION, LEAST_EMITTED

if TYPE_CHECKING:
    from hebb_lab.graph.cognitive.associations.spreading import Paths, Reading


def best_walk(paths: Paths, reading: Reading, seed: int, memory: int, hops: int) -> list[int]:
    """Memories from the seed to the one asked for, both included; empty where no walk leads there.

    Of breadth-first walks, the best of ``hops`` edges; of depth-first ones, the best that is
    emitted after so many.
    """
    if reading.depth_first:
        return _emitted(paths, reading, seed, memory, hops)
    level: dict[int, tuple[float, list[int]]] = {seed: (1.0, [seed])}
    for _ in range(hops):
        further: dict[int, tuple[float, list[int]]] = {}
        for sender in level:
            activation, walk = level[sender]
            for receiver, scaled in _row(paths, sender):
                reached = activation * scaled
                if receiver != seed and (receiver not in further or reached > further[receiver][0]):
                    further[receiver] = (reached, [*walk, receiver])
        level = further
    return level[memory][1] if memory in level else []


def _emitted(paths: Paths, reading: Reading, seed: int, memory: int, hops: int) -> list[int]:
    best: tuple[float, list[int]] = (-1.0, [])
    expanded: set[int] = set()

    def visit(walk: list[int], attenuation: float) -> None:
        nonlocal best
        expanded.add(walk[-1])
        for receiver, scaled in _row(paths, walk[-1]):
            reached = scaled * attenuation
            if reached <= LEAST_EMITTED or receiver in expanded:
                continue
            if receiver == memory and len(walk) == hops and reached > best[0]:
                best = reached, [*walk, receiver]
            if len(walk) < reading.depth:
                visit([*walk, receiver], reached * ATTENUATION)

    visit([seed], 1.0)
    return best[1]


def _row(paths: Paths, sender: int) -> list[tuple[int, float]]:
    row = slice(int(paths.ptr[sender]), int(paths.ptr[sender + 1]))
    return list(zip(paths.neighbor[row].tolist(), paths.scaled[row].tolist(), strict=True))
