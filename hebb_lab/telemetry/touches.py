"""From an EventLog to touches on one clock: integer ids, strictly increasing times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import EventLog

DAY_US = 86_400_000_000


@dataclass(frozen=True)
class Touches:
    """Touches of nodes in the order in which they happened.

    Args:
        nodes: names in byte-wise order; a node id is an index into it.
        sessions: names in the order of their first touch.
        node, session, turn: [T] int32.
        time_us: [T] int64, strictly increasing, but for the touches of one commit, which share a
            moment. In a session the order of the file holds and a clock that steps back is held;
            equal times are one µs apart, in order. So "strictly before" means the same for times
            and for positions.
        row: [T] int64, row of the EventLog.
        strength: [T] float32; namespace: [T] int16, index into ``namespaces``.
    """

    nodes: tuple[str, ...]
    sessions: tuple[str, ...]
    namespaces: tuple[str, ...]
    node: NDArray[np.int32]
    session: NDArray[np.int32]
    turn: NDArray[np.int32]
    time_us: NDArray[np.int64]
    row: NDArray[np.int64]
    strength: NDArray[np.float32]
    namespace: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.time_us)

    def born_us(self) -> NDArray[np.int64]:
        """Time of the first touch of each node, [N]."""
        born = np.full(len(self.nodes), np.iinfo(np.int64).max)
        np.minimum.at(born, self.node, self.time_us)
        return born


def touches_of(log: EventLog, kinds: tuple[str, ...] = ("file", "memory")) -> Touches:
    """Touches of the nodes of some kinds, on one clock; what a commit deletes is left out.

    Git histories (every row a commit) keep the order of the log whatever their clock says;
    other logs keep it in each session and are merged by time. A touch without a time takes the
    one before it in its session; a session without any follows the one before by a day.

    Raises:
        InputError: no touch of such a node.
    """
    wanted = pl.col("node_kind").cast(pl.String).is_in(list(kinds))
    gone = (pl.col("op") == "delete") & (pl.col("source") == "commit")
    events = log.events.with_row_index("row").filter(wanted & ~gone)
    if events.is_empty():
        raise InputError(
            f"none of the {log.events.height} events touches a {' or '.join(kinds)}",
            "Set windows.kinds to the kinds that the log holds",
        )
    session, sessions = _codes_in_order(events["session"])
    nodes = np.array(sorted(events["node"].unique().to_list(), key=lambda name: name.encode()))
    node_codes = {name: code for code, name in enumerate(nodes.tolist())}
    namespace, namespaces = _codes_in_order(events["namespace"])
    time_us = _held_clock(events["time_us"], session)
    in_log_order = bool((events["source"] == "commit").all())
    order = np.arange(len(time_us)) if in_log_order else np.argsort(time_us, kind="stable")
    return Touches(
        nodes=tuple(nodes.tolist()),
        sessions=sessions,
        namespaces=namespaces,
        node=events["node"].replace_strict(node_codes, return_dtype=pl.Int32).to_numpy()[order],
        session=session[order].astype(np.int32),
        turn=events["turn"].to_numpy()[order],
        time_us=_one_moment_each(time_us, session) if in_log_order else _apart(time_us[order]),
        row=events["row"].to_numpy()[order].astype(np.int64),
        strength=events["strength"].to_numpy()[order],
        namespace=namespace[order].astype(np.int16),
    )


def _codes_in_order(names: pl.Series) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Integer codes in the order of first appearance, and the names."""
    known = names.unique(maintain_order=True).to_list()
    codes = {name: code for code, name in enumerate(known)}
    return names.replace_strict(codes, return_dtype=pl.Int64).to_numpy(), tuple(known)


def _held_clock(times: pl.Series, session: NDArray[np.int64]) -> NDArray[np.int64]:
    """Times that never step back in a session; gaps filled forward, then backward."""
    frame = pl.DataFrame({"t": times, "s": session}).with_columns(
        pl.col("t").forward_fill().backward_fill().over("s")
    )
    if frame["t"].null_count():
        first = frame.group_by("s", maintain_order=True).agg(pl.col("t").first())
        virtual, clock = {}, 0
        for name, time in first.iter_rows():
            clock = clock + DAY_US if time is None else time
            virtual[name] = clock
        filled = frame["s"].replace_strict(virtual, return_dtype=pl.Int64)
        frame = frame.with_columns(pl.col("t").fill_null(filled))
    return frame.select(pl.col("t").cum_max().over("s"))["t"].to_numpy().astype(np.int64)


def _apart(times: NDArray[np.int64]) -> NDArray[np.int64]:
    """The smallest strictly increasing times that are nowhere earlier."""
    steps = np.arange(len(times), dtype=np.int64)
    return np.maximum.accumulate(times - steps) + steps


def _one_moment_each(times: NDArray[np.int64], commit: NDArray[np.int64]) -> NDArray[np.int64]:
    """One moment for all touches of a commit, the moments strictly increasing in log order."""
    first = np.flatnonzero(np.diff(commit, prepend=-1))
    return np.repeat(_apart(times[first]), np.diff(np.append(first, len(commit))))
