"""Workspaces that threads take and give back, so that a call does not make its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from hebb_lab.kernels.cpu.walks.rows import SPACE
from hebb_lab.kernels.cpu.walks.workspace import EPOCH, NOW, SEEN, USED, WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from hebb_lab.kernels.cpu.walks.workspace import Workspace

NEVER = np.iinfo(np.int64).min  # the moment of a workspace that stands at none

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Pool(Generic[Thing]):
    """Things of which a thread has one to itself for as long as it works.

    It holds as many as were taken at once, and never more.

    Args:
        make: one more.
    """

    make: Callable[[], Thing]
    _free: list[Thing] = field(default_factory=list)

    def take(self) -> Thing:
        """The one that was given back last, or a new one where all are taken."""
        try:
            return self._free.pop()
        except IndexError:
            return self.make()

    def give_back(self, thing: Thing) -> None:
        """Leave it to whoever comes next."""
        self._free.append(thing)


def come_to(space: Workspace, now: Any, whole: bool) -> None:
    """Make a workspace fit for a walk at ``now``, wherever its last walk has left it.

    Later moments are gone on to, and the rows of the same moment stay. An earlier one begins with
    no event seen. What a walk finds never depends on the walks before it, to the last bit: rows
    made one by one and lines of all edges at once (``whole``) are not mixed in a moment.
    """
    clock = space.clock
    if now < clock[NOW] or now == NEVER:
        turn_back(space)
    elif now == clock[NOW]:
        lines = whole and clock[SEEN] > 0 and len(space.edge_lines) > 0
        # Rows may lie beyond a shorter arena than that of the walk before.
        if lines != bool(clock[WHOLE]) or clock[USED] > len(space.columns):
            clock[NOW] = NEVER


def turn_back(space: Workspace) -> None:
    """Before all moments: no event has been seen, and no row is there.

    The number of the moment goes on, so that no row of before is taken for one of now.
    """
    clock = space.clock
    space.present[:, :SPACE] = -1
    clock[SEEN], clock[NOW], clock[USED], clock[WHOLE] = 0, NEVER, 0, 0
    clock[EPOCH] += 1
