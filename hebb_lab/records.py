"""The values on the arrows: what one stage hands to the next.

    log files ─▶ EventLog ─▶ CoActivations ─▶ TemporalGraph ┐
                     └─────▶ Queries + Qrels ───────────────┴─▶ Ranking ─▶ per-query scores

Every value is immutable. Node ids are integers in the byte-wise order of the node names, so that
"id descending" is the tie rule of trec_eval.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.telemetry.report import ReadReport

OPS = (
    "read", "edit", "write", "delete", "search", "list", "exec", "web", "mcp", "spawn", "mention",
)  # fmt: skip
NODE_KINDS = ("file", "dir", "url", "tool", "memory", "external")
SOURCES = ("arg", "shell", "patch", "state", "result", "prompt", "commit", "table")
TIME_QUALITIES = ("exact", "second", "inferred", "none")

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


@dataclass(frozen=True)
class Dataset:
    """A log made ready: its touches, the texts of its nodes, and the truth where it is known."""

    name: str
    log: EventLog
    texts: Mapping[str, str] = field(default_factory=dict)  # node → text; a path stands for itself
    truth: Truth | None = None


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


@dataclass(frozen=True)
class Qrels:
    """What is relevant: for query q the nodes ``ids[ptr[q]:ptr[q+1]]`` with their grades (> 0)."""

    ptr: NDArray[np.int64]  # [Q+1]
    ids: NDArray[np.int32]
    grades: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def counts(self) -> NDArray[np.int64]:
        """Number of relevant nodes of each query, [Q]."""
        return np.diff(self.ptr)


@dataclass(frozen=True)
class Queries:
    """Questions to the memory, each at its own time, in time order.

    Args:
        task: name of the task.
        query_ids: [Q] names, unique, for TREC files.
        time_us: [Q] int64: only what was learned strictly before it may be seen.
        cluster: [Q] int32: session (commit, conversation); the unit of the bootstrap.
        block: [Q] int16: time-ordered block; block 0 is never scored.
        event_row: [Q] int64: row of the EventLog that holds the (first) answer; −1 for none.
        seed_ptr, seed_ids, seed_energy: nodes in view with their energies, newest first.
        exclude_ptr, exclude_ids: nodes that may not be an answer (already in context).
        texts: [Q] the user's words, or empty strings.
    """

    task: str
    query_ids: tuple[str, ...]
    time_us: NDArray[np.int64]
    cluster: NDArray[np.int32]
    block: NDArray[np.int16]
    event_row: NDArray[np.int64]
    seed_ptr: NDArray[np.int64]
    seed_ids: NDArray[np.int32]
    seed_energy: NDArray[np.float32]
    exclude_ptr: NDArray[np.int64]
    exclude_ids: NDArray[np.int32]
    texts: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.time_us)


@dataclass(frozen=True)
class Ranking:
    """The answers: per query the best k nodes by (score as float32 descending, id descending).

    Args:
        ids: [Q, k] int32; −1 where fewer than k nodes had a score.
        scores: [Q, k] float32; −inf where ids is −1.
    """

    ids: NDArray[np.int32]
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, k: int) -> Ranking:
        """The best k of each query."""
        return Ranking(self.ids[:, :k].copy(), self.scores[:, :k].copy())

    def padded(self, depth: int) -> Ranking:
        """The same with room for ``depth`` nodes; what is added holds none."""
        room = ((0, 0), (0, max(depth - self.ids.shape[1], 0)))
        ids = np.pad(self.ids, room, constant_values=-1)
        return Ranking(ids, np.pad(self.scores, room, constant_values=-np.inf))

    def scaled(self) -> Ranking:
        """Scores of each query divided by its best, so that rank 1 has 1; order and ties stay."""
        best = np.where(self.ids[:, :1] >= 0, self.scores[:, :1], np.float32(1.0))
        scores = (self.scores / best).astype(np.float32)
        for c in range(1, scores.shape[1]):  # rounding must not make a tie
            below = np.minimum(scores[:, c], np.nextafter(scores[:, c - 1], np.float32(-np.inf)))
            tied = self.scores[:, c] == self.scores[:, c - 1]
            scores[:, c] = np.where(tied, scores[:, c - 1], below)
        return Ranking(self.ids, scores)

    def sha256(self) -> str:
        """Hash of ids and scores: two byte-identical rankings have the same one."""
        return hashlib.sha256(self.ids.tobytes() + self.scores.tobytes()).hexdigest()


@dataclass(frozen=True)
class Judgements:
    """Where each relevant node stands in a ranking: all that a metric needs.

    Args:
        ptr: [Q+1] int64; the relevant nodes of query q are ``[ptr[q]:ptr[q+1]]``, best rank first,
            the unretrieved last.
        ranks: int32, from 1; 0 where the node was not retrieved.
        grades: int32, > 0.
        tokens: int32, tokens injected up to and including that rank; 0 where not retrieved.
        returned: [Q] int32, how many nodes the ranking holds (k_effective).
    """

    ptr: NDArray[np.int64]
    ranks: NDArray[np.int32]
    grades: NDArray[np.int32]
    tokens: NDArray[np.int32]
    returned: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ptr) - 1
