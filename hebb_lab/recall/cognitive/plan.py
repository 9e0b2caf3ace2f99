"""How one arm recalls, what it is asked, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.rules import PARTS, CognitiveRules
from hebb_lab.memory.rules import MemoryRules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.layer import Cues
    from hebb_lab.records import Lists


@dataclass(frozen=True)
class Plan:
    """How one arm recalls.

    Args:
        seeder: direct search, a name of SEEDERS.
        layers: of the cognitive graph that expand it, names of PARTS.
        rules: of the layers, the gate and the merge.
        scoring: ``similarity`` (as direct search scores), ``phases`` (the six-phase scorer) or
            ``memory`` (the memory model's composite of relevance, recency, importance and recalls).
        profile: a cognitive profile for all queries; ``own`` for each query's; None for none.
        habituation: whether what earlier queries of the scope were given is held back.
        importance: ``given``, or ``surprise`` where the data gives none.
        memory: of scoring=memory: its rules.
    """

    seeder: str = "bm25"
    layers: tuple[str, ...] = ()
    rules: CognitiveRules = field(default_factory=CognitiveRules)
    scoring: str = "similarity"
    profile: str | None = None
    habituation: bool = False
    importance: str = "given"
    memory: MemoryRules = field(default_factory=MemoryRules)

    def __post_init__(self) -> None:
        unknown = [layer for layer in self.layers if layer not in PARTS]
        if unknown or len(set(self.layers)) < len(self.layers):
            wrong = f"{unknown[0]} is no layer" if unknown else "one is named twice"
            raise ConfigError(
                f"layers {', '.join(self.layers)}: {wrong}",
                f"Name each at most once: {', '.join(PARTS)}",
            )
        for name, value, known in (
            ("scoring", self.scoring, ("similarity", "phases", "memory")),
            ("importance", self.importance, ("given", "surprise")),
        ):
            if value not in known:
                raise ConfigError(f"{name}={value} is not a choice", f"Use {' or '.join(known)}")


@dataclass(frozen=True)
class Asked:
    """Q queries to the memories of one scope, in time order.

    Args:
        texts: [Q].
        known: [Q] int64, how many memories of the scope were written strictly before each.
        time_us: [Q] int64.
        cues: tags and entities that each names.
        profile: [Q] its own cognitive profile, or an empty string.
        filter_tags: tags that it asks for.
        valence: [Q, 2] float32, from and to; −inf and inf where it does not say.
    """

    texts: tuple[str, ...]
    known: NDArray[np.int64]
    time_us: NDArray[np.int64]
    cues: Cues
    profile: tuple[str, ...] = ()
    filter_tags: Lists | None = None
    valence: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.texts)


class LayerUse(NamedTuple):
    """What one layer did for Q queries of one arm."""

    layer: str
    found: NDArray[np.int32]  # [Q] candidates that it offered and direct search had not listed
    listed: NDArray[np.int32]  # [Q] of them, those in the final list
    seconds: float  # of its expansion, shared by the arms that share it
    bytes: int
    edges: int
    failure: str  # empty, or why the layer was a no-op: its error, or "empty"
    learning_seconds: float = 0.0  # of its learning, shared by the rule sets that learned with it


class Answers(NamedTuple):
    """What one arm gives: the best ``depth`` memories of each of Q queries.

    By (score as float32 descending, name descending), the one tie rule.
    """

    memory: NDArray[np.int32]  # [Q, depth], −1 past the end
    score: NDArray[np.float32]  # [Q, depth], −inf past the end
    expanded: NDArray[np.bool_]  # [Q] whether the gate let expansion happen
    uses: tuple[LayerUse, ...]
