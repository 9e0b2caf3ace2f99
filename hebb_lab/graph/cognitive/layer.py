"""What all layers of the cognitive graph have in common: what goes in, what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Lists, Memories

CUE = -1
"""The origin of a candidate that the query's own entities or tags led to."""


class Seeds(NamedTuple):
    """What direct search found for each of Q queries, best first: where expansion starts."""

    ptr: NDArray[np.int64]  # [Q+1]
    memory: NDArray[np.int32]
    score: NDArray[np.float32]  # not negative; as the pipeline scored it

    def __len__(self) -> int:
        return len(self.ptr) - 1


class Cues(NamedTuple):
    """What each of Q queries names: tags and entities, as ids of ``Memories``; unknown left out."""

    tags: Lists
    entities: Lists


class Expansion(NamedTuple):
    """What one layer found for Q queries under one rule set.

    The memories of a query are distinct and ascend. Seeds may be among them; what becomes of
    those is for the pipeline to say.
    """

    ptr: NDArray[np.int64]  # [Q+1]
    memory: NDArray[np.int32]
    energy: NDArray[np.float32]  # seed's score × activation: the best, or the sum, over all paths
    activation: NDArray[np.float32]  # of the best path, in the layer's own measure
    origin: NDArray[np.int32]  # the seed of the best path, or CUE
    hop: NDArray[np.int8]  # steps of the best path, from 1

    def __len__(self) -> int:
        return len(self.ptr) - 1


class Step(NamedTuple):
    """One edge on the way to a candidate, by names: the trace."""

    layer: str
    hop: int  # from 1
    sender: str  # a memory, an entity or a tag
    receiver: str
    relation: str  # co_ingested, next, previous, mentions, a relation's or hyperedge's type, …
    weight: float  # of the edge as of then


class CognitiveLayer(Protocol):
    """A layer under C rule sets, learned in time order.

    A layer is built from (memories, C rules) and knows nothing until ``advance``. All times are
    places in the order of writing: ``advance(n)`` learns memories [0, n), so that what a query
    sees is made of what was written before it, exactly.
    """

    name: str

    def advance(self, known: int) -> None:
        """Learn up to memory ``known``, exclusively.

        Raises:
            ValueError: it would have to forget.
        """

    def expand(self, seeds: Seeds, cues: Cues, configs: Sequence[int]) -> list[Expansion]:
        """What some of the rule sets find from the seeds and cues of Q queries: one each.

        Rule sets that this layer cannot tell apart share one result.
        """

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The edges of the best path to a candidate, hop by hop; empty where there is none."""

    def byte_count(self, config: int) -> int:
        """Memory that the layer's state of one rule set takes."""

    def edge_count(self, config: int) -> int:
        """Edges that the layer holds under one rule set."""


LayerMaker = Callable[["Memories", "Sequence[CognitiveRules]"], CognitiveLayer]
COGNITIVE_LAYERS: Registry[LayerMaker] = Registry("layer of the cognitive graph")
"""name → (memories, C rule sets) → the layer, which has learned nothing yet.

``reads`` of a layer's class names the switches that it looks at: rule sets that differ in others
alone are one to it.
"""


def layer_maker(name: str) -> LayerMaker:
    """The registered layer of that name; those of PARTS register themselves when asked for.

    Raises:
        ConfigError: no layer has that name.
    """
    if name in PARTS and name not in COGNITIVE_LAYERS:
        import_module(f"hebb_lab.graph.cognitive.{name}")
    return COGNITIVE_LAYERS[name]


def switches_read(name: str) -> tuple[str, ...]:
    """The switches that a layer looks at.

    Raises:
        ConfigError: no layer has that name.

    >>> switches_read("stdp")
    ('tag_counts_from', 'stdp_plus', 'stdp_minus', 'stdp_tau_seconds', 'stdp_gain')
    """
    reads: tuple[str, ...] = layer_maker(name).reads  # type: ignore[attr-defined]
    return reads


def empty_expansion(queries: int) -> Expansion:
    """What a layer finds that holds nothing.

    >>> len(empty_expansion(2)), len(empty_expansion(2).memory)
    (2, 0)
    """
    return Expansion(
        np.zeros(queries + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32),
        np.zeros(0, np.float32), np.zeros(0, np.int32), np.zeros(0, np.int8),
    )  # fmt: skip


def distinct(
    rules: Sequence[CognitiveRules], fields: Sequence[str]
) -> tuple[list[CognitiveRules], list[int]]:
    """The rule sets that differ in some fields, and for each of all the place of its like."""
    kept: dict[tuple[object, ...], int] = {}
    chosen: list[CognitiveRules] = []
    places = []
    for each in rules:
        key = tuple(getattr(each, name) for name in fields)
        if key not in kept:
            kept[key] = len(chosen)
            chosen.append(each)
        places.append(kept[key])
    return chosen, places
