"""Decay: what is left of all memories at a time, and the sweep that writes it down.

score = importance · 2^(−age / (half_life · (1 + gain · importance)))
· (1 + log2(1 + min(n, cap)) / log2(1 + cap)), age since the last access or the writing, n accesses
(hebbs.md §3). The page says that importance decays; here, as in the code, no sweep
touches a memory's importance and the score is what has decayed: with decay_in_rank=importance it
stands for importance in recall. What else reads importance (``insights``, reflection) sees it
undecayed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays
from hebb_lab.memory.changes import Change, Updated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from hebb_lab.kernels.backend import Backend
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

DAY_US = 86_400_000_000


class Swept(NamedTuple):
    """What a sweep did.

    seen: memories that it looked at. written: whose score moved by more than the epsilon.
    flagged, unflagged: that fell below the threshold, and that are above it again.
    """

    seen: int
    written: int
    flagged: int
    unflagged: int


def scores(
    state: State,
    rules: MemoryRules,
    at_us: int,
    half_lives_days: Sequence[float] | None = None,
    backend: Backend | None = None,
) -> NDArray[np.float32]:
    """Decay scores [count, C] of all rows as of a time; 0 where a memory was forgotten.

    Args:
        state: the memories.
        rules: gain of importance, anchor, and whether accesses count.
        at_us: the time, µs since 1970.
        half_lives_days: C of them; None: the rules' own alone.
        backend: what computes; None: the processor.

    Raises:
        ConfigError: a half-life that is not above 0.
        InputError: a time before 1970.
    """
    stored = MemoryArrays(
        state.column("importance"), state.column("created_us"), state.column("accessed_us"),
        state.column("access_count"),
    )  # fmt: skip
    return scores_of(stored, rules, at_us, half_lives_days, backend)


def scores_of(
    stored: MemoryArrays,
    rules: MemoryRules,
    at_us: int,
    half_lives_days: Sequence[float] | None = None,
    backend: Backend | None = None,
) -> NDArray[np.float32]:
    """``scores`` of memories that lie in no state, [N, C]."""
    days = (rules.half_life_days,) if half_lives_days is None else half_lives_days
    found: Any = (backend or _processor()).decay_scores(stored, retention_of(rules, days), at_us)
    whole: NDArray[np.float32] = found if isinstance(found, np.ndarray) else found.cpu().numpy()
    return whole


def retention_of(rules: MemoryRules, half_lives_days: Sequence[float]) -> RetentionArrays:
    """The rules of decay as the kernel reads them, one configuration a half-life."""
    if isinstance(half_lives_days, str) or not isinstance(half_lives_days, Iterable):
        raise ConfigError(f"half-lives {half_lives_days!r} are no list", "Give a list of days")
    for day in half_lives_days:
        if isinstance(day, bool) or not isinstance(day, int | float | np.integer | np.floating):
            raise ConfigError(f"the half-life {day!r} is no number", "Give days")
    days = np.asarray(half_lives_days, np.float64)
    cap = rules.reinforcement_cap if rules.count_in_decay else 0
    return RetentionArrays(
        days * DAY_US,
        np.full(len(days), rules.half_life_gain),
        np.full(len(days), cap, np.int64),
        np.full(len(days), rules.decay_anchor == "created"),
    )


@cache
def _processor() -> Backend:
    from hebb_lab.kernels.choose import backend_named

    return backend_named("cpu")


def swept_rows(state: State, rules: MemoryRules) -> NDArray[np.bool_]:
    """[count] which rows sweeps and auto-forget see."""
    if rules.decay_superseded:
        return state.alive
    seen: NDArray[np.bool_] = state.alive & ~state.column("superseded")
    return seen


def sweep_change(state: State, rules: MemoryRules, at_us: int) -> tuple[Change | None, Swept]:
    """What a sweep writes: scores that moved by more than decay_epsilon, and flags.

    A memory whose score is below forget_below is flagged; one that is not is unflagged, where the
    rules say so. Nothing is forgotten.

    Returns:
        (the change, or None where nothing is to be written; what was done).
    """
    now = scores(state, rules, at_us)[:, 0]
    seen = swept_rows(state, rules)
    moved = np.abs(now.astype(np.float64) - state.column("decay_score")) > rules.decay_epsilon
    low, was = now < rules.forget_below, state.column("flagged")
    written = np.flatnonzero(seen & moved)
    fallen = np.flatnonzero(seen & low & ~was)
    risen = np.flatnonzero(seen & ~low & was) if rules.unflag else fallen[:0]
    turned = np.sort(np.concatenate([fallen, risen]))
    parts: list[tuple[NDArray[np.int64], str, NDArray[Any]]] = [
        (written, "decay_score", now[written]), (turned, "flagged", low[turned])
    ]  # fmt: skip
    updated = tuple(
        Updated(state.ids_of(rows), {name: values}) for rows, name, values in parts if len(rows)
    )
    swept = Swept(int(np.count_nonzero(seen)), len(written), len(fallen), len(risen))
    return (Change(at_us, updated=updated) if updated else None), swept


def days_until(
    importance: ArrayLike, access_count: ArrayLike, threshold: float, rules: MemoryRules
) -> NDArray[np.float64]:
    """Days without an access after which a memory's score has fallen to a threshold.

    days = half_life · (1 + gain · importance) · log2(score at age 0 / threshold), at least 0;
    infinite for a threshold of 0, 0 for importance 0.

    Args:
        importance: of the memories.
        access_count: of the memories; the two are broadcast against each other.
        threshold: from 0 up.
        rules: of decay.

    >>> from hebb_lab.memory.rules import MemoryRules
    >>> days_until(0.5, 0, 0.01, MemoryRules(half_life_gain=0.0)).round(1).item()
    169.3
    """
    weight, count = np.broadcast_arrays(np.asarray(importance, np.float64), access_count)
    cap = rules.reinforcement_cap if rules.count_in_decay else 0
    lift = np.log2(1 + np.minimum(count, cap).astype(np.float64))
    start = weight * (1 + (lift / np.log2(1 + cap) if cap else 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        halvings = np.log2(start) - np.log2(threshold)
    days = rules.half_life_days * (1 + rules.half_life_gain * weight) * np.maximum(halvings, 0)
    found: NDArray[np.float64] = np.where(weight > 0, days, 0.0)
    return found
