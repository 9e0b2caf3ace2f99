"""Which questions may choose the rules that which others are answered by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Folds(NamedTuple):
    """Q questions in F parts; each part is answered by rules that the other parts chose.

    names: of the parts, for tables.
    fold: [Q] int64, the part of each question.
    """

    names: tuple[str, ...]
    fold: NDArray[np.int64]


def folds_of(
    scopes: Sequence[str], scope_of: NDArray[np.int64], groups: Sequence[str], count: int,
    rng: np.random.Generator,
) -> Folds:  # fmt: skip
    """Leave one scope out; where there is one scope, its clusters are dealt into ``count`` parts.

    A cluster is never split: its questions are alike.

    Args:
        scopes: names.
        scope_of: [Q] scope of each question.
        groups: [Q] cluster of each question.
        count: parts at most where there is one scope.
        rng: of the dealing.

    Raises:
        InputError: one scope with one cluster: there is nothing else to choose on.

    >>> rng = np.random.default_rng(0)
    >>> folds_of(("a", "b"), np.array([0, 1, 0]), ("x", "y", "x"), 5, rng).fold.tolist()
    [0, 1, 0]
    """
    if len(scopes) > 1:
        return Folds(tuple(scopes), scope_of)
    clusters = list(dict.fromkeys(groups))
    parts = min(count, len(clusters))
    if parts < 2:
        raise InputError(
            "rules are chosen on other scopes or clusters, and all questions are of one",
            "Give data of several conversations, or groups of questions",
        )
    dealt = dict(zip(rng.permutation(clusters).tolist(), _cycle(parts, len(clusters)), strict=True))
    names = tuple(f"part {number + 1} of {parts}" for number in range(parts))
    return Folds(names, np.array([dealt[group] for group in groups], np.int64))


def _cycle(parts: int, count: int) -> list[int]:
    return [number % parts for number in range(count)]
