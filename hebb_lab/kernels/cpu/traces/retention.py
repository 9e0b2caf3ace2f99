"""What is left of memories on the CPU: one pass a configuration, several memories at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.cpu.compile import in_threads, kernel, pieces_of
from hebb_lab.kernels.cpu.traces.elementary import logarithm
from hebb_lab.kernels.cpu.traces.halving import halved

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays

PIECE = 1 << 15  # memories that one thread works on at a time


def decay_scores(
    memories: MemoryArrays, rules: RetentionArrays, now_us: int
) -> NDArray[np.float32]:
    """Decay scores [N, C], a configuration's side by side; see Backend.decay_scores."""
    found = np.empty((len(rules.half_life_us), len(memories.importance)), np.float32)
    importance = np.ascontiguousarray(memories.importance, np.float32)
    accessed = np.ascontiguousarray(memories.accessed_us, np.int64)
    created = np.ascontiguousarray(memories.created_us, np.int64)
    count = np.ascontiguousarray(memories.access_count, np.int64)
    now = np.int64(now_us)
    for out, half_life, gain, cap, from_created in zip(found, *rules, strict=True):
        anchor = created if from_created else accessed
        settings = now, float(half_life), float(gain), np.int64(cap)

        def work(first: int, stop: int, out: Any = out, anchor: Any = anchor,
                 settings: Any = settings) -> None:  # fmt: skip
            piece = slice(first, stop)
            _scores(importance[piece], anchor[piece], count[piece], *settings, out[piece])

        in_threads(work, pieces_of(len(importance), PIECE))
    return found.T


@kernel
def _scores(
    importance: Any, anchor: Any, count: Any, now_us: int, half_life_us: float, gain: float,
    cap: int, out: Any,
) -> None:  # fmt: skip
    """One configuration. ln(1 + cap) is computed as ln(1 + n) is, so that a full count is 1."""
    scale = 1.0 / logarithm(1.0 + cap) if cap > 0 else 0.0
    for n in range(len(importance)):
        weight = np.float64(importance[n])
        age = np.float64(max(now_us - anchor[n], 0))
        left = halved(age / (half_life_us * (1.0 + gain * weight)))
        lift = logarithm(1.0 + np.float64(min(count[n], cap))) * scale
        out[n] = max(weight, 0.0) * left * (1.0 + lift)
