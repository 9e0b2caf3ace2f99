"""decay and auto-forget: what time takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.changes import Change, Updated
from hebb_lab.memory.decay import scores, sweep_change, swept_rows
from hebb_lab.memory.limits import checked_time
from hebb_lab.memory.operations.forgetting.forget import Forgotten, gone
from hebb_lab.memory.operations.reading import by_id

if TYPE_CHECKING:
    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.decay import Swept
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


def decayed(state: State, rules: MemoryRules, at_us: int) -> tuple[Change | None, Swept]:
    """A sweep that writes; see `decay.sweep_change`.

    Raises:
        InputError: a time that `limits` refuses.
    """
    at_us = checked_time(at_us, state.clock_us, rules.clock_back)
    return sweep_change(state, rules, at_us)


def auto_forgotten(
    state: State, journal: Journal, rules: MemoryRules, at_us: int, rng: np.random.Generator
) -> tuple[Change | None, Forgotten]:
    """What the last sweep flagged goes, the lowest score first, then by id.

    fresh_look: scores are computed as of now and what is above the threshold is spared; its flag
    waits for the next sweep. Without it (as the code) all that is flagged goes up to
    auto_forget_most, by the scores of the last sweep, and the flags of the rest are dropped.
    decay_superseded=False: superseded states only go with what superseded them.

    Args:
        state: of the store.
        journal: where texts are.
        rules: of the store.
        at_us: of the call.
        rng: chance of the tombstones' salts.

    Raises:
        InputError: a time that `limits` refuses.
    """
    at_us = checked_time(at_us, state.clock_us, rules.clock_back)
    flagged = state.column("flagged") & swept_rows(state, rules)
    score = state.column("decay_score")
    if rules.fresh_look:
        score = scores(state, rules, at_us)[:, 0]
        flagged = flagged & (score < rules.forget_below)
    rows = by_id(state, np.flatnonzero(flagged))
    rows = rows[np.argsort(score[rows], kind="stable")]
    most = len(rows) if rules.auto_forget_most is None else rules.auto_forget_most
    change, found = gone(
        state, journal, rules, np.sort(rows[:most]), at_us, rng, "auto-forget",
        truncated=len(rows) > most,
    )  # fmt: skip
    if rules.fresh_look or not len(rows[most:]):
        return change, found
    rest = Updated(state.ids_of(rows[most:]), {"flagged": np.zeros(len(rows[most:]), np.bool_)})
    if change is None:
        return Change(at_us, updated=(rest,)), found
    return (
        Change(at_us, updated=(*change.updated, rest), forgotten=change.forgotten,
               tombstones=change.tombstones),
        found,
    )  # fmt: skip
