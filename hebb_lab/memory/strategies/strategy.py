"""What a strategy of recall is: it finds at most k memories for each question, each by a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.values import Cues, Failure
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.memory.strategies.view import View


@dataclass(frozen=True)
class Found:
    """What one strategy found for Q questions, best first.

    Args:
        rows: [Q, k] int64 rows of the state, each at most once a question; −1 past the end.
        relevance: [Q, k] float32 in [0, 1]; 0 past the end.
        failures: questions that it could not answer.
    """

    rows: NDArray[np.int64]
    relevance: NDArray[np.float32]
    failures: tuple[Failure, ...] = ()


Strategy = Callable[["View", Cues, int], Found]
"""(what may be seen, the questions, k) → what was found."""

STRATEGIES: Registry[Strategy] = Registry("strategy")
