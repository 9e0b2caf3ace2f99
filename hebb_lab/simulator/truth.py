"""The distributions that the touches were drawn from, cut where they matter no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.records import Truth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.simulator.world import World

KEPT_NODES = 100
KEPT_MASS = 0.995


class TruthBuilder:
    """Collects one distribution a touch, most probable node first (ties: the lower node first)."""

    def __init__(self) -> None:
        self._nodes: list[NDArray[np.int32]] = []
        self._probability: list[NDArray[np.float32]] = []

    def add(self, nodes: NDArray[np.int64], probability: NDArray[np.float64]) -> None:
        """Keep the head of a distribution: 100 nodes or 99.5 % of the mass, whichever is less."""
        order = np.lexsort((nodes, -probability))[:KEPT_NODES]
        head = probability[order]
        kept = int(np.searchsorted(np.cumsum(head), KEPT_MASS)) + 1
        self._nodes.append(nodes[order[:kept]].astype(np.int32))
        self._probability.append(head[:kept].astype(np.float32))

    def build(self, order: NDArray[np.int64], world: World) -> Truth:
        """The truth with its rows in the order of the EventLog.

        Args:
            order: [M] the touch that is row r, touches counted as they were added.
            world: names, related pairs and their half-lives.
        """
        sizes = np.array([len(self._nodes[i]) for i in order], dtype=np.int64)
        return Truth(
            row_ptr=np.concatenate([[0], np.cumsum(sizes)]),
            node=np.concatenate([self._nodes[i] for i in order]),
            probability=np.concatenate([self._probability[i] for i in order]),
            nodes=world.names,
            pairs=world.pairs,
            half_life_days=world.half_life_days,
        )
