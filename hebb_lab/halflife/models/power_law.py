"""Power law: every activation leaves a trace that fades as a power of its age (ACT-R)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.facts.cases import too_few
from hebb_lab.halflife.model import MODELS, Linked, Training, link_parameters
from hebb_lab.halflife.objectives.partial import fit_partial
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.objectives.profile import CHI2, LEAST_CASES, Estimate
from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

TRACES = np.geomspace(0.003, 1e4, 14)
"""Half-lives of the exponentials that stand in for a power (fitting.md §1.4): as many and as far
apart as it takes to be within 2 % of each power of the grid at ages from 0.01 to 365."""
AGES = np.geomspace(1e-3, 1000.0, 400)
EXPONENTS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0])
OFFSETS = (0.01, 0.1, 1.0)
"""Of the age, in the clock's units: what keeps the power finite right after an activation."""


@cache
def exponentials(exponent: float, offset: float) -> tuple[float, ...]:
    """Weights of TRACES whose sum is (age + offset)^−exponent, by non-negative least squares.

    On relative error at 400 ages from 0.001 to 1,000.
    """
    from scipy.optimize import nnls

    wanted = (AGES + offset) ** -exponent
    shapes = np.exp2(-AGES[:, None] / TRACES) / wanted[:, None]
    weights, _ = nnls(shapes, np.ones(len(AGES)), maxiter=5000)
    return tuple(weights.tolist())


@dataclass(frozen=True)
class PowerLaw:
    """λ = μ_g + β_g Σ_i (t − t_i + τ)^−d, over all activations of the edge.

    No cap, floor or pruning: activations add up, as in ACT-R's base level (Anderson & Schooler
    1991). d and τ by sampled partial likelihood on a grid. Source: fitting.md §1.4 and §3.4, M8.
    """

    about: str = "traces that fade as a power of their age (ACT-R), all activations summed"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> Linked:
        """The best (d, τ) of the grid, then the link.

        Raises:
            InputError: too few re-activations.
        """
        rules = history.rules.change(
            learning_rate=1.0, weight_cap=None, potentiation=False, prune_below=0.0
        )
        cases = training.drawn(history)
        if len(cases.event) < LEAST_CASES:
            raise too_few(cases, "a power law", LEAST_CASES)
        fading = by_group(history, TRACES, rules)
        case, total = cases.totals(fading.at(cases.moments))
        ones = cases.totals(np.ones(len(cases.moments.edge)))
        values = np.empty((len(EXPONENTS), len(OFFSETS)))
        for place in product(range(len(EXPONENTS)), range(len(OFFSETS))):
            mix = np.array(exponentials(float(EXPONENTS[place[0]]), OFFSETS[place[1]]))
            columns = (np.column_stack([one, x @ mix]) for one, x in zip(ones, (case, total),
                       strict=True))  # fmt: skip
            values[place] = fit_partial(*columns).value
        best = np.unravel_index(int(np.argmax(values)), values.shape)
        exponent, offset = float(EXPONENTS[best[0]]), OFFSETS[best[1]]
        mix = np.array(exponentials(exponent, offset))[:, None]
        design = Design([Constant(history), Decaying(fading, mix, ("trace",))])
        link = fit_link(design, history, training.until)
        parameters = {
            "exponent": _exponent(values, len(cases.event)),
            "offset": Estimate(offset, np.nan, np.nan, len(cases.event), "on a grid of three"),
            **link_parameters(link, history, design.names),
        }
        return Linked(history, design, link, np.full(len(history.groups), np.nan), parameters)


def _exponent(values: NDArray[np.float64], cases: int) -> Estimate:
    """The exponent with the grid's points that the likelihood cannot refuse."""
    profile = values.max(axis=1)
    best = int(np.argmax(profile))
    kept = np.flatnonzero(2 * (profile[best] - profile) <= CHI2[0.95])
    low = EXPONENTS[kept[0] - 1] if kept[0] > 0 else 0.0
    high = EXPONENTS[kept[-1] + 1] if kept[-1] + 1 < len(EXPONENTS) else np.inf
    open_end = kept[0] == 0 or kept[-1] == len(EXPONENTS) - 1
    verdict = "on the end of the grid" if open_end else ""
    return Estimate(float(EXPONENTS[best]), float(low), float(high), cases, verdict)


MODELS.register("power_law")(PowerLaw())
