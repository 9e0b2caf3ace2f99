"""Constant: every edge of a group comes back at the same rate for ever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.model import MODELS, Linked, Training
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.signals.terms import Constant, Design

if TYPE_CHECKING:
    from hebb_lab.halflife.facts.history import History


@dataclass(frozen=True)
class ConstantRate:
    """λ = μ_g."""

    about: str = "the same rate for every edge of a namespace"
    kind: str = "baseline"

    def fit(self, history: History, training: Training) -> Linked:
        """μ_g: re-activations over exposure."""
        design = Design([Constant(history)])
        link = fit_link(design, history, training.until)
        return Linked(history, design, link, np.full(len(history.groups), np.nan))


MODELS.register("constant")(ConstantRate())
