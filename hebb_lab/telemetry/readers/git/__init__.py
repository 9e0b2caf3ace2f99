"""Git repositories and histories."""

from hebb_lab.telemetry.readers.git.log import Commit, Repository, parse_log
from hebb_lab.telemetry.readers.git.reader import GitReader

__all__ = ["Commit", "GitReader", "Repository", "parse_log"]
