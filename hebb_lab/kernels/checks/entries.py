"""One kind of entry at a time: which is the first that is wrong, how many, and the cure.

Walks of a few queries are checked here too, so what is good passes after an operation or two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.arrays import as_numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUILD = "Build the graph with hebb_lab.graph.temporal, which sorts and numbers what it is given"
MEND = "Mend or leave out these entries"
WHOLE, REAL = "iu", "fiu"  # kinds of numbers


def check_kind(what: str, values: Any, kinds: str, shape: tuple[int | None, ...] = (None,)) -> None:
    """An array of a kind of number and a shape, in which None is any length.

    ``kinds`` are of NumPy's letters: WHOLE, REAL, or "b". What a back end holds elsewhere passes.
    """
    if hasattr(values, "detach") or type(values).__module__.startswith("cupy"):
        return
    is_now = type(values).__name__
    if isinstance(values, np.ndarray):
        is_now = f"{values.dtype} of shape {values.shape}"
        fits = values.ndim == len(shape) and values.dtype.kind in kinds
        if fits and all(n in (None, m) for n, m in zip(shape, values.shape, strict=True)):
            return
    want = ", ".join("n" if each is None else str(each) for each in shape)
    numbers = {WHOLE: "whole numbers", REAL: "numbers"}.get(kinds, "True or False")
    raise InputError(f"the {what} are {is_now}", f"Give a NumPy array of {numbers}, [{want}]")


def check_pointer(what: str, pointer: Any, size: int, length: int) -> None:
    """``size`` + 1 offsets from 0 to ``length`` that never go back."""
    values = as_numpy(pointer)
    want = max(size, 0) + 1
    if len(values) != want:
        raise InputError(f"the pointer of the {what} has {len(values)} entries, not {want}", BUILD)
    if values[0] != 0 or values[-1] != length or (values[1:] < values[:-1]).any():
        raise InputError(f"the pointer of the {what} does not ascend from 0 to {length}", BUILD)


def check_ids(what: str, ids: Any, size: int, least: int = 0, cure: str = BUILD) -> None:
    """Ids in [least, size)."""
    values = as_numpy(ids)
    if values.size == 0 or (values.min() >= least and values.max() < size):
        return
    wrong = (values < least) | (values >= size)
    if wrong.any():
        place = _first(wrong)
        raise InputError(
            f"entry {place} of the {what} is {values.ravel()[place]}, outside [{least}, {size})",
            cure,
        )


def check_ascending(what: str, time_us: Any) -> None:
    """Times in order."""
    values = as_numpy(time_us)
    early = values[1:] < values[:-1]
    if early.any():
        order = np.concatenate([[True], ~early])
        all_good(what, "is earlier than the one before it", order, "Sort them by time")


def check_from_0_up(what: str, numbers: Any) -> None:
    """Finite numbers that are not negative."""
    values = as_numpy(numbers)
    if values.size and not (values.min() >= 0 and values.max() < np.inf):  # NaN is not either
        good = np.isfinite(values) & (values >= 0)
        all_good(what, "is negative or not finite", good, "Give a number from 0 up")


def ascends(values: Any, pointer: Any, strictly: bool) -> NDArray[np.bool_]:
    """For each entry whether it is above (or equal to) the one before it, or begins a segment."""
    step = np.diff(values, prepend=values[:1])
    good: NDArray[np.bool_] = step > 0 if strictly else step >= 0
    starts = pointer[:-1]
    good[starts[starts < len(values)]] = True
    return good


def check_length(name: str, values: Any, length: int) -> None:
    """As many entries as there should be."""
    if len(values) != length:
        raise InputError(f"{name} has {len(values)} entries, not {length}", BUILD)


def number_good(name: str, values: NDArray[Any], good: NDArray[np.bool_], cure: str) -> None:
    """Refuse a setting by its first wrong value."""
    if not good.all():
        raise ConfigError(f"a {name} is {values.ravel()[_first(~good)]}", cure)


def all_good(what: str, is_wrong: str, good: NDArray[np.bool_], cure: str = MEND) -> None:
    """Refuse input by its first wrong entry, counted from 0."""
    if not good.all():
        wrong = ~good
        many = f" ({int(wrong.sum()):,} in all)" if wrong.sum() > 1 else ""
        raise InputError(f"entry {_first(wrong)} of the {what} {is_wrong}{many}", cure)


def _first(wrong: NDArray[np.bool_]) -> int:
    return int(np.flatnonzero(wrong.ravel())[0])


def check_count(what: str, count: int) -> None:
    """A number of answers or steps."""
    if count < 0:
        raise ConfigError(f"{what}={count}", "Give a whole number from 0 up")
