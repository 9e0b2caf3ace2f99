"""Rate: each edge has its own constant rate, and nothing fades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.model import MODELS, NothingToDraw, Training
from hebb_lab.halflife.objectives.gamma import GammaPrior, fit_rates
from hebb_lab.halflife.objectives.profile import Estimate
from hebb_lab.halflife.signals.terms import Rate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History


@dataclass(frozen=True)
class RateFit(NothingToDraw):
    """Posterior predictive of the Gamma–Poisson model.

    Args:
        history: the facts.
        prior: of each group.
        events: [S] re-activations behind it.
    """

    history: History
    prior: GammaPrior
    events: NDArray[np.int64]

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """Shape and scale of each group."""
        found = {}
        for number, group in enumerate(self.history.groups):
            verdict = "" if self.prior.converged[number] else "the likelihood did not converge"
            for name, values in (
                ("rate_shape", self.prior.shape),
                ("rate_scale", self.prior.scale),
            ):
                found[f"{name}[{group}]"] = Estimate(
                    float(values[number]), np.nan, np.nan, int(self.events[number]), verdict
                )
        return found

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """(a + n) / (b + age)."""
        return Rate(self.history, self.prior.shape, self.prior.scale).at(asked)[:, 0]

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """1 − ((b + age) / (b + age + exposure ahead))^(a + n)."""
        rate = Rate(self.history, self.prior.shape, self.prior.scale)
        return np.asarray(-np.expm1(-rate.ahead(asked, days)[:, 0]))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """There is no decay: inf."""
        return np.full(len(asked.edge), np.inf)


@dataclass(frozen=True)
class RateOnly:
    """λ = (a + n) / (b + age): the empirical-Bayes rate that every claim must beat.

    Source: fitting.md finding 5 and §3.4.
    """

    about: str = "each edge's own rate (a + n)/(b + age), no decay"
    kind: str = "baseline"

    def fit(self, history: History, training: Training) -> RateFit:
        """A and b of each group by marginal likelihood."""
        again = history.edge_of[history.reactivations(0, training.until)]
        events = np.bincount(history.group[again], minlength=len(history.groups))
        return RateFit(history, fit_rates(history, training.until), events)


MODELS.register("rate")(RateOnly())
