"""Reflection: episodes are clustered, and each cluster's insight is written."""

from hebb_lab.memory.reflection.stale import stale_insights

__all__ = ["stale_insights"]
