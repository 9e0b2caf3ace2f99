"""Run folders: one content-addressed folder a run, from which every table and figure is made."""

from hebb_lab.runs.environment import commit, describe
from hebb_lab.runs.identity import code_version, run_id
from hebb_lab.runs.layout import PER_QUERY_SCHEMA, as_json, write_atomic
from hebb_lab.runs.reader import Run, find_runs, read_run, status
from hebb_lab.runs.writer import RunWriter

__all__ = [
    "PER_QUERY_SCHEMA",
    "Run",
    "RunWriter",
    "as_json",
    "code_version",
    "commit",
    "describe",
    "find_runs",
    "read_run",
    "run_id",
    "status",
    "write_atomic",
]
