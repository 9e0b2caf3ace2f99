"""Basis: a mixture of eight half-lives, each with a weight of its own that cannot be negative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.model import MODELS, Linked, Training, link_parameters
from hebb_lab.halflife.models.hierarchical import profiles
from hebb_lab.halflife.objectives.process import Link, fit_link
from hebb_lab.halflife.objectives.profile import Estimate
from hebb_lab.halflife.objectives.sharing import alone_parameters
from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

HALF_LIVES = np.geomspace(0.04, 512.0, 8)
"""From an hour to a year and a half, each 3.9 times the last: what lies between is a mixture."""


@dataclass(frozen=True)
class Basis:
    """λ = μ_g + Σ_k β_gk w(h_k), β ≥ 0: a concave problem, and no half-life to search for.

    Its half-life is a mean: exp of the mean of ln h_k, weighted by the re-activations that each
    weight explains. Source: prescribed-basis Hawkes processes; fitting.md §3.4, M6.
    """

    about: str = "a non-negative mixture of eight half-lives for each namespace"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> Linked:
        """The concave likelihood over nine coefficients a group.

        Raises:
            InputError: as ``profiles``, which say whether any half-life can be told.
        """
        one = profiles(history, training)
        names = tuple(f"weight_{days:.3g}" for days in HALF_LIVES)
        fading = Decaying(by_group(history, HALF_LIVES), names=names)
        design = Design([Constant(history), fading])
        link = fit_link(design, history, training.until)
        lives = _means(link)
        parameters = {
            **link_parameters(link, history, design.names),
            **alone_parameters(history, one),
        }
        for number, group in enumerate(history.groups):
            events = int(link.events[number])
            verdict = "mean of a mixture, without an interval"
            parameters[f"mean_half_life[{group}]"] = Estimate(
                float(lives[number]), np.nan, np.nan, events, verdict
            )
        return Linked(history, design, link, lives, parameters)


def _means(link: Link) -> NDArray[np.float64]:
    """[S] mean half-life; NaN where the constant explains all."""
    shares = link.shares[:, 1:]
    total = shares.sum(axis=1)
    found = np.exp(shares @ np.log(HALF_LIVES) / np.where(total > 0, total, 1.0))
    return np.where(total > 1e-9, found, np.nan)


MODELS.register("basis")(Basis())
