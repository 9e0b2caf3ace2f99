"""Groups of edges that share a half-life: namespaces, or namespaces and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.temporal import TemporalGraph

GROUPINGS = ("namespace", "folder")


def groups_of(
    graph: TemporalGraph, group_by: str
) -> tuple[NDArray[np.int64], tuple[str, ...], tuple[str, ...]]:
    """([E] group of each edge, names, namespace of each group).

    Args:
        graph: the facts.
        group_by: ``namespace``, or ``folder``: namespace and top folder of both ends, ``(across)``
            where they differ.

    Raises:
        ConfigError: another grouping.
    """
    spaces = graph.edge_namespace.numpy().astype(np.int64)
    if group_by not in GROUPINGS:
        raise ConfigError(
            f"halflife.group_by={group_by!r} is no choice", f"Use one of {', '.join(GROUPINGS)}"
        )
    if group_by == "namespace":
        used, group = np.unique(spaces, return_inverse=True)
        names = tuple(graph.namespaces[space] for space in used)
        return group, names, names
    folders = _folders(graph.nodes)
    ends = graph.edge_index.numpy()
    tops = [
        f"{graph.namespaces[space]}:{folders[a] if folders[a] == folders[b] else '(across)'}"
        for space, a, b in zip(spaces, *ends, strict=True)
    ]
    found, first, group = np.unique(tops, return_index=True, return_inverse=True)
    return group, tuple(map(str, found)), tuple(graph.namespaces[spaces[i]] for i in first)


def _folders(nodes: Sequence[str]) -> list[str]:
    """The top folder of each node; ``.`` for what lies in none."""
    return [name.split("/", 1)[0] if "/" in name else "." for name in nodes]
