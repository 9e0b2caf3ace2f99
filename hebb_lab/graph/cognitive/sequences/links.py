"""Who stands before and after whom: doubly linked lists of memories, as of a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Memories

DAY_SECONDS = 86_400


class Links(NamedTuple):
    """The neighbours of each known memory in its chain; −1 for none."""

    previous: NDArray[np.int32]  # [known]
    following: NDArray[np.int32]


class ChainNodes(NamedTuple):
    """The same, as files hold it."""

    previous: NDArray[np.int32]
    following: NDArray[np.int32]
    session: NDArray[np.int32]  # −1 for none
    epoch_seconds: NDArray[np.int32]


class Chains:
    """Chains of one kind over all memories, of which the known ones are linked.

    Args:
        memories: in the order of writing.
        links: ``session``: the chains that the data states, or where it states none the sessions;
            ``across``: all memories as one.
    """

    def __init__(self, memories: Memories, links: str) -> None:
        self._memories = memories
        self._members, self._chain = _members(memories, links)
        self._is_stated = links == "session" and memories.chains is not None

    def linked(self, known: int, retention_days: float | None) -> Links:
        """The links between the first ``known`` memories.

        Args:
            known: how many.
            retention_days: nodes older than the newest known memory by more are taken out, and
                their neighbours are joined; None: none is.
        """
        is_kept = self._members < known
        if retention_days is not None and known:
            epoch = _epoch(self._memories)
            oldest = epoch[known - 1] - retention_days * DAY_SECONDS
            own = epoch[self._members]
            is_kept &= (own <= 0) | (own >= oldest)
        members = self._members[is_kept]
        joined = np.flatnonzero(np.diff(self._chain[is_kept]) == 0)
        previous, following = np.full((2, known), -1, np.int32)
        following[members[joined]] = members[joined + 1]
        previous[members[joined + 1]] = members[joined]
        return Links(previous, following)

    def nodes(self, links: Links) -> ChainNodes:
        """Links with the session and the time of each known memory."""
        known = len(links.previous)
        session = self._memories.session.astype(np.int32)
        if self._is_stated:
            session = np.full(len(self._memories), -1, np.int32)
            session[self._members] = self._chain
        epoch = _epoch(self._memories)[:known].astype(np.int32)
        return ChainNodes(*links, session[:known], epoch)

    def byte_count(self, known: int) -> int:
        """Two pointers a known memory, and of each member its id and chain: 16 bytes in all."""
        return 8 * known + 8 * int((self._members < known).sum())


def _members(memories: Memories, links: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The members of all chains one after another, whenever they are written; of which chain."""
    if links == "across":
        count = len(memories)
        return np.arange(count, dtype=np.int32), np.zeros(count, np.int32)
    if memories.chains is None:
        members = np.argsort(memories.session, kind="stable").astype(np.int32)
        return members, memories.session[members].astype(np.int32)
    ptr, ids = memories.chains
    chain = np.repeat(np.arange(len(ptr) - 1, dtype=np.int32), np.diff(ptr))
    first = np.sort(np.unique(ids, return_index=True)[1])
    return ids[first].astype(np.int32), chain[first]


def _epoch(memories: Memories) -> NDArray[np.int64]:
    """[N] seconds since 1970, as far as 32 bits go."""
    bounds = np.iinfo(np.int32)
    return np.clip(memories.time_us // 1_000_000, bounds.min, bounds.max)
