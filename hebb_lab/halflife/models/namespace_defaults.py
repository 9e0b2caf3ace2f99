"""Namespace defaults: the published half-lives of the namespaces, fitted to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.model import MODELS, Linked, Training
from hebb_lab.halflife.models.fixed import linked_to_half_lives

if TYPE_CHECKING:
    from hebb_lab.halflife.facts.history import History


@dataclass(frozen=True)
class NamespaceDefaults:
    """λ = μ + β w with the half-lives of the rules.

    Personal and branches 30, shared 60, ephemeral 1.
    What a model that fails falls back to. Source: rules.md §1; fitting.md §3.4, M1.
    """

    about: str = "the published half-life of each namespace (30, 60, 1), not fitted"
    kind: str = "published"

    def fit(self, history: History, training: Training) -> Linked:
        """Only the link is fitted."""
        lives = [history.rules.half_life_default_days(name) for name in history.group_namespace]
        return linked_to_half_lives(history, np.array(lives), training)


MODELS.register("namespace_defaults")(NamespaceDefaults())
