"""Terms of an intensity: a constant, an edge's own rate, weights that fade.

Every model's intensity is a sum of terms with coefficients that are not negative,

    λ_e(t) = μ + ρ (a + n) / (b + age) + Σ_k β_k w_k(t),

in re-activations per unit of exposure; so all are linked to the data in one way, and none loses for
its scale (fitting.md §3.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hebb_lab.halflife.signals.fading import gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.signals.fading import Fading


class Term(Protocol):
    """Columns of an intensity."""

    @property
    def names(self) -> tuple[str, ...]:
        """One a column."""

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, P] values at moments."""

    def exposure(self, until: int) -> NDArray[np.float64]:
        """[E, P] what each edge's exposure in the recalls [entry, until) sums to."""

    def ahead(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """[Q, P] what the next ``days`` of wall time are forecast to sum to, if nothing happens."""


@dataclass(frozen=True)
class Constant:
    """1 for every edge."""

    history: History
    names: tuple[str, ...] = ("constant",)

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """1."""
        return np.ones((len(asked.edge), 1))

    def exposure(self, until: int) -> NDArray[np.float64]:
        """How long each edge was exposed."""
        return _exposed(self.history, until)[:, None]

    def ahead(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """The exposure that is forecast."""
        return self.history.ahead(asked, days)[1][:, None]


@dataclass(frozen=True)
class Rate:
    """The empirical-Bayes rate (a + n) / (b + age) of each edge, a Gamma–Poisson posterior mean.

    n counts its re-activations so far, age is its exposure so far; both as of the moment.

    Args:
        history: the facts.
        shape: [S] a.
        scale: [S] b, in exposure.
    """

    history: History
    shape: NDArray[np.float64]
    scale: NDArray[np.float64]
    names: tuple[str, ...] = ("rate",)

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """(a + n) / (b + age)."""
        return (self._events(asked) / self._ages(asked))[:, None]

    def exposure(self, until: int) -> NDArray[np.float64]:
        """Σ over each edge's gaps of (a + n) · (ln or digamma of the ages at their ends)."""
        history, measure = self.history, self.history.measure
        events = np.flatnonzero(history.event_recall < until)
        edge = history.edge_of[events]
        start, stop = gaps(history, events, until)
        offset = self.scale[history.group[edge]] - measure.position(history.birth()[edge])
        again = events - history.pointer[edge] + self.shape[history.group[edge]]
        sums = again * measure.harmonic(start + offset, stop + offset)
        return np.asarray(np.bincount(edge, sums, minlength=history.edges)[:, None], np.float64)

    def ahead(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """(a + n) ln(1 + exposure ahead / (b + age))."""
        more = self.history.ahead(asked, days)[1]
        return (self._events(asked) * np.log1p(more / self._ages(asked)))[:, None]

    def _events(self, asked: Asked) -> NDArray[np.float64]:
        return self.shape[self.history.group[asked.edge]] + self.history.again(asked)

    def _ages(self, asked: Asked) -> NDArray[np.float64]:
        return self.scale[self.history.group[asked.edge]] + self.history.age(asked)


@dataclass(frozen=True)
class Decaying:
    """Weights that fade, as they are or mixed.

    Args:
        fading: K signals.
        mix: [K, P] non-negative; None for the K signals themselves.
        names: of the P columns.
    """

    fading: Fading
    mix: NDArray[np.float64] | None = None
    names: tuple[str, ...] = ("weight",)

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """The weights."""
        return self._mixed(self.fading.at(asked))

    def exposure(self, until: int) -> NDArray[np.float64]:
        """What the exposure sees of them."""
        return self._mixed(self.fading.exposure(until))

    def ahead(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """Their mean over the horizon on the clock, times the exposure forecast for it."""
        clock, exposure = self.fading.history.ahead(asked, days)
        still = clock <= 0
        area = self.fading.area(asked, clock) / np.where(still, 1.0, clock)[:, None]
        if still.any():
            area[still] = self.fading.at(asked.some(still))
        return self._mixed(area) * exposure[:, None]

    def _mixed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values if self.mix is None else values @ self.mix


@dataclass(frozen=True)
class Design:
    """The terms of one intensity side by side; P columns in all."""

    terms: Sequence[Term]

    @property
    def names(self) -> tuple[str, ...]:
        """One a column."""
        return tuple(name for term in self.terms for name in term.names)

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, P]."""
        return np.concatenate([term.at(asked) for term in self.terms], axis=1)

    def exposure(self, until: int) -> NDArray[np.float64]:
        """[E, P]."""
        return np.concatenate([term.exposure(until) for term in self.terms], axis=1)

    def ahead(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """[Q, P]."""
        return np.concatenate([term.ahead(asked, days) for term in self.terms], axis=1)


def _exposed(history: History, until: int) -> NDArray[np.float64]:
    """[E] exposure from birth or entry to the recall ``until``."""
    events = np.flatnonzero(history.event_recall < until)
    start, stop = gaps(history, events, until)
    lengths = np.bincount(history.edge_of[events], stop - start, minlength=history.edges)
    return np.asarray(lengths, np.float64)
