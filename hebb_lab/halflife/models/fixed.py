"""Fixed: one half-life of 30 days for every edge, fitted to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.model import MODELS, Linked, Training, link_parameters
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History


def linked_to_half_lives(
    history: History, lives: NDArray[np.float64], training: Training
) -> Linked:
    """λ = μ + β w with given half-lives [S], one for each group."""
    design = Design([Constant(history), Decaying(by_group(history, lives[:, None]))])
    link = fit_link(design, history, training.until)
    return Linked(history, design, link, lives, link_parameters(link, history, design.names))


@dataclass(frozen=True)
class Fixed:
    """λ = μ + β w with a half-life of 30 for all.

    Source: the default of the personal namespace (rules.md §1); fitting.md §3.4, M0.
    """

    about: str = "one half-life of 30 for every edge, not fitted"
    kind: str = "published"
    half_life: float = 30.0

    def fit(self, history: History, training: Training) -> Linked:
        """Only the link is fitted."""
        lives = np.full(len(history.groups), self.half_life)
        return linked_to_half_lives(history, lives, training)


MODELS.register("fixed")(Fixed())
