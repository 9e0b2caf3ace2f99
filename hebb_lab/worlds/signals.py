"""What an edge remembers: the signal that raises its rate, for many edges at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from hebb_lab.worlds.activity import DAY_US

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.worlds.nature import Nature
    from hebb_lab.worlds.parameters import WorldParameters

    Edges = NDArray[np.int64]
    Times = NDArray[np.int64]


class Signal(Protocol):
    """A signal that falls between the events of an edge and rises at them."""

    def value(self, edges: Edges, now_us: Times) -> NDArray[np.float64]:
        """The signal of these edges, each just before its own moment."""
        ...

    def reinforce(self, edges: Edges, now_us: Times) -> None:
        """An event of each of these edges, each at its own moment."""
        ...


class Weights:
    """The store's weights, by the rules of ``kernels.reference.replay``.

    In event order: decay over the gap, floor, prune (which resets the count), add, cap.

    Args:
        parameters: the rules, and whether half-lives are learned.
        nature: namespaces and half-lives.
    """

    def __init__(self, parameters: WorldParameters, nature: Nature) -> None:
        rules, count = parameters.rules, len(nature)
        self._rules = rules
        self._learned = parameters.law == "learned_observed"
        self._default = nature.half_life_days
        names = np.array(parameters.namespaces)[nature.namespace]
        # the shipped code keeps shared at its default at least (neuralmind.md §1.6)
        at_least = np.where(names == "shared", self._default, 0.0)
        self._low = np.maximum(rules.half_life_min_days, at_least)
        self._floor_holds = (names != "ephemeral") | rules.ephemeral_floor
        self._weight = np.zeros(count)
        self._count = np.zeros(count, np.int64)
        self._half_life = nature.half_life_days.copy()
        self._born = np.zeros(count, np.int64)
        self._at = np.zeros(count, np.int64)

    def value(self, edges: Edges, now_us: Times) -> NDArray[np.float64]:
        """The weight of these edges, 0 where it is pruned or was never born."""
        return self._as_of(edges, now_us)[0]

    def reinforce(self, edges: Edges, now_us: Times) -> None:
        """Add the learning rate, cap, and take the half-life that the count now gives."""
        weight, alive = self._as_of(edges, now_us)
        cap = np.inf if self._rules.weight_cap is None else self._rules.weight_cap
        gain = self._rules.learning_rate * min(1.0, self._rules.strength_max)
        self._weight[edges] = np.minimum(cap, weight + gain)
        self._count[edges] = np.where(alive, self._count[edges], 0) + 1
        self._born[edges] = np.where(alive, self._born[edges], now_us)
        self._at[edges] = now_us
        if self._learned:
            self._half_life[edges] = self._learned_days(edges, now_us)

    def _as_of(self, edges: Edges, now_us: Times) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """(weight, whether the edge is alive) at each edge's moment."""
        weight, count = self._weight[edges], self._count[edges]
        age = (now_us - self._at[edges]) / DAY_US / self._half_life[edges]
        decayed = weight * np.exp2(-age)
        rules = self._rules
        floored = (count >= rules.potentiation_count) & self._floor_holds[edges]
        floored &= rules.potentiation
        alive = (count > 0) & (floored | (decayed >= rules.prune_below))
        held = np.maximum(decayed, np.minimum(rules.potentiation_floor, weight))
        return np.where(alive, np.where(floored, held, decayed), 0.0), alive

    def _learned_days(self, edges: Edges, now_us: Times) -> NDArray[np.float64]:
        """Half-life of an edge with n reinforcements; in its first day the default.

        low + (high − low) · ln(1 + n/10) / (1 + ln(1 + n/10)), held in [low, high]
        (neuralmind.md §1.6).
        """
        ratio = np.log(1 + self._count[edges] / 10)
        low, high = self._low[edges], self._rules.half_life_max_days
        learned = low + (high - low) * ratio / (1 + ratio)
        young = now_us - self._born[edges] < DAY_US
        days = np.where(young, self._default[edges], learned)
        return np.asarray(np.minimum(np.maximum(days, low), high))


class PowerLaw:
    """Σ (age in days + τ)^−d over all earlier events of an edge (ACT-R, fitting.md §1.4).

    Args:
        parameters: d and τ.
        count: number of edges.
    """

    def __init__(self, parameters: WorldParameters, count: int) -> None:
        self._exponent = parameters.power_exponent
        self._offset = parameters.power_offset_days
        self._count = np.zeros(count, np.int64)
        self._times = np.zeros((count, 8), np.int64)  # [E, room]

    def value(self, edges: Edges, now_us: Times) -> NDArray[np.float64]:
        """The sum for these edges."""
        count = self._count[edges]
        most = int(count.max(initial=0))
        age = (now_us[:, None] - self._times[edges, :most]) / DAY_US
        each = (np.maximum(age, 0.0) + self._offset) ** -self._exponent
        return np.asarray(np.where(np.arange(most) < count[:, None], each, 0.0).sum(axis=1))

    def reinforce(self, edges: Edges, now_us: Times) -> None:
        """One more event in each sum."""
        if self._count[edges].max(initial=0) == self._times.shape[1]:
            self._times = np.concatenate([self._times, np.zeros_like(self._times)], axis=1)
        self._times[edges, self._count[edges]] = now_us
        self._count[edges] += 1


def signal_of(parameters: WorldParameters, nature: Nature) -> Signal:
    """The signal of the world's law, as of before all events."""
    if parameters.law == "power_law":
        return PowerLaw(parameters, len(nature))
    return Weights(parameters, nature)
