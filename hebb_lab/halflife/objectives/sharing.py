"""Half-lives of groups from their profiles: each by itself, and under what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.halflife.objectives.prior import Pooled, pool, posterior_interval
from hebb_lab.halflife.objectives.profile import (
    Estimate,
    identified,
    likelihood_interval,
    refined,
    several,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

LEAST_GROUPS = 3
"""Groups with data below which a spread between groups is not estimated, and none is shared."""


class GroupProfile(NamedTuple):
    """The log likelihood of one group over half-lives.

    half_lives: [H]. values: [H] ℓ, the other parameters at their best. scale: what ℓ is divided by
    before intervals are read off, since events of a recall are not independent. cases: that ℓ sums
    over.
    """

    half_lives: NDArray[np.float64]
    values: NDArray[np.float64]
    scale: float
    cases: int


class Profiles(NamedTuple):
    """What the log says of half-lives.

    curves: [S] the profile of each group, None where it has too few re-activations. estimates: [S]
    each group by itself. pooled: the shared prior and posteriors, None with fewer than 3 groups.
    lives: [S] those to use. shared: [S] estimates under the prior.
    """

    curves: list[GroupProfile | None]
    estimates: list[Estimate]
    pooled: Pooled | None
    lives: NDArray[np.float64]
    shared: list[Estimate]


def share(
    curves: Sequence[GroupProfile | None], events: Sequence[int], unit: str = "days"
) -> Profiles:
    """Estimates of all groups, under a shared prior where there are enough of them.

    Args:
        curves: [S], at least one of them not None; all on one grid.
        events: [S] re-activations of each group.
        unit: of the half-lives, for verdicts.
    """
    estimates = [
        Estimate(np.nan, 0.0, np.inf, n, f"only {n} re-activations: no estimate of its own")
        if curve is None
        else _alone(curve, n, unit)
        for curve, n in zip(curves, events, strict=True)
    ]
    known = [number for number, curve in enumerate(curves) if curve is not None]
    grid, values = _scaled([curve for curve in curves if curve is not None])
    if len(known) < LEAST_GROUPS:
        usual = float(grid[int(np.argmax(values.sum(axis=0)))])
        lives = np.array([usual if np.isnan(e.value) else e.value for e in estimates])
        unsaid = identified(*likelihood_interval(grid, values.sum(axis=0))[1:], unit)
        shared = [_borrowed(e, usual, unsaid) if np.isnan(e.value) else e for e in estimates]
        return Profiles(list(curves), estimates, None, lives, shared)
    pooled, shared = pool(grid, values, few=True), []
    for number, estimate in enumerate(estimates):
        row = pooled.posterior[known.index(number)] if number in known else pooled.prior(grid)
        value, low, high = posterior_interval(grid, row)
        verdict = identified(low, high, unit)
        if number not in known:
            verdict = estimate.verdict
        elif not verdict and estimate.verdict:
            verdict = f"leans on the other groups; by itself {estimate.verdict}"
        shared.append(Estimate(value, low, high, estimate.events, verdict))
    return Profiles(list(curves), estimates, pooled, np.array([e.value for e in shared]), shared)


def _borrowed(estimate: Estimate, usual: float, unsaid: str) -> Estimate:
    """Of a group without an estimate of its own: that of the others, where they have one."""
    if unsaid:  # a model needs some half-life, but it is no finding
        others = unsaid.partition(":")[0]
        return estimate._replace(verdict=f"{estimate.verdict}, and that of the others is {others}")
    verdict = f"{estimate.verdict}; that of the others is used"
    return estimate._replace(value=usual, verdict=verdict)


def _alone(curve: GroupProfile, events: int, unit: str) -> Estimate:
    grid, values = _scaled([curve])
    value, low, high = likelihood_interval(grid, values[0])
    verdict = identified(low, high, unit) or several(grid, values[0], unit)
    return Estimate(value, low, high, events, verdict)


def _scaled(curves: Sequence[GroupProfile]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(a fine grid, [U, F] ℓ over the scale of each curve)."""
    values = np.stack([curve.values / curve.scale for curve in curves])
    return refined(curves[0].half_lives, values)


def half_life_parameters(history: History, found: Profiles) -> dict[str, Estimate]:
    """``half_life[group]`` as used, ``half_life_alone[group]`` unpooled, and the shared prior."""
    named = {
        f"half_life[{group}]": shared
        for group, shared in zip(history.groups, found.shared, strict=True)
    }
    if found.pooled is not None:
        named |= alone_parameters(history, found)
        total = sum(estimate.events for estimate in found.estimates)
        verdict = "" if found.pooled.converged else "the shared prior did not converge"
        for name, value in (
            ("prior_half_life", float(np.exp(found.pooled.mean))),
            ("prior_spread", found.pooled.spread),
        ):
            named[name] = Estimate(value, np.nan, np.nan, total, verdict)
    return named


def alone_parameters(history: History, found: Profiles) -> dict[str, Estimate]:
    """``half_life_alone[group]``: what one half-life says of the group, by itself.

    Models whose half-lives follow from more than the group carry it too: where it is open above,
    the log does not even show that weights fade.
    """
    pairs = zip(history.groups, found.estimates, strict=True)
    return {f"half_life_alone[{group}]": alone for group, alone in pairs}


def shown_of(history: History, found: Profiles) -> dict[str, Any]:
    """What figures draw of half-lives: profiles and posteriors of the groups.

    ``curves``: group → half_lives, loss (−ℓ per case over the best), value, low, high, events,
    verdict. ``posteriors``: group → half_lives, posterior, prior (density over ln half-life), and
    the estimate without the others, value_alone.
    """
    curves, posteriors = {}, {}
    for number, group in enumerate(history.groups):
        curve, alone = found.curves[number], found.estimates[number]
        if curve is None:
            continue
        loss = (curve.values.max() - curve.values) / curve.cases
        curves[group] = {
            "half_lives": curve.half_lives.tolist(), "loss": loss.tolist(), **alone._asdict(),
        }  # fmt: skip
        fine, heights = _scaled([curve])
        step = float(np.log(fine[1] / fine[0]))
        weights = np.exp(heights[0] - heights.max())
        prior = None
        if found.pooled is not None:
            weights = weights * found.pooled.prior(fine)
            prior = (found.pooled.prior(fine) / step).tolist()
        posteriors[group] = {
            "half_lives": fine.tolist(), "posterior": (weights / weights.sum() / step).tolist(),
            "prior": prior, "value_alone": alone.value, **found.shared[number]._asdict(),
        }  # fmt: skip
    return {"curves": curves, "posteriors": posteriors}
