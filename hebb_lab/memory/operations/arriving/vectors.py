"""Vectors as a store takes them: of its length, finite, with a direction, brought to length 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.limits import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UNIT = 1e-6  # a vector this near to length 1 is kept bit for bit
_BLOCK = 8192  # vectors that are brought to length 1 at once


def unit_vectors(
    vectors: NDArray[Any],
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """Vectors of length 1, and which of them cannot be one.

    A vector whose length is 1 to within 10⁻⁶ is kept bit for bit.

    Args:
        vectors: [n, d] numbers.

    Returns:
        [n, d] float32 unit vectors, zeros where there is none; [n] which have a number that is not
        finite; [n] which are zero.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        made = np.asarray(vectors, np.float32)
        length = np.sqrt(np.einsum("nd,nd->n", made, made, dtype=np.float64))
        other = np.flatnonzero(~(np.abs(length - 1) <= _UNIT))
    unfinite, zero = np.zeros(len(made), np.bool_), np.zeros(len(made), np.bool_)
    if not len(other):  # the usual case, and nothing is copied
        return made, unfinite, zero
    made = made.copy()
    for first in range(0, len(other), _BLOCK):
        rows = other[first : first + _BLOCK]
        made[rows], unfinite[rows], zero[rows] = _scaled(np.asarray(vectors[rows], np.float64))
    return made, unfinite, zero


def _scaled(
    wide: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    unfinite: NDArray[np.bool_] = ~np.asarray(np.isfinite(wide).all(axis=1))
    wide = np.where(unfinite[:, None], 0.0, wide)
    greatest = np.abs(wide).max(axis=1, initial=0.0)
    zero = ~unfinite & (greatest == 0)
    # Divided by the greatest number first, so that no square leaves the range of float64.
    wide = wide / np.where(greatest > 0, greatest, 1.0)[:, None]
    norm = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    return wide / np.where(norm > 0, norm, 1.0), unfinite, zero


def taken_vectors(
    vectors: Sequence[Any], dimensions: int
) -> tuple[NDArray[np.float32], dict[int, Problem]]:
    """Unit vectors of what was handed in, zeros where that is None or refused.

    Args:
        vectors: [n], each an array [d] or None; or an array [n, d].
        dimensions: d of the store.

    Returns:
        [n, d] float32, and place → why its vector is refused.
    """
    if len(vectors) == 1 and _is_unit(vectors[0], dimensions):  # a replay gives them one by one
        return vectors[0][None], {}
    made = np.zeros((len(vectors), dimensions), np.float32)
    found: dict[int, Problem] = {}
    good: list[int] = []
    for place, vector in enumerate(vectors):
        if vector is None:
            continue
        array = np.asarray(vector)
        if array.shape == (dimensions,) and array.dtype.kind in "fiu":
            good.append(place)
            continue
        found[place] = Problem(
            f"vector is {list(array.shape)} {array.dtype}, not [{dimensions}] numbers",
            f"Give {dimensions} numbers",
        )
    if good:
        given = np.stack([np.asarray(vectors[place]) for place in good])
        made[good], *bad = unit_vectors(given)
        found.update({good[at]: problem for at, problem in _problems(*bad).items()})
    return made, found


def _is_unit(vector: Any, dimensions: int) -> bool:
    if not isinstance(vector, np.ndarray) or vector.dtype != np.float32:
        return False
    if vector.shape != (dimensions,):
        return False
    wide = vector.astype(np.float64)
    return bool(abs(np.sqrt(wide @ wide) - 1) <= _UNIT)


def taken_array(
    vectors: NDArray[Any], count: int, dimensions: int
) -> tuple[NDArray[np.float32], dict[int, Problem]]:
    """The same of an array [n, d] at once.

    Raises:
        InputError: an array of another shape, or no numbers.
    """
    array = np.asarray(vectors)
    if array.shape != (count, dimensions) or array.dtype.kind not in "fiu":
        raise InputError(
            f"vectors are {list(array.shape)} {array.dtype}, not [{count}, {dimensions}] numbers",
            f"Give {dimensions} numbers for each memory",
        )
    made, *bad = unit_vectors(array)
    return made, _problems(*bad)


def _problems(unfinite: NDArray[np.bool_], zero: NDArray[np.bool_]) -> dict[int, Problem]:
    found = dict.fromkeys(
        np.flatnonzero(unfinite).tolist(),
        Problem("vector has a number that is not finite", "Give finite numbers"),
    )
    return found | dict.fromkeys(
        np.flatnonzero(zero).tolist(),
        Problem(
            "vector is zero and has no direction", "Give None for a memory that no cue is near to"
        ),
    )
