"""Leaderboards: rows from per-query scores, and the tables made of them."""

from hebb_lab.evaluation.leaderboard.board import (
    ROW_SCHEMA,
    Leaderboard,
    Note,
    Settings,
    Source,
    Stamp,
    merge,
)
from hebb_lab.evaluation.leaderboard.rows import leaderboard, macro
from hebb_lab.evaluation.leaderboard.scores import judgements_of, per_query_frame
from hebb_lab.evaluation.leaderboard.tables import as_json, csv, latex, markdown, write_leaderboard

__all__ = [
    "ROW_SCHEMA",
    "Leaderboard",
    "Note",
    "Settings",
    "Source",
    "Stamp",
    "as_json",
    "csv",
    "judgements_of",
    "latex",
    "leaderboard",
    "macro",
    "markdown",
    "merge",
    "per_query_frame",
    "write_leaderboard",
]
