"""forget: memories go, with everything that says what they said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.changes import Change
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import (
    checked_most,
    checked_time,
    entity_problem,
    kind_problem,
    raised,
)
from hebb_lab.memory.operations.forgetting.going import doomed, tombstones_of
from hebb_lab.memory.operations.reading import by_id
from hebb_lab.memory.values import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

DAY_US = 86_400_000_000
_NUMBERS: dict[str, Any] = {
    "access_count_below": int | np.integer,
    "decay_score_below": int | float | np.integer | np.floating,
}


@dataclass(frozen=True)
class Criteria:
    """What is forgotten: all of these hold; at least one is given.

    Args:
        ids: one of these.
        entity_id: of this entity.
        accessed_before_us: last accessed before.
        access_count_below: accessed fewer times.
        kind: of this kind.
        decay_score_below: what the last sweep wrote (importance before any) is lower.
        stale: marked stale, or not.
        most: so many a call, the oldest first; None: as rules.forget_most says.
    """

    ids: Ids | Sequence[str] | None = None
    entity_id: str | None = None
    accessed_before_us: int | None = None
    access_count_below: int | None = None
    kind: Kind | None = None
    decay_score_below: float | None = None
    stale: bool | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no memory could be compared with.

        Raises:
            InputError: it names the criterion.
        """
        if problem := entity_problem(self.entity_id):
            raise raised(problem)
        if self.accessed_before_us is not None:
            checked_time(self.accessed_before_us, -1, "keep")
        for name, kinds in _NUMBERS.items():
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, kinds) or value != value:
                raise InputError(f"{name}={value!r} is no number", "Give a number, or None")
        if self.stale is not None and not isinstance(self.stale, bool | np.bool_):
            raise InputError(f"stale={self.stale!r} is no flag", "Give True, False or None")

    def reason(self) -> str:
        """The criteria by name and number; entities and ids are not named.

        >>> Criteria(entity_id="ada", access_count_below=2).reason()
        'criteria: entity_id, access_count_below=2'
        """
        said = []
        for part in fields(self):
            value = getattr(self, part.name)
            if value is None or part.name == "most":
                continue
            bare = part.name in ("ids", "entity_id")
            shown = value.name if isinstance(value, Kind) else value
            said.append(part.name if bare else f"{part.name}={shown}")
        return f"criteria: {', '.join(said)}"


@dataclass(frozen=True)
class Forgotten:
    """What a forgetting did.

    Args:
        count: memories that were asked for and are gone.
        cascaded: memories that went with them.
        truncated: whether more met the criteria than went.
        marked: insights that were marked stale.
        standing: insights drawn from what went that stay, marked or not, and may quote it; 0 with
            forget_insights=forget.
        missing: ids that no memory had.
        ids: of all that went, cascaded ones too.
    """

    count: int
    cascaded: int
    truncated: bool
    marked: int
    standing: int
    missing: int
    ids: Ids


def forgotten(
    state: State,
    journal: Journal,
    rules: MemoryRules,
    what: Ids | Sequence[str] | Criteria,
    at_us: int,
    rng: np.random.Generator,
) -> tuple[Change | None, Forgotten]:
    """Memories that go, as a change; see `doomed` for what goes with them.

    Ids that are not there are counted and no error. Ids are all forgotten; criteria up to ``most``,
    in the order of ids. To forget a state leaves later revisions of it alive, and their text may be
    the same: forget the newest state to forget all of them.

    Args:
        state: of the store.
        journal: where their texts are.
        rules: of the store.
        what: ids or criteria.
        at_us: of the call.
        rng: where the salts of the tombstones come from.

    Raises:
        InputError: no criterion, a time that `limits` refuses.
    """
    at_us = checked_time(at_us, state.clock_us, rules.clock_back)
    if not isinstance(what, Criteria):
        ids = Ids.parse(what)
        rows = state.rows_of(ids)
        missing = int((rows < 0).sum())
        chosen = np.unique(rows[rows >= 0])
        return gone(state, journal, rules, chosen, at_us, rng, "ids", missing=missing)
    rows, missing = _matching(state, what)
    rows = by_id(state, rows)
    most = rules.forget_most if what.most is None else checked_most(what.most, "most")
    return gone(
        state, journal, rules, rows[:most], at_us, rng, what.reason(),
        missing=missing, truncated=len(rows) > most,
    )  # fmt: skip


def gone(
    state: State, journal: Journal, rules: MemoryRules, rows: NDArray[np.int64], at_us: int,
    rng: np.random.Generator, reason: str, *, missing: int = 0, truncated: bool = False,
) -> tuple[Change | None, Forgotten]:  # fmt: skip
    """The same of living rows, each once; no change where there are none."""
    if not len(rows):
        return None, Forgotten(0, 0, truncated, 0, 0, missing, Ids.none())
    goes = doomed(state, rules, rows)
    ids = state.ids_of(goes.rows)
    stones = tombstones_of(state, journal, goes, at_us, reason, rng)
    change = Change(at_us, updated=goes.marks, forgotten=ids, tombstones=stones)
    marked = sum(len(part.ids) for part in goes.marks)
    cascaded = int(goes.cascaded.sum())
    return change, Forgotten(len(rows), cascaded, truncated, marked, goes.standing, missing, ids)


def _matching(state: State, what: Criteria) -> tuple[NDArray[np.int64], int]:
    """Living rows that meet all criteria, and how many ids are not there."""
    chosen = state.alive.copy()
    given, missing = 0, 0
    if what.ids is not None:
        rows = state.rows_of(Ids.parse(what.ids))
        missing, listed = int((rows < 0).sum()), np.zeros(state.count, np.bool_)
        listed[rows[rows >= 0]] = True
        chosen &= listed
        given += 1
    if what.entity_id is not None:
        number = state.entity_number(what.entity_id)
        chosen &= (state.entity == number) & (number >= 0)
        given += 1
    for column, bound in (
        ("accessed_us", what.accessed_before_us), ("access_count", what.access_count_below),
        ("decay_score", what.decay_score_below),
    ):  # fmt: skip
        if bound is not None:
            chosen &= state.column(column) < bound
            given += 1
    if what.kind is not None:
        if problem := kind_problem(what.kind):
            raise raised(problem)
        chosen &= state.column("kind") == what.kind
        given += 1
    if what.stale is not None:
        chosen &= state.column("stale") == what.stale
        given += 1
    if not given:
        raise InputError("no criterion says what is forgotten", "Give ids or at least one of them")
    return np.flatnonzero(chosen), missing


def collected(
    state: State, journal: Journal, rules: MemoryRules, at_us: int
) -> tuple[Change | None, int]:
    """Tombstones older than tombstone_days, as a change that takes them away, and their number.

    Raises:
        InputError: a time that `limits` refuses.
    """
    at_us = checked_time(at_us, state.clock_us, rules.clock_back)
    stones = journal.tombstones()
    old = at_us - stones.time_us > rules.tombstone_days * DAY_US
    if not old.any():
        return None, 0
    return Change(at_us, collected=Ids(stones.ids.array[old])), int(old.sum())
