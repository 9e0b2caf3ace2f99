"""Logs of agents in, one EventLog out."""

from hebb_lab.telemetry.report import ReadReport

__all__ = ["ReadReport"]
