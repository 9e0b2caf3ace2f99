"""The point-process likelihood of a sum of terms: a concave problem for each group.

    ℓ(b) = Σ_i ln(b · x_i) − b · X,   b ≥ 0,

x_i the terms at the re-activations, X what the whole exposure of the group's edges sums to
(fitting.md §3.1). With exposure counted in recalls the agent's activity is an offset and cancels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.signals.terms import Design

LEAST_EVENTS = 10  # a group with fewer re-activations takes the coefficients of all groups
PRIOR_EVENTS = 0.5  # that the first term is given, so that nothing is ever impossible
TOLERANCE = 1e-7  # of the gradient, per event
MOST_STEPS = 500


@dataclass(frozen=True)
class Link:
    """Fitted coefficients, one row a group.

    Args:
        coefficients: [S, P] b, per unit of exposure.
        shares: [S, P] of the expected re-activations, b_p X_p / Σ; rows sum to 1.
        events: [S] re-activations behind each row.
        pooled: [S] bool, whether a row is that of all groups together.
        converged: [S] bool.
        log_likelihood: at the maximum, summed over groups that have their own row.
    """

    coefficients: NDArray[np.float64]
    shares: NDArray[np.float64]
    events: NDArray[np.int64]
    pooled: NDArray[np.bool_]
    converged: NDArray[np.bool_]
    log_likelihood: float

    def of(self, history: History, asked: Asked) -> NDArray[np.float64]:
        """[Q, P] the coefficients of each moment's edge."""
        return self.coefficients[history.group[asked.edge]]


def fit_link(design: Design, history: History, until: int) -> Link:
    """The coefficients that make the re-activations before recall ``until`` most likely."""
    events = history.reactivations(0, until)
    found = design.at(history.at_events(events))
    exposure = design.exposure(until)
    group = history.group[history.edge_of[events]]
    count = len(history.groups)
    totals = np.stack(
        [np.bincount(history.group, column, minlength=count) for column in exposure.T], axis=1
    )
    counted = np.bincount(group, minlength=count)
    everything = concave_maximum(found, totals.sum(axis=0))
    rows = []
    for number in range(count):
        own = counted[number] >= LEAST_EVENTS
        rows.append(concave_maximum(found[group == number], totals[number]) if own else everything)
    coefficients = np.stack([row.coefficients for row in rows])
    expected = coefficients * totals
    shares = expected / np.maximum(expected.sum(axis=1, keepdims=True), 1e-300)
    return Link(
        coefficients, shares, counted, counted < LEAST_EVENTS,
        np.array([row.converged for row in rows]),
        float(sum(row.value for row, n in zip(rows, counted, strict=True) if n >= LEAST_EVENTS)),
    )  # fmt: skip


@dataclass(frozen=True)
class Maximum:
    """Where ℓ is largest, whether the search got there, and ℓ there."""

    coefficients: NDArray[np.float64]
    converged: bool
    value: float


def concave_maximum(found: NDArray[np.float64], totals: NDArray[np.float64]) -> Maximum:
    """Maximise Σ ln(x_i · b) − X · b over b ≥ 0.

    In shares s_p = b_p X_p the problem is well scaled; it starts with some rounds of the monotone
    multiplicative update s_p ← Σ_i s_p x_ip / X_p / (x_i · b) (Lucy–Richardson, an EM step) and
    ends with L-BFGS-B. A term that no exposure ever saw has coefficient 0.

    Args:
        found: [R, P] the terms at the events.
        totals: [P] the terms summed over all exposure.
    """
    from scipy.optimize import minimize

    width = found.shape[1]
    seen = totals > 0
    scale = np.where(seen, 1.0 / np.where(seen, totals, 1.0), 0.0)
    scaled = found * scale  # [R, P], so that the rate is scaled · s
    if not len(found) or not seen.any():
        start = np.zeros(width)
        start[0] = PRIOR_EVENTS
        return Maximum(start * scale, not len(found), 0.0)
    shares = np.where(seen, len(found) / seen.sum(), 0.0)
    for _ in range(20):
        rate = np.maximum(scaled @ shares, 1e-300)
        shares = shares * (scaled.T @ (1.0 / rate))
        shares[0] += PRIOR_EVENTS

    def loss(s: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        rate = np.maximum(scaled @ s, 1e-300)
        value = np.log(rate).sum() - s[seen].sum() + PRIOR_EVENTS * np.log(s[0])
        slope = scaled.T @ (1.0 / rate) - seen
        slope[0] += PRIOR_EVENTS / s[0]
        return -float(value) / len(found), -slope / len(found)

    lows = np.full(width, 0.0)
    lows[0] = 1e-9
    ended = minimize(
        loss, np.maximum(shares, lows), jac=True, method="L-BFGS-B",
        bounds=[(low, None) for low in lows],
        options={"maxiter": MOST_STEPS, "ftol": 1e-14, "gtol": TOLERANCE, "maxcor": 20},
    )  # fmt: skip
    best = np.asarray(ended.x)
    _, slope = loss(best)
    # at a bound the gradient may push outwards
    unmet = np.where(best > lows, np.abs(slope) * np.maximum(best, 1.0) / max(best.sum(), 1.0),
                     np.maximum(-slope, 0.0))  # fmt: skip
    value = float(np.log(np.maximum(scaled @ best, 1e-300)).sum() - best[seen].sum())
    return Maximum(best * scale, bool(unmet.max() < 1e-3), value)
