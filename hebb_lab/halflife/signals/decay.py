"""What is left of a weight after a gap, and how much of it an exposure sees: closed forms.

The kernels replay events; between two events a weight only fades, and everything that a fit asks
of it there has a closed form: its value, its integral, and its sum over the recalls of the gap.
Held to the reference kernel in the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.compile import in_threads, pieces_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.measure import Faded, Measure

LN2 = float(np.log(2.0))
PIECE = 1 << 14  # rows that a thread takes at a time


class Fades(NamedTuple):
    """The rules of fading (rules.md §1): a floor for proven edges, pruning for the others."""

    potentiation_count: float  # reinforcements from which the floor holds
    floor: float
    floor_lifts: bool
    prune_below: float


class Stored(NamedTuple):
    """Weights right after an event of Q edges, for K columns.

    weight: [Q, K]. reinforcements: [Q, K] since birth. half_life: [Q, K], in the clock's units,
    inf for no decay. floor_holds: [Q] whether the floor holds in the edge's namespace.
    """

    weight: NDArray[np.float64]
    reinforcements: NDArray[np.int32]
    half_life: NDArray[np.float64]
    floor_holds: NDArray[np.bool_]


def _ends(stored: Stored, fades: Fades) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """([Q, K] weight at which fading ends, [Q, K] what remains from there on)."""
    proven = (stored.reinforcements >= fades.potentiation_count) & stored.floor_holds[:, None]
    low = fades.floor if fades.floor_lifts else np.minimum(fades.floor, stored.weight)
    end = np.where(proven, low, fades.prune_below)
    return end, np.where(proven, low, 0.0)


def weight_after(stored: Stored, gap: NDArray[np.float64], fades: Fades) -> NDArray[np.float64]:
    """The weight after a gap: max(floor, w · 2^(−gap / half_life)), 0 where pruned.

    Args:
        stored: of Q edges and K columns.
        gap: [Q] in the clock's units, not negative.
        fades: the rules.

    Returns:
        [Q, K].
    """
    end, remains = _ends(stored, fades)
    left = stored.weight * np.exp2(-gap[:, None] / stored.half_life)
    return np.where(stored.reinforcements > 0, np.where(left >= end, left, remains), 0.0)


def slope_after(
    stored: Stored, slope: NDArray[np.float64], features: NDArray[np.float64],
    gap: NDArray[np.float64], fades: Fades,
) -> NDArray[np.float64]:  # fmt: skip
    """The derivatives of the weight after a gap, with respect to P parameters of ln half-life.

    a · (D + w ln 2 (gap / h) · features), a = 2^(−gap / h); D where the weight stands below the
    floor, 0 where floor or pruning say what it is (fitting.md §3.2).

    Args:
        stored: of Q edges and one column.
        slope: [Q, P] D, the derivatives right after the event.
        features: [Q, P] ∂ ln h / ∂θ.
        gap: [Q].
        fades: the rules.
    """
    end, remains = _ends(stored, fades)
    weight = stored.weight[:, 0]
    share = gap / stored.half_life[:, 0]
    left = np.exp2(-share)
    fading = left[:, None] * (slope + (weight * LN2 * share)[:, None] * features)
    stands = (remains[:, 0] == weight) & (weight <= end[:, 0])
    free = (weight * left >= end[:, 0]) & (stored.reinforcements[:, 0] > 0)
    return np.where(free[:, None] & ~stands[:, None], fading, np.where(stands[:, None], slope, 0.0))


def area_after(
    stored: Stored, gap: NDArray[np.float64], ahead: NDArray[np.float64], fades: Fades
) -> NDArray[np.float64]:
    """∫ of the weight over [gap, gap + ahead] after the event, in weight · units; [Q, K].

    (h / ln 2)(w(gap) − w(end)) until fading ends, then what remains (fitting.md §3.1).
    """
    end, remains = _ends(stored, fades)
    alive = stored.reinforcements > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = stored.half_life * np.log2(stored.weight / end)
    reach = np.where(alive & (stored.weight > end), reach, 0.0)
    first = np.minimum(gap[:, None], reach)
    last = np.minimum(gap[:, None] + ahead[:, None], reach)
    rate = LN2 / stored.half_life
    fading = stored.weight * np.exp(-rate * first)
    length = last - first
    with np.errstate(invalid="ignore", divide="ignore"):
        area = np.where(rate > 0, -fading * np.expm1(-rate * length) / rate, fading * length)
    return np.where(alive, area + remains * (ahead[:, None] - length), 0.0)


def exposure_of(
    stored: Stored, origin: NDArray[np.float64], start: NDArray[np.float64],
    stop: NDArray[np.float64], measure: Measure, fades: Fades,
) -> NDArray[np.float64]:  # fmt: skip
    """Σ or ∫ of the weight over the exposure (start, stop], in the measure's positions; [Q, K].

    With T(a) = Σ_{v > a} 2^(−(t_v − t_a)/h), a fading weight sums over (s, c] to
    w · (2^(−(t_s − t_0)/h) T(s) − 2^(−(t_c − t_0)/h) T(c)), c where fading ends; what remains
    there counts for the rest.

    Args:
        stored: of Q edges, right after their events.
        origin: [Q] what the clock showed at the event.
        start: [Q] positions from which exposure counts, at or after the event.
        stop: [Q] positions up to which; where it is not after ``start`` the exposure is 0.
        measure: recalls or time.
        fades: the rules.
    """
    end, remains = _ends(stored, fades)
    found = np.zeros((len(origin), stored.weight.shape[1]))
    counts = (stop > start)[:, None] & (stored.reinforcements > 0)
    for column in range(found.shape[1]):
        lives = stored.half_life[:, column]
        chosen = np.flatnonzero(counts[:, column])
        for half_life, rows in _by_value(lives, chosen):
            faded = measure.faded(half_life)

            def work(first: int, until: int, column: int = column, half_life: float = half_life,
                     rows: NDArray[np.int64] = rows, faded: Faded = faded) -> None:  # fmt: skip
                some = rows[first:until]
                found[some, column] = _exposure(
                    half_life, stored.weight[some, column], end[some, column],
                    remains[some, column], origin[some], start[some], stop[some], measure, faded,
                )  # fmt: skip

            in_threads(work, pieces_of(len(rows), PIECE))
    return found


def _by_value(
    values: NDArray[np.float64], rows: NDArray[np.int64]
) -> list[tuple[float, NDArray[np.int64]]]:
    """The rows of each distinct value."""
    if not len(rows):
        return []
    own = values[rows]
    if (own == own[0]).all():
        return [(float(own[0]), rows)]
    distinct, place = np.unique(own, return_inverse=True)
    order = np.argsort(place, kind="stable")
    cuts = np.searchsorted(place[order], np.arange(1, len(distinct)))
    parts = np.split(rows[order], cuts)
    return list(zip(distinct.tolist(), parts, strict=True))


def _exposure(
    half_life: float, weight: NDArray[np.float64], end: NDArray[np.float64],
    remains: NDArray[np.float64], origin: NDArray[np.float64], start: NDArray[np.float64],
    stop: NDArray[np.float64], measure: Measure, faded: Faded,
) -> NDArray[np.float64]:  # fmt: skip
    """The exposure of rows that share a half-life."""
    above = weight > end
    if np.isinf(half_life):
        return np.where(above, weight, remains) * (stop - start)
    with np.errstate(divide="ignore", invalid="ignore"):
        over = origin + np.where(above, half_life * np.log2(weight / end), 0.0)
    last = np.where(above, stop, start)
    crosses = np.flatnonzero(above & (over < measure.time(stop)))
    last[crosses] = np.clip(measure.position_at(over[crosses]), start[crosses], stop[crosses])
    at_first = np.exp2((origin - measure.time(start)) / half_life)
    fading = at_first * faded(start, last)
    return np.where(above, weight * fading, 0.0) + remains * (stop - last)
