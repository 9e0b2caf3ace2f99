"""The fourteen cognitive profiles: how a query wishes to be answered, as data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hebb_lab.registry import Registry


@dataclass(frozen=True)
class Profile:
    """How much likeness and importance count, and what else a profile asks for.

    Args:
        alpha: share of similarity; the phase scorer multiplies and has no use for it.
        beta: how much importance counts.
        gamma: share of text search; fusion by rank has no use for it.
        threshold: of the gate on the best direct match; expansion happens below it.
        valence_from, valence_to: memories outside are dropped.
        query_valence: the valence that memories are aligned with; None for no alignment.
        strictness: distances × this.
        hyperfocus_boost: score × this where a memory has all tags asked for; 0 for none.
        min_importance: memories below are dropped.
        lateral: whether far memories with the right tags come in.
    """

    alpha: float
    beta: float
    gamma: float
    threshold: float = 0.4
    valence_from: float = -math.inf
    valence_to: float = math.inf
    query_valence: int | None = None
    strictness: float = 1.0
    hyperfocus_boost: float = 0.0
    min_importance: float = 0.0
    lateral: bool = False


PROFILES: Registry[Profile] = Registry("cognitive profile")
"""name → profile. Source: the project's profiles at the commit of the fact sheet, §2.5. What they
say of tiers and of the associative mode has no part here."""

_TABLE = {
    "BALANCED": Profile(0.6, 0.4, 0.3),
    "EXPLORING": Profile(0.8, 0.2, 0.1),
    "DEBUGGING": Profile(0.3, 0.7, 0.5, 0.2, valence_to=-10),
    "RECALLING": Profile(0.4, 0.6, 0.3, valence_from=10),
    "CRITICAL": Profile(0.2, 0.8, 0.4, 0.2),
    "HYPERFOCUS": Profile(1.0, 0.0, 0.2, 0.0, hyperfocus_boost=1.5),
    "SYSTEMATIZER": Profile(0.3, 0.7, 0.3, 0.3, strictness=10.0),
    "DIVERGENT": Profile(0.8, 0.2, 0.2, 0.8, lateral=True),
    "PARANOID_SENTINEL": Profile(0.2, 0.8, 0.5, 0.2, valence_to=-1, query_valence=-128),
    "THE_EXECUTOR": Profile(0.3, 0.7, 0.4, 0.2, strictness=10.0),
    "HIGHLY_SENSITIVE": Profile(0.7, 0.3, 0.3, min_importance=0.01),
    "DEFAULT_MODE_NETWORK": Profile(0.2, 0.8, 0.1),
    "EXECUTIVE_DYSFUNCTION": Profile(0.3, 0.7, 0.1, 0.8, lateral=True),
    "SOUL_DERIVED": Profile(0.6, 0.4, 0.3),
}
for _name, _profile in _TABLE.items():
    PROFILES.register(_name)(_profile)


def profiles_of(
    asked: str | None, own: tuple[str, ...], queries: int
) -> tuple[list[Profile | None], int]:
    """The profile of each query, and how many named one that there is not.

    Args:
        asked: a name for all; ``own`` for each query's; None for none.
        own: [Q] names, or none at all; an empty one is none, an unknown one counts as BALANCED.
        queries: how many there are.

    Raises:
        ConfigError: ``asked`` names no profile.

    >>> [p and p.beta for p in profiles_of("own", ("CRITICAL", "", "NEW"), 3)[0]]
    [0.8, None, 0.4]
    """
    if asked is None:
        return [None] * queries, 0
    if asked != "own":
        return [PROFILES[asked]] * queries, 0
    names = own or ("",) * queries
    unknown = sum(bool(name) and name not in PROFILES for name in names)
    known = [name if name in PROFILES else "BALANCED" for name in names]
    return [PROFILES[k] if n else None for n, k in zip(names, known, strict=True)], unknown
