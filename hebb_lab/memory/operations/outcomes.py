"""Reinforcement: by recall of what it returned, or by an outcome that names what helped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hebb_lab.errors import InputError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import checked_time, listed
from hebb_lab.memory.operations.reading import rows_there
from hebb_lab.memory.strategies import reinforced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Change
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State
    from hebb_lab.memory.values import Recalled


def reinforced_by(state: State, rules: MemoryRules, found: Recalled, at_us: int) -> Change | None:
    """Everything that recall returned is accessed, once for each question that it answers.

    What answers one question is linked under co_recall=all_pairs alone.
    """
    groups = list(found.rows) if rules.co_recall == "all_pairs" else []
    return reinforced(state, rules, found.rows[found.rows >= 0], at_us, groups)


def _together(state: State, place: int, pair: Sequence[str]) -> NDArray[np.int64]:
    rows = rows_there(state, Ids.parse(pair))
    if len(set(rows.tolist())) < 2:
        raise InputError(f"pair {place} does not name two memories", "Give two ids or more")
    return rows


def reinforced_ids(
    state: State, rules: MemoryRules, ids: Ids | Sequence[str], at_us: int,
    pairs: Iterable[Sequence[str]] = (),
) -> Change | None:  # fmt: skip
    """What an outcome names is accessed, each id once for each time it is named.

    Under reinforcement=off nothing happens, so that an arm without it needs no other caller; under
    on it counts beside what recall does by itself.

    Args:
        state: of the store.
        rules: of the store.
        ids: of memories that helped.
        at_us: when.
        pairs: ids that helped together, two or more each; co_recall links them unless it is off.

    Raises:
        MemoryNotFoundError: an id that is not there.
        InputError: a time that `limits` refuses, a pair of one memory.
    """
    at_us = checked_time(at_us, state.clock_us, rules.clock_back)
    rows = rows_there(state, Ids.parse(ids))
    groups = [
        _together(state, place, pair)
        for place, pair in enumerate(listed(pairs, "pairs", "Give a list of lists of ids"))
    ]
    if rules.reinforcement == "off" or not (len(rows) or groups):
        return None
    return reinforced(state, rules, rows, at_us, groups)
