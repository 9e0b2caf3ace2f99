"""What figures and tables show of a fit to the whole log, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.halflife.facts.draws import uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.model import Fit

PAIRS = 5000
_USE = 1 << 23


def shown_of(fit: Fit, history: History) -> dict[str, Any]:
    """Details of a fit, and the half-lives that it has in force at the end of the log.

    Returns:
        The fit's own details; ``lives``: the median half-life at each count of reinforcements;
        ``half_lives``: group → median, low and high (middle 90 %) over its pairs, how many pairs
        were looked at, and ``constant``: whether all have the same.
    """
    details: dict[str, Any] = dict(getattr(fit, "details", dict)())
    asked = _at_the_end(history)
    lives = np.asarray(fit.half_life(asked), np.float64)
    count = history.again(asked).astype(np.int64) + 1
    return {
        **details,
        "lives": _by_count(count, lives),
        "half_lives": _by_group(history, asked, lives),
    }


def _at_the_end(history: History) -> Asked:
    """Pairs right after the last recall: all, or an even sample."""
    share = PAIRS / max(history.edges, 1)
    edge = np.arange(history.edges)
    kept = edge[uniform(0, edge, _USE) < share]
    return history.asked(kept, np.full(len(kept), history.recall_us[-1] + 1))


def _by_count(count: NDArray[np.int64], lives: NDArray[np.float64]) -> dict[str, list[Any]]:
    known = np.isfinite(lives)
    counts, place = np.unique(count[known], return_inverse=True)
    values = lives[known]
    medians = [float(np.median(values[place == i])) for i in range(len(counts))]
    return {"count": counts.tolist(), "half_life": medians}


def _by_group(
    history: History, asked: Asked, lives: NDArray[np.float64]
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    group = history.group[asked.edge]
    for number, name in enumerate(history.groups):
        own = lives[(group == number) & ~np.isnan(lives)]
        if len(own):
            # inf, without decay, is an order statistic like any other: no interpolation
            low, median, high = np.quantile(own, [0.05, 0.5, 0.95], method="inverted_cdf")
            found[name] = {
                "median": float(median), "low": float(low), "high": float(high),
                "pairs": len(own), "constant": bool((own == own[0]).all()),
                "no_decay": bool(np.isinf(median)),
            }  # fmt: skip
    return found
