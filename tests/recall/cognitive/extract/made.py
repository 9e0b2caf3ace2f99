"""Memories of a few texts for the tests of extraction."""

from dataclasses import replace

import numpy as np

from hebb_lab.records import Lists, Memories


def memories(texts, scope=None, tags=(), mentions=(), tag_names=(), entities=()):
    """Memories of these texts; ``entities`` are (name, type)."""
    n = len(texts)
    plain = Memories.plain(
        tuple(f"m{i}" for i in range(n)), tuple(texts), np.arange(n), np.zeros(n, np.int32), ("s",)
    )
    scope = np.zeros(n, np.int32) if scope is None else np.array(scope, np.int32)
    return replace(
        plain,
        scope=scope,
        scopes=tuple(f"c{i}" for i in range(int(scope.max(initial=0)) + 1)),
        tags=Lists.of(tags or [[] for _ in texts]),
        tag_names=tuple(tag_names),
        mentions=Lists.of(mentions or [[] for _ in texts]),
        entity_names=tuple(name for name, _ in entities),
        entity_types=tuple(kind for _, kind in entities),
    )


def rows(lists, names):
    """Names instead of ids."""
    return [[names[i] for i in lists.row(k)] for k in range(len(lists.ptr) - 1)]
