"""What is true of each edge before anything happens: namespace, half-life, rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.worlds.parameters import WorldParameters


@dataclass(frozen=True)
class Nature:
    """What does not change. E edges, in the order of their numbers.

    Args:
        namespace: [E] int16 index into the parameters' namespaces.
        half_life_days: [E] as in ``records.EdgeTruth``.
        base_rate, gain: [E] per day of activity, frailty included.
    """

    namespace: NDArray[np.int16]
    half_life_days: NDArray[np.float64]
    base_rate: NDArray[np.float64]
    gain: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.namespace)


def draw_nature(parameters: WorldParameters, rng: Generator) -> Nature:
    """Draw the half-lives and the frailty of all edges."""
    count = parameters.edges
    namespace = np.arange(count) % len(parameters.namespaces)
    spread = np.exp(parameters.half_life_sigma * rng.standard_normal(count))
    median = np.array(parameters.half_life_days)[namespace]
    half_life = {
        "exponential": median * spread,
        "learned_observed": median,
        "none": np.full(count, np.inf),
        "power_law": np.full(count, np.nan),
    }[parameters.law]
    frailty = np.ones(count)
    if parameters.frailty_shape is not None:
        frailty = rng.gamma(parameters.frailty_shape, 1 / parameters.frailty_shape, count)
    return Nature(
        namespace.astype(np.int16), half_life, parameters.base_rate * frailty,
        parameters.gain * frailty,
    )  # fmt: skip
