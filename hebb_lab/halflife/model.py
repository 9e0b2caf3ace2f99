"""One interface for all half-life models, and their registry.

fit(history, training) → Fit
Fit.intensity(asked)          how likely each edge is next, in re-activations per exposure
Fit.predict(asked, days)      probability that the edge is active again within so many days
Fit.half_life(asked)          the half-life in force then, NaN where the model has none
Fit.parameters                name → Estimate, with intervals and verdicts
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.cases import Cases, draw_cases
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.objectives.process import Link
    from hebb_lab.halflife.objectives.profile import Estimate
    from hebb_lab.halflife.signals.terms import Design


class NotApplicableError(InputError):
    """A model that says nothing about this kind of log: it is left out, which is no failure."""


@dataclass(frozen=True)
class Training:
    """What a model may see: everything before recall ``until``, and how much of it to sample.

    Args:
        until: number of the first recall that it may not see.
        seed: of all sampling.
        controls: of each case.
        cases: about how many cases to fit to.
        rows: about how many checkpoint rows to fit to, for models that are fitted to such.
        stride_days: between checkpoints.
    """

    until: int
    seed: int = 0
    controls: int = 20
    cases: int = 20_000
    rows: int = 100_000
    stride_days: float = 1.0

    def drawn(self, history: History, most: int | None = None) -> Cases:
        """The cases to fit to, at most about ``most``; the same for every model that asks so."""
        count = self.cases if most is None else min(most, self.cases)
        return history.shelf.get(
            ("training", self, count),
            lambda: draw_cases(
                history, 0, self.until, controls=self.controls, most=count, seed=self.seed
            ),
            56 * count * (1 + self.controls),
        )


class Fit(Protocol):
    """A fitted model."""

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """What was fitted, by name; ``half_life[group]`` where there is one of a group."""

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """[Q] re-activations per unit of exposure, at the moments."""

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """[Q] probability of another activation within the next days of wall time."""

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """[Q] the half-life in force, in the clock's units; inf without decay, NaN without one."""

    def details(self) -> Mapping[str, Any]:
        """What figures draw, as plain lists: ``curves``, ``posteriors``, ``counts`` or nothing."""


class NothingToDraw:
    """A fit of which figures draw nothing beside its predictions."""

    def details(self) -> Mapping[str, Any]:
        """Nothing."""
        return {}


class Model(Protocol):
    """A half-life model, before it is fitted."""

    @property
    def about(self) -> str:
        """One line for tables and docs."""

    @property
    def kind(self) -> str:
        """baseline, published or learned."""

    def fit(self, history: History, training: Training) -> Fit:
        """Fit to what came before ``training.until``.

        Raises:
            InputError: the log cannot identify what the model needs; the message says what.
        """


MODELS: Registry[Model] = Registry("half-life model")
"""name → model, in the order of tables."""


@dataclass(frozen=True)
class Linked:
    """A fit that is a sum of terms: λ = Σ b_p x_p, P(active within H) = 1 − exp(−Σ b_p X_p(t, H)).

    Args:
        history: the facts.
        design: the terms.
        link: their coefficients.
        lives: [S] half-life of each group; NaN where there is none.
        parameters: as Fit says.
        shown: what figures draw, as plain lists.
    """

    history: History
    design: Design
    link: Link
    lives: NDArray[np.float64]
    parameters: Mapping[str, Estimate] = field(default_factory=dict)
    shown: Mapping[str, Any] = field(default_factory=dict)

    def details(self) -> Mapping[str, Any]:
        """What figures draw: ``curves``, ``posteriors``, ``counts``; plain lists."""
        return self.shown

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """Σ b_p x_p."""
        return np.asarray((self.design.at(asked) * self.link.of(self.history, asked)).sum(axis=1))

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """1 − exp(−expected re-activations); exact for the first of them (fitting.md §3.1)."""
        expected = self.design.ahead(asked, days) * self.link.of(self.history, asked)
        return np.asarray(-np.expm1(-expected.sum(axis=1)))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """That of the edge's group."""
        return self.lives[self.history.group[asked.edge]]


def link_parameters(link: Link, history: History, names: tuple[str, ...]) -> dict[str, Estimate]:
    """Shares of the terms as parameters: ``share_rate[personal]`` and the like."""
    from hebb_lab.halflife.objectives.profile import Estimate

    found = {}
    for number, group in enumerate(history.groups):
        verdict = "pooled over all groups" if link.pooled[number] else ""
        verdict = verdict if link.converged[number] else "the likelihood did not converge"
        for place, name in enumerate(names):
            found[f"share_{name}[{group}]"] = Estimate(
                float(link.shares[number, place]), np.nan, np.nan, int(link.events[number]), verdict
            )
    return found
