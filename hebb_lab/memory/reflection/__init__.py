"""Reflection: episodes are clustered, and each cluster's insight is written.

``reflected`` makes the change; an `InsightWriter` says what a cluster tells: `extractive` takes a
sentence of it, `command_writer` and `function_writer` ask whatever users bring.
"""

from hebb_lab.memory.reflection.extractive import extractive
from hebb_lab.memory.reflection.insight import Insight, InsightWriter, Sources
from hebb_lab.memory.reflection.keeping import insight_importance
from hebb_lab.memory.reflection.provider import command_writer, function_writer
from hebb_lab.memory.reflection.reflecting import ClusterFailure, Reflected, reflected
from hebb_lab.memory.reflection.stale import stale_insights

__all__ = [
    "ClusterFailure",
    "Insight",
    "InsightWriter",
    "Reflected",
    "Sources",
    "command_writer",
    "extractive",
    "function_writer",
    "insight_importance",
    "reflected",
    "stale_insights",
]
