"""The errors that a user can mend. Each says what is wrong, where, and what to do."""

from __future__ import annotations

from pathlib import Path


class HebbLabError(Exception):
    """A problem that the user can mend: the command line prints it as a sentence and exits with 2.

    Args:
        problem: what is wrong, one sentence without a final stop.
        cure: what to do about it, one sentence without a final stop.
        path: the file or folder it concerns.
        line: the line in that file, counted from 1.
    """

    def __init__(
        self, problem: str, cure: str, path: str | Path | None = None, line: int | None = None
    ) -> None:
        self.problem = problem
        self.cure = cure
        self.path = path
        self.line = line
        where = "" if path is None else f"{path}" + ("" if line is None else f":{line}") + ": "
        super().__init__(f"{where}{problem}. {cure}.")


class InputError(HebbLabError):
    """A log, repository or table that cannot be read."""


class ConfigError(HebbLabError):
    """A setting that names something that does not exist or cannot work."""


class MissingExtraError(HebbLabError):
    """An optional dependency that is not installed; the cure names the extra."""
