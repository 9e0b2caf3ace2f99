"""Facts: what was read of a log, and the windows in which its nodes were active together."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.records.memories import Memories
    from hebb_lab.records.questions import Questions
    from hebb_lab.telemetry.report import ReadReport

OPS = (
    "read", "edit", "write", "delete", "search", "list", "exec", "web", "mcp", "spawn", "mention",
)  # fmt: skip
NODE_KINDS = ("file", "dir", "url", "tool", "memory", "external")
SOURCES = ("arg", "shell", "patch", "state", "result", "prompt", "commit", "table")
TIME_QUALITIES = ("exact", "second", "inferred", "none")
LAWS = ("exponential", "none", "power_law", "learned_observed")  # how an edge's rate falls

EVENT_SCHEMA: dict[str, Any] = {
    "time_us": pl.Int64,  # µs since 1970, UTC; null where the log has no clock
    "time_quality": pl.Enum(TIME_QUALITIES),
    "session": pl.String,
    "agent": pl.String,  # "main" or the id of a subagent
    "turn": pl.Int32,  # ordinal of the user's prompt in the session; 0 before the first
    "call_id": pl.String,  # identity of the tool call; null for prompts and commits
    "op": pl.Enum(OPS),
    "tool": pl.String,
    "node": pl.String,  # repository-relative path, "ext:<hash>", url, memory id
    "node_kind": pl.Enum(NODE_KINDS),
    "ok": pl.Boolean,  # null where the log does not say
    "source": pl.Enum(SOURCES),
    "strength": pl.Float32,  # 1 unless the log gives one
    "namespace": pl.String,  # "personal" unless the log gives one
    "query_sha256": pl.String,  # of the user's prompt of this turn; null where there is none
    "query": pl.String,  # the prompt itself, only when asked for
    "file": pl.String,
    "line": pl.Int64,  # from 1
    "byte": pl.Int64,  # offset of the line in the (decompressed) file
}
"""One row is one touch of one node. Rows are in the order of the log (file order in a session)."""


@dataclass(frozen=True)
class EventLog:
    """Touches of nodes by an agent, in order, with provenance and a report of what was lost.

    Rows: sessions in the order of their first event, in a session the order of the file.
    """

    events: pl.DataFrame
    report: ReadReport

    def sha256(self) -> str:
        """The content's hash: the same events give the same hash wherever the files lie."""
        columns = [name for name in EVENT_SCHEMA if name not in ("file", "line", "byte")]
        digest = hashlib.sha256()
        for name in columns:
            text = self.events[name].cast(pl.String).fill_null("\x00").str.join("\x1f")
            digest.update(name.encode() + b"\x1e" + str(text.item()).encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class Truth:
    """What a simulator knows and a real log does not.

    Args:
        row_ptr: [rows+1] int64 over the rows of the EventLog; the nodes that the touch of row r
            was drawn from are ``node[row_ptr[r]:row_ptr[r+1]]``, most probable first.
        node: names as indices into ``nodes``.
        probability: float32, the probabilities they were drawn with.
        nodes: names.
        pairs: [P, 2] int32 indices into ``nodes``; related pairs.
        half_life_days: [P] float64, the true half-life of each related pair.
    """

    row_ptr: NDArray[np.int64]
    node: NDArray[np.int32]
    probability: NDArray[np.float32]
    nodes: tuple[str, ...]
    pairs: NDArray[np.int32]
    half_life_days: NDArray[np.float64]


class Activity(NamedTuple):
    """How busy the agent is: a curve that is constant in each of B spans.

    Args:
        start_us: [B+1] int64, µs since 1970, ascending: span b is ``[start_us[b], start_us[b+1])``.
        level: [B] float64, from 0 up; its mean over all the time is 1.
    """

    start_us: NDArray[np.int64]
    level: NDArray[np.float64]


@dataclass(frozen=True)
class EdgeTruth:
    """The point process that the events of each edge were drawn from, after its first one.

    λ(t) = A(t) · (base_rate + gain · signal(t)) per day. The signal is, by ``law``,
    ``exponential``: the edge's weight, which decays with its half-life; ``learned_observed``: the
    weight, whose half-life follows from the count of reinforcements (``kernels``); ``none``: the
    weight, which does not decay; ``power_law``: Σ (age in days + power_offset_days)
    ^−power_exponent over all earlier events of the edge.

    Args:
        nodes: names in byte-wise order, those of the graph that the log gives.
        pairs: [P, 2] int32 indices into ``nodes``, a < b, in the order of that graph's edges.
        half_life_days: [P] float64; ∞ where nothing decays, NaN where the law has no half-life,
            the namespace's default where it follows from the count.
        base_rate: [P] float64, per day at A = 1, frailty included.
        gain: [P] float64, per day at A = 1 and a signal of 1, frailty included.
        law: one of ``LAWS``.
        power_exponent, power_offset_days: of ``power_law``.
        activity: A(t).
    """

    nodes: tuple[str, ...]
    pairs: NDArray[np.int32]
    half_life_days: NDArray[np.float64]
    base_rate: NDArray[np.float64]
    gain: NDArray[np.float64]
    law: str
    power_exponent: float
    power_offset_days: float
    activity: Activity


@dataclass(frozen=True)
class Dataset:
    """A log made ready: its touches, the texts of its nodes, what it is asked, what is true."""

    name: str
    log: EventLog
    texts: Mapping[str, str] = field(default_factory=dict)  # node → text; a path stands for itself
    truth: Truth | None = None
    questions: Questions | None = None
    edges: EdgeTruth | None = None  # what is true of each edge, where a simulator knows it
    memories: Memories | None = None  # of a corpus: its documents in the order of writing

    def sha256(self) -> str:
        """The hash of the log, with that of texts, questions and memories where there are any."""
        if not self.texts and self.questions is None and self.memories is None:
            return self.log.sha256()
        digest = hashlib.sha256(self.log.sha256().encode())
        for node in sorted(self.texts):
            digest.update(json.dumps([node, self.texts[node]]).encode() + b"\n")
        if self.questions is not None:
            for name, values in vars(self.questions).items():
                digest.update(json.dumps([name, values]).encode() + b"\n")
        if self.memories is not None:
            digest.update(self.memories.sha256().encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class CoActivations:
    """Windows of nodes that were active together, in learning order.

    Args:
        nodes: names in byte-wise order; a node id is an index into it.
        time_us: [W] int64, when the window is learned (its last event); strictly increasing.
        session: [W] int32, index into ``sessions``.
        node_ptr: [W+1] int64, ``node_ids[node_ptr[w]:node_ptr[w+1]]`` are the nodes of window w.
        node_ids: int32, distinct in a window, in the order of their first touch.
        strength: [W] float32, the window's strength (rules.md §1, clamped to [0, 2] when learned).
        namespace: [W] int16, index into ``namespaces``.
    """

    nodes: tuple[str, ...]
    sessions: tuple[str, ...]
    namespaces: tuple[str, ...]
    time_us: NDArray[np.int64]
    session: NDArray[np.int32]
    node_ptr: NDArray[np.int64]
    node_ids: NDArray[np.int32]
    strength: NDArray[np.float32]
    namespace: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.time_us)

    def sizes(self) -> NDArray[np.int64]:
        """Number of distinct nodes in each window, [W]."""
        return np.diff(self.node_ptr)
