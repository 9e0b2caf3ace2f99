"""Codex CLI rollouts."""

from hebb_lab.telemetry.readers.codex.reader import CodexReader

__all__ = ["CodexReader"]
