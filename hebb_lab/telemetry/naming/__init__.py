"""From a path, or a shell command, in a log to the name of a node."""

from hebb_lab.telemetry.naming.paths import Node, PathIndex
from hebb_lab.telemetry.naming.projects import Projects
from hebb_lab.telemetry.naming.shell import shell_touches

__all__ = ["Node", "PathIndex", "Projects", "shell_touches"]
