"""Layer 2, the temporal chain: what was written just after, and just before.

Source: "Memory Hebbian" (Spector Memory), "Temporal Causal Chain"; retention as the code has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, Cues, Expansion, Seeds, Step
from hebb_lab.graph.cognitive.paths import Paths, one_query
from hebb_lab.graph.cognitive.sequences.links import ChainNodes, Chains, Links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.records import Memories

FIFTH = 0.2  # what the code multiplies a share with when it adds the neighbour's own similarity


class _Reading(NamedTuple):
    """The rules that tell one config from another, with what they come to."""

    links: str
    retention_days: float | None
    hops: int
    forward: float
    backward: float
    hop_decay: float
    factor: float
    least_activation: float
    summed: bool

    def shares(self, hops: int) -> NDArray[np.float64]:
        """[hops, 2] activation at each step, forward and back."""
        decay = self.hop_decay ** np.arange(hops, dtype=np.float64)
        return np.outer(decay, [self.forward, self.backward])


class _Walks(NamedTuple):
    """All steps from all seeds: one path a step."""

    paths: Paths
    score: NDArray[np.float64]  # [P] of the seed
    column: NDArray[np.int64]  # [P] 2 × (hop − 1) + (0 forward, 1 back)
    origin: NDArray[np.int32]
    hop: NDArray[np.int8]


@COGNITIVE_LAYERS.register("chain")
class ChainLayer:
    """Memories as doubly linked lists, followed forward and back from each seed.

    Activation of a step: temporal_forward or temporal_backward × temporal_hop_decay^(hop − 1).
    Energy: seed's score × activation, × 0.2 under ``similarity_plus_fifth``.

    Chains are the sessions, in the order of writing, or where the data states chains those;
    ``temporal_links=across`` is one chain of all memories in any case. A stated chain is linked
    along those of its memories that are known: one that is not written yet is passed over, as is
    one that stood in a chain before.

    With ``retention_days`` the nodes that are older than the newest known memory by more are
    taken out and their neighbours are joined; times at or before 1970 count as unknown and stay.
    """

    name = "chain"
    reads = (
        "temporal_links", "retention_days", "temporal_hops", "temporal_forward",
        "temporal_backward", "temporal_hop_decay", "temporal_score", "paths", "gate",
        "gate_threshold",
    )  # fmt: skip

    def __init__(self, memories: Memories, rules: Sequence[CognitiveRules]) -> None:
        self._memories = memories
        self._readings = [_reading(each) for each in rules]
        self._known = 0
        self._chains: dict[str, Chains] = {}
        self._links: dict[tuple[str, float | None], Links] = {}

    def advance(self, known: int) -> None:
        """Learn up to memory ``known``, exclusively.

        Raises:
            ValueError: it would have to forget.
        """
        if known < self._known:
            raise ValueError(
                f"the chain knows {self._known} memories and cannot go back to {known}"
            )
        if known > self._known:
            self._links.clear()
        self._known = known

    def expand(self, seeds: Seeds, cues: Cues, configs: Sequence[int]) -> list[Expansion]:
        """What stands before and after the seeds: one for each config, shared by its likes."""
        asked = [self._readings[config] for config in configs]
        hops: dict[tuple[str, float | None], int] = {}
        for reading in asked:
            state = reading[:2]
            hops[state] = max(hops.get(state, 0), reading.hops)
        walks = {state: self._walk(seeds, *state, most) for state, most in hops.items()}
        found = {
            reading: _expansion(reading, walks[reading[:2]], hops[reading[:2]])
            for reading in set(asked)
        }
        return [found[reading] for reading in asked]

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The steps of the best path; their weights multiply to its activation."""
        reading = self._readings[config]
        walks = self._walk(one_query(seeds, query), *reading[:2], reading.hops)
        best = walks.paths.best_to(memory, *_energies(reading, walks, reading.hops))
        if best is None:
            return ()
        return self._steps(reading, int(walks.origin[best]), int(walks.column[best]))

    def byte_count(self, config: int) -> int:
        """16 bytes a known memory; 8 for one that is in no chain."""
        return self._chains_of(self._readings[config].links).byte_count(self._known)

    def edge_count(self, config: int) -> int:
        """Links from a memory to the next."""
        return int((self._linked(*self._readings[config][:2]).following >= 0).sum())

    def nodes(self, config: int) -> ChainNodes:
        """The state of one config, as files hold it."""
        reading = self._readings[config]
        return self._chains_of(reading.links).nodes(self._linked(*reading[:2]))

    def _steps(self, reading: _Reading, seed: int, column: int) -> tuple[Step, ...]:
        back = column % 2
        links = self._linked(*reading[:2])
        names, pointer = self._memories.names, links.previous if back else links.following
        steps, node = [], seed
        for hop in range(1, column // 2 + 2):
            first = reading.backward if back else reading.forward
            weight = first if hop == 1 else reading.hop_decay
            after = int(pointer[node])
            relation = "previous" if back else "next"
            steps.append(Step(self.name, hop, names[node], names[after], relation, weight))
            node = after
        return tuple(steps)

    def _walk(self, seeds: Seeds, links: str, retention: float | None, hops: int) -> _Walks:
        """Every step forward and back, hop by hop, seed by seed."""
        linked, backend = self._linked(links, retention), _backend()
        ways = [
            backend.follow(pointer, seeds.memory, hops)
            for pointer in (linked.following, linked.previous)
        ]
        reached = np.stack(ways, axis=2).reshape(len(seeds.memory), 2 * hops)
        seed, column = np.nonzero(reached >= 0)
        query = np.repeat(np.arange(len(seeds)), np.diff(seeds.ptr))
        return _Walks(
            Paths.of(len(seeds), query[seed], reached[seed, column]),
            seeds.score[seed].astype(np.float64), column, seeds.memory[seed],
            (column // 2 + 1).astype(np.int8),
        )  # fmt: skip

    def _linked(self, links: str, retention_days: float | None) -> Links:
        """The links as of now, made once for all configs that have them in common."""
        if (links, retention_days) not in self._links:
            made = self._chains_of(links).linked(self._known, retention_days)
            self._links[links, retention_days] = made
        return self._links[links, retention_days]

    def _chains_of(self, links: str) -> Chains:
        if links not in self._chains:
            self._chains[links] = Chains(self._memories, links)
        return self._chains[links]


def _reading(rules: CognitiveRules) -> _Reading:
    return _Reading(
        rules.temporal_links, rules.retention_days, rules.temporal_hops, rules.temporal_forward,
        rules.temporal_backward, rules.temporal_hop_decay,
        FIFTH if rules.temporal_score == "similarity_plus_fifth" else 1.0,
        rules.least_activation(), rules.paths == "sum",
    )  # fmt: skip


def _energies(
    reading: _Reading, walks: _Walks, hops: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """[P] each: the energy of a path, and whether the rules let it be."""
    activation = reading.shares(hops).ravel()[walks.column]
    is_open = (walks.hop <= reading.hops) & (activation >= reading.least_activation)
    return walks.score * activation * reading.factor, is_open


def _expansion(reading: _Reading, walks: _Walks, hops: int) -> Expansion:
    energy, is_open = _energies(reading, walks, hops)
    activation = reading.shares(hops).ravel()[walks.column]
    return walks.paths.expansion(
        energy, activation, walks.origin, walks.hop, is_open=is_open, summed=reading.summed
    )


def _backend() -> Backend:
    from hebb_lab.kernels.choose import backend_named

    return backend_named("cpu")
