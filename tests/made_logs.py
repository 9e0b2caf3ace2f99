"""Logs made by hand, for tests with known answers."""

import polars as pl

from hebb_lab.records import EVENT_SCHEMA, EventLog
from hebb_lab.telemetry.report import ReadReport

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAY = 86_400 * SECOND
START = 20_000 * DAY


def event(session, turn, node, at, **more):
    """One row: a read of a file by the main agent, unless said otherwise."""
    return {
        "time_us": at, "time_quality": "none" if at is None else "exact", "session": session,
        "agent": "main", "turn": turn, "call_id": None, "op": "read", "tool": "Read",
        "node": node, "node_kind": "file", "ok": True, "source": "arg", "strength": 1.0,
        "namespace": "personal", "query_sha256": None, "query": None, "file": "made", "line": 1,
        "byte": None, **more,
    }  # fmt: skip


def log_of(rows):
    """An EventLog of such rows."""
    return EventLog(pl.DataFrame(rows, schema=EVENT_SCHEMA, orient="row"), ReadReport())


def reads(text, seconds=10):
    """A log from words ``session.turn:node``, one touch every few seconds.

    ``reads("a.1:x a.1:y b.1:x")`` is three touches in two sessions.
    """
    rows = []
    for i, word in enumerate(text.split()):
        place, node = word.split(":")
        session, turn = place.split(".")
        rows.append(event(session, int(turn), node, START + i * seconds * SECOND))
    return log_of(rows)


def commits(*nodes_of_commits, times=None):
    """A git history: one commit after another, its nodes as a string of words."""
    rows = []
    for i, nodes in enumerate(nodes_of_commits):
        at = START + i * DAY if times is None else times[i]
        rows += [
            event(f"commit{i:03d}", 1, node, at, op="edit", source="commit", tool="git")
            for node in nodes.split()
        ]
    return log_of(rows)
