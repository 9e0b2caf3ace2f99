"""The sweeps of a store that forgets by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State
    from hebb_lab.memory.store import MemoryStore


def swept(store: MemoryStore, at_us: int) -> int:
    """What the sweep before flagged goes, then a sweep flags anew; how many memories went.

    A sweep whose flags were acted on at once would leave fresh_look and unflag nothing to do.
    """
    gone = store.auto_forget(at_us).count
    store.decay(at_us)
    return gone


def due(first_us: int, step_us: int, at_us: int) -> range:
    """Times of the sweeps before a moment; a question comes before a sweep of the same time.

    >>> list(due(10, 5, 20)), list(due(10, 5, 21)), list(due(30, 5, 20))
    ([10, 15], [10, 15, 20], [])
    """
    return range(first_us, max(at_us, first_us), step_us)


def needed(state: State, rules: MemoryRules, times: range) -> Sequence[int]:
    """Those of some sweeps without a touch between them that make a difference.

    Untouched scores only fall: whatever is low at some sweep is low at the last but one, is flagged
    there and goes at the last; the first acts on flags from before. So three are as good as all,
    unless auto_forget_most could hold back what is low.

    Args:
        state: before the first of them.
        rules: of the store.
        times: of the sweeps.

    Returns:
        Times in their order; none where no memory would go.
    """
    from hebb_lab.memory.decay import scores

    if not times:
        return []
    flagged = state.column("flagged") & state.alive
    low = state.alive & (scores(state, rules, times[-1])[:, 0] < rules.forget_below)
    if not flagged.any() and not (len(times) > 1 and low.any()):
        return []
    most = rules.auto_forget_most
    if most is not None and int(np.count_nonzero(flagged | low)) > most:
        return times
    return sorted({times[0], times[max(len(times) - 2, 0)], times[-1]})
