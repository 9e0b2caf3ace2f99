"""Hierarchical: a half-life for each group by partial likelihood, the groups sharing a prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.facts.cases import too_few
from hebb_lab.halflife.model import MODELS, Linked, Training
from hebb_lab.halflife.models.fixed import linked_to_half_lives
from hebb_lab.halflife.objectives.partial import half_life_curve
from hebb_lab.halflife.objectives.profile import GRID, LEAST_CASES, inflation
from hebb_lab.halflife.objectives.sharing import (
    GroupProfile,
    Profiles,
    half_life_parameters,
    share,
    shown_of,
)
from hebb_lab.halflife.signals.fading import at_half_lives
from hebb_lab.halflife.signals.terms import Constant, Design, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

Pair = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


def profiles(history: History, training: Training, others: Sequence[Term] = ()) -> Profiles:
    """Half-lives of the groups by sampled partial likelihood, at the best of all coefficients.

    Several models begin with the same profile: without other terms it is found once.

    Args:
        history: the facts.
        training: what may be seen.
        others: terms beside constant and weight, such as an edge's own rate.

    Raises:
        InputError: no group has enough re-activations.
    """
    if others:
        return _profiles(history, training, others)
    return history.shelf.get(("profiles", training), lambda: _profiles(history, training, ()))


def _profiles(history: History, training: Training, others: Sequence[Term]) -> Profiles:
    cases = training.drawn(history)
    beside = cases.totals(Design([Constant(history), *others]).at(cases.moments))
    weights = history.shelf.get(
        ("grid", training), lambda: cases.totals(at_half_lives(history, GRID, cases.moments)),
        16 * len(cases.event) * len(GRID),
    )  # fmt: skip
    group = history.group[cases.edge()]
    curves: list[GroupProfile | None] = []
    for number in range(len(history.groups)):
        own = group == number
        enough = int(own.sum()) >= LEAST_CASES
        curves.append(_profile(beside, weights, cases.recall(), own) if enough else None)
    events = counted(history, training.until)
    if not any(curves):
        raise too_few(cases, "a half-life", LEAST_CASES, " in a group")
    return share(curves, events, history.clock.unit)


def counted(history: History, until: int) -> list[int]:
    """[S] re-activations of each group in the recalls before ``until``."""
    events = history.group[history.edge_of[history.reactivations(0, until)]]
    found: list[int] = np.bincount(events, minlength=len(history.groups)).tolist()
    return found


def _profile(
    beside: Pair, weights: Pair, recall: NDArray[np.int64], own: NDArray[np.bool_]
) -> GroupProfile:
    curve = half_life_curve(
        GRID, (beside[0][own], beside[1][own]), (weights[0][own], weights[1][own]), recall[own]
    )
    return GroupProfile(GRID, curve.values, inflation(curve), int(own.sum()))


@dataclass(frozen=True)
class Hierarchical:
    """λ = μ_g + β_g w(h_g), ln h_g ~ N(m, s²) over the groups.

    Source: fitting.md §3.4, M3. The half-life by sampled partial likelihood, the level by the
    point process.
    """

    about: str = "a half-life for each namespace, sharing a prior"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> Linked:
        """Profile, pool, then link.

        Raises:
            InputError: as ``profiles``.
        """
        found = profiles(history, training)
        linked = linked_to_half_lives(history, found.lives, training)
        parameters = {**half_life_parameters(history, found), **linked.parameters}
        shown = shown_of(history, found)
        return Linked(history, linked.design, linked.link, found.lives, parameters, shown)


MODELS.register("hierarchical")(Hierarchical())
