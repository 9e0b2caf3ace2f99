"""What the synapse store keeps: edges, transitions, and their keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hebb_lab.errors import ConfigError

DAY_US = 24 * 60 * 60 * 1_000_000
SHARED = "shared"
PERSONAL = "personal"
EPHEMERAL = "ephemeral"

Key = tuple[str, str, str]
"""(a, b, namespace): of an edge a < b byte-wise, of a transition a then b."""


@dataclass
class Edge:
    """An undirected edge in one namespace.

    Args:
        weight: as it was at ``at_us``.
        count: reinforcements since it was created.
        at_us: the moment for which ``weight`` holds: the last reinforcement, or a later weakening.
        last_us: last reinforcement; a weakening does not move it.
        created_us: first reinforcement; a pruned edge is created anew.
        half_life_days: a half-life of its own, or None for the namespace's default.
    """

    weight: float
    count: int
    at_us: int
    last_us: int
    created_us: int
    half_life_days: float | None = None


@dataclass
class Transition:
    """A directed edge, a then b, in one namespace; ``weight`` is as it was at ``last_us``."""

    weight: float
    count: int
    last_us: int


def days(value: float) -> int:
    """Days as whole microseconds.

    >>> days(1.5)
    129600000000
    """
    return round(value * DAY_US)


def edge_key(a: str, b: str, namespace: str) -> Key | None:
    """The canonical key a < b; None for a self-loop or an empty id.

    >>> edge_key("b", "a", "personal")
    ('a', 'b', 'personal')
    """
    if not a or not b or a == b:
        return None
    return (a, b, namespace) if a < b else (b, a, namespace)


def distinct(nodes: Iterable[str]) -> list[str]:
    """The ids without the empty ones and without repeats, in the order of first appearance.

    >>> distinct(["b", "", "a", "b"])
    ['b', 'a']
    """
    return list(dict.fromkeys(node for node in nodes if node))


def namespace_name(name: str, active: str) -> str:
    """A valid namespace; the empty name means the active one.

    Raises:
        ConfigError: a name of blanks, or one with a blank inside.

    >>> namespace_name("", "branch:login")
    'branch:login'
    """
    if not name:
        return active
    stripped = name.strip()
    if not stripped or any(character.isspace() for character in stripped):
        raise ConfigError(
            f"namespace {name!r} is blank or has a blank in it",
            "Use one word, such as personal, shared or branch:login",
        )
    return stripped


def house_order(item: tuple[str, float]) -> tuple[float, str]:
    """Sort key of (node, score), to be reversed: score as float32, then id, both descending.

    >>> sorted([("a", 0.5), ("b", 0.5), ("c", 0.9)], key=house_order, reverse=True)
    [('c', 0.9), ('b', 0.5), ('a', 0.5)]
    """
    node, score = item
    return float(np.float32(score)), node


def clamp(value: float, low: float, high: float) -> float:
    """The value, moved into [low, high]."""
    return min(max(value, low), high)
