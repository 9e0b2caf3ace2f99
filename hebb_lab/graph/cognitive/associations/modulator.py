"""How fast the edges of a memory fade: the decay factor, and what a memory's state does to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories

UNKNOWN_IMPORTANCE = 1.0  # before the surprise statistics have warmed up (spector.md §2.3)


class MemoryState(NamedTuple):
    """What of the memories has a say in decay and eviction, [N] each."""

    importance: NDArray[np.float64]  # 0.05 to 10
    arousal: NDArray[np.float64]  # 0 to 255
    valence: NDArray[np.float64]  # −128 to 127
    is_open: NDArray[np.bool_]  # unresolved or pinned (Zeigarnik)

    @classmethod
    def of(cls, memories: Memories) -> MemoryState:
        """Of the memories as given: unknown importance is 1, unknown arousal min(255, 2·|v|)."""
        importance = memories.importance.astype(np.float64)
        valence = memories.valence.astype(np.float64)
        arousal = memories.arousal.astype(np.float64)
        return cls(
            np.where(np.isnan(importance), UNKNOWN_IMPORTANCE, importance),
            np.where(arousal < 0, np.minimum(255.0, 2 * np.abs(valence)), arousal),
            valence,
            ~memories.resolved | memories.pinned,
        )


def modulator(state: MemoryState) -> NDArray[np.float64]:
    """How much a memory resists decay: m = 1 + 0.3·importance + 0.2·arousal/255 + 0.1·|v|/127.

    [N], 1.3 and more where importance is at least 1 (spector.md §1.1).
    """
    return (
        1.0 + 0.3 * state.importance + 0.2 * state.arousal / 255.0
        + 0.1 * np.abs(state.valence) / 127.0
    )  # fmt: skip


def decay_factors(rules: Sequence[CognitiveRules], state: MemoryState) -> NDArray[np.float64]:
    """[C, N] what the weights of a memory's edges are multiplied with at a cycle.

    ``none``: f. ``clamped``: 1 − (1 − f)/m with m in [0.5, 2], within [0.5, 0.999].
    ``unclamped``: f · m, as the code has it, which is above 1 for most memories.
    """
    strength = modulator(state)
    found = np.empty((len(rules), len(strength)))
    for c, each in enumerate(rules):
        factor = each.hebbian_decay
        if each.decay_modulator == "none":
            found[c] = factor
        elif each.decay_modulator == "clamped":
            slowed = 1.0 - (1.0 - factor) / np.clip(strength, 0.5, 2.0)
            found[c] = np.clip(slowed, 0.5, 0.999)
        else:
            found[c] = factor * strength
    return found
