"""Which part did it? Effects of parts from the scores of arms that hold different sets of them.

Every method is a contrast: a matrix over sets of parts, applied to the scores of every query. So
intervals come from the same clustered bootstrap as everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.bootstrap import Resampling, cluster_sums, resample
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Parts = Sequence[str]
Set = frozenset[str]
Contrast = Mapping[str, Mapping[Set, float]]  # part → set of parts → weight

_DEFAULT = Resampling()
METHODS: Registry[Callable[[Parts], Contrast]] = Registry("attribution")


def all_sets(parts: Parts) -> list[Set]:
    """All 2^k sets of parts, small ones first.

    >>> [sorted(s) for s in all_sets(["a", "b"])]
    [[], ['a'], ['b'], ['a', 'b']]
    """
    return [frozenset(c) for size in range(len(parts) + 1) for c in combinations(parts, size)]


@METHODS.register("one_change")
def one_change(parts: Parts) -> Contrast:
    """What each part adds to nothing: v({i}) − v(∅).

    >>> one_change(["a"])
    {'a': {frozenset({'a'}): 1.0, frozenset(): -1.0}}
    """
    return {part: {frozenset([part]): 1.0, frozenset(): -1.0} for part in parts}


@METHODS.register("leave_one_out")
def leave_one_out(parts: Parts) -> Contrast:
    """What is lost without each part: v(all) − v(all without i).

    >>> leave_one_out(["a"])
    {'a': {frozenset({'a'}): 1.0, frozenset(): -1.0}}
    """
    whole = frozenset(parts)
    return {part: {whole: 1.0, whole - {part}: -1.0} for part in parts}


@METHODS.register("ladder")
def ladder(parts: Parts) -> Contrast:
    """What each part adds to those before it, in the order given; the order is in the result.

    >>> [sorted(map(sorted, steps)) for steps in ladder(["b", "a"]).values()]
    [[[], ['b']], [['a', 'b'], ['b']]]
    """
    return {
        part: {frozenset(parts[: step + 1]): 1.0, frozenset(parts[:step]): -1.0}
        for step, part in enumerate(parts)
    }


@METHODS.register("shapley")
def shapley(parts: Parts) -> Contrast:
    """Mean of what a part adds, over all orders in which parts can come (Shapley 1953).

    φ_i = Σ_{S ∌ i} |S|! (k − |S| − 1)! / k! · (v(S ∪ i) − v(S)), exact over all 2^k sets. The
    values of all parts add up to v(all) − v(∅).

    >>> shapley(["a", "b"])["a"][frozenset({"a"})]
    0.5
    """
    size = len(parts)
    contrast: dict[str, dict[Set, float]] = {part: {} for part in parts}
    for part in parts:
        for others in all_sets([other for other in parts if other != part]):
            weight = factorial(len(others)) * factorial(size - len(others) - 1) / factorial(size)
            contrast[part][others | {part}] = weight
            contrast[part][others] = -weight
    return contrast


def needed_sets(method: str, parts: Parts) -> list[Set]:
    """The sets of parts whose arms a method needs, small ones first.

    >>> [sorted(s) for s in needed_sets("leave_one_out", ["a", "b", "c"])]
    [['a', 'b'], ['a', 'c'], ['b', 'c'], ['a', 'b', 'c']]
    """
    used = {held for weights in METHODS[method](parts).values() for held in weights}
    return [held for held in all_sets(parts) if held in used]


def effects(method: str, scores: Mapping[Set, ArrayLike], parts: Parts) -> NDArray[np.float64]:
    """Effect of every part on every query, [P, Q].

    Args:
        method: a name in METHODS.
        scores: set of parts → [Q] scores of the arm with just these parts.
        parts: all parts; for a ladder, in its order.

    Raises:
        ConfigError: when a part is named twice or the arm of a needed set is missing.

    >>> arms = {frozenset(): [0.0, 0.0], frozenset({"a"}): [1.0, 0.5]}
    >>> effects("shapley", arms, ["a"]).tolist()
    [[1.0, 0.5]]
    """
    if len(set(parts)) != len(parts) or not parts:
        raise ConfigError(f"parts {list(parts)} are not distinct names", "Name each part once")
    contrast = METHODS[method](parts)
    sets = needed_sets(method, parts)
    missing = ["{" + ", ".join(sorted(held)) + "}" for held in sets if held not in scores]
    if missing:
        raise ConfigError(
            f"{method} over {len(parts)} parts lacks the arms with {'; '.join(missing[:5])}",
            f"Run all {len(sets)} arms it needs",
        )
    table = np.array([np.asarray(scores[held], dtype=np.float64) for held in sets])  # [S, Q]
    matrix = np.array([[contrast[part].get(held, 0.0) for held in sets] for part in parts])
    return np.asarray(matrix @ table)


def attribute(
    method: str,
    scores: Mapping[Set, ArrayLike],
    cluster: ArrayLike,
    parts: Parts,
    rng: np.random.Generator,
    sizes: Resampling = _DEFAULT,
) -> pl.DataFrame:
    """Effect of every part with its clustered bootstrap interval.

    Args:
        method: "one_change", "leave_one_out", "ladder" or "shapley".
        scores: set of parts → [Q] scores of the arm with just these parts.
        cluster: [Q] integers.
        parts: all parts; for a ladder, in its order.
        rng: source of the draws.
        sizes: number of draws, kind of the intervals.

    Returns:
        Columns method, step (place in ``parts`` from 1), part, effect, low, high (null where there
        is only one cluster), n.

    >>> arms = {frozenset(): [0.0, 0.0], frozenset({"a"}): [1.0, 0.5]}
    >>> attribute("one_change", arms, [1, 2], ["a"], np.random.default_rng(0)).row(0)
    ('one_change', 1, 'a', 0.75, 0.5, 1.0, 2)
    """
    per_query = effects(method, scores, parts)
    replicates = resample(cluster_sums(per_query, cluster), rng, sizes.resamples)
    bounds = replicates.interval(sizes.confidence, sizes.method)
    return pl.DataFrame(
        {
            "method": [method] * len(parts),
            "step": range(1, len(parts) + 1),
            "part": list(parts),
            "effect": per_query.mean(axis=1),
            "low": bounds[:, 0],
            "high": bounds[:, 1],
            "n": [per_query.shape[1]] * len(parts),
        }
    ).with_columns(pl.col("effect", "low", "high").fill_nan(None))
