"""Hierarchical: a half-life for each group by partial likelihood, the groups sharing a prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.halflife.model import MODELS, Linked, Training
from hebb_lab.halflife.models.fixed import linked_to_half_lives
from hebb_lab.halflife.objectives.partial import Curve, half_life_curve
from hebb_lab.halflife.objectives.prior import Pooled, pool, posterior_interval
from hebb_lab.halflife.objectives.profile import (
    GRID,
    LEAST_CASES,
    Estimate,
    half_life_estimate,
    identified,
    inflation,
    refined,
)
from hebb_lab.halflife.signals.fading import at_half_lives
from hebb_lab.halflife.signals.terms import Constant, Design, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

LEAST_GROUPS = 3
"""Groups with data below which a spread between groups is not estimated, and none is shared."""


class Profiles(NamedTuple):
    """What the log says of half-lives: the profile of each group, and what the groups share.

    curves: [S], None where a group has too few cases. estimates: [S], each group by itself.
    pooled: the shared prior and posteriors, None with fewer than 3 groups. lives: [S] those to use.
    shared: [S] estimates under the prior.
    """

    curves: list[Curve | None]
    estimates: list[Estimate]
    pooled: Pooled | None
    lives: NDArray[np.float64]
    shared: list[Estimate]


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
    events = history.group[history.edge_of[history.reactivations(0, training.until)]]
    counted = np.bincount(events, minlength=len(history.groups)).tolist()
    curves: list[Curve | None] = []
    for number in range(len(history.groups)):
        own = group == number
        enough = int(own.sum()) >= LEAST_CASES
        curves.append(_curve(beside, weights, cases.recall(), own) if enough else None)
    if not any(curves):
        raise InputError(
            f"{sum(counted)} re-activations are too few to fit a half-life",
            f"Give a log with {LEAST_CASES} in a group, or wider windows",
        )
    unit = history.clock.unit
    estimates = [
        Estimate(np.nan, 0.0, np.inf, n, f"only {n} re-activations: no estimate of its own")
        if curve is None
        else half_life_estimate(curve, n, unit)
        for curve, n in zip(curves, counted, strict=True)
    ]
    return _shared(curves, estimates, unit)


def _curve(
    beside: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    recall: NDArray[np.int64], own: NDArray[np.bool_],
) -> Curve:  # fmt: skip
    return half_life_curve(
        GRID, (beside[0][own], beside[1][own]), (weights[0][own], weights[1][own]), recall[own]
    )


def _shared(curves: list[Curve | None], estimates: list[Estimate], unit: str) -> Profiles:
    """The groups under a shared prior, where there are enough of them."""
    values = np.zeros((len(curves), len(GRID)))
    for number, curve in enumerate(curves):
        if curve is not None:
            values[number] = curve.values / inflation(curve)
    known = [number for number, curve in enumerate(curves) if curve is not None]
    if len(known) < LEAST_GROUPS:
        whole = values.sum(axis=0)
        usual = float(GRID[int(np.argmax(whole))])
        lives = np.array([usual if np.isnan(e.value) else e.value for e in estimates])
        shared = [
            e._replace(value=usual, verdict=f"{e.verdict}; that of the others is used")
            if np.isnan(e.value) else e
            for e in estimates
        ]  # fmt: skip
        return Profiles(curves, estimates, None, lives, shared)
    fine, heights = refined(GRID, values[known])
    pooled = pool(fine, heights)
    prior = pooled.prior(fine)
    shared = []
    for number, estimate in enumerate(estimates):
        row = pooled.posterior[known.index(number)] if number in known else prior
        value, low, high = posterior_interval(fine, row)
        verdict = identified(low, high, unit) if number in known else estimate.verdict
        shared.append(Estimate(value, low, high, estimate.events, verdict))
    return Profiles(curves, estimates, pooled, np.array([e.value for e in shared]), shared)


def half_life_parameters(history: History, found: Profiles) -> dict[str, Estimate]:
    """``half_life[group]`` as used, ``half_life_alone[group]`` unpooled, and the shared prior."""
    named: dict[str, Estimate] = {}
    for group, shared, alone in zip(history.groups, found.shared, found.estimates, strict=True):
        named[f"half_life[{group}]"] = shared
        if found.pooled is not None:
            named[f"half_life_alone[{group}]"] = alone
    if found.pooled is not None:
        total = sum(estimate.events for estimate in found.estimates)
        verdict = "" if found.pooled.converged else "the shared prior did not converge"
        for name, value in (
            ("prior_half_life", float(np.exp(found.pooled.mean))),
            ("prior_spread", found.pooled.spread),
        ):
            named[name] = Estimate(value, np.nan, np.nan, total, verdict)
    return named


def shown_of(history: History, found: Profiles) -> dict[str, Any]:
    """What figures draw of half-lives: profiles and posteriors of the groups.

    ``curves``: group → half_lives, loss (−ℓ per case over the best), value, low, high, events,
    verdict. ``posteriors``: group → half_lives, posterior, prior (density over ln half-life), and
    the estimate without the others, value_alone.
    """
    fine, _ = refined(GRID, np.zeros(len(GRID)))
    step = float(np.log(fine[1] / fine[0]))
    curves, posteriors = {}, {}
    prior = None if found.pooled is None else (found.pooled.prior(fine) / step).tolist()
    for number, group in enumerate(history.groups):
        curve, alone = found.curves[number], found.estimates[number]
        if curve is None:
            continue
        values = curve.values
        loss = (values.max() - values) / len(curve.recall)
        curves[group] = {
            "half_lives": GRID.tolist(), "loss": loss.tolist(), **alone._asdict()
        }  # fmt: skip
        heights = refined(GRID, values)[1] / inflation(curve)
        weights = np.exp(heights - heights.max())
        if found.pooled is not None:
            weights = weights * found.pooled.prior(fine)
        density = weights / weights.sum() / step
        shared = found.shared[number]._asdict()
        posteriors[group] = {
            "half_lives": fine.tolist(), "posterior": density.tolist(), "prior": prior,
            "value_alone": alone.value, **shared,
        }  # fmt: skip
    return {"curves": curves, "posteriors": posteriors}


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
