"""The groups of arms that an experiment on the lives of memories has by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hebb_lab.lifecycles.arms.arm import MemoryArm
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.lifecycles.arms.arm import Start

BASE = "base"
ALL = ("similarity", "temporal", "causal", "analogical")
"""All strategies at once."""
TERMS = ("relevance", "recency", "importance", "reinforcement")
"""Terms of the composite score."""
HALF_LIVES, THRESHOLDS = (7, 30, 90), (0.01, 0.1)

FAMILIES: Registry[Callable[[Start], list[MemoryArm]]] = Registry("family of arms")
"""name → the arms of a group, around a start. The groups stand in this order in all tables."""


def core(start: Start) -> list[MemoryArm]:
    """The arm that every run has."""
    about = f"recall by {' and '.join(start.strategies)}"
    return [MemoryArm(BASE, "stack", None, start.rules, start.strategies, start, about=about)]


def varied(
    start: Start, name: str, group: str, about: str, changed: dict[str, Any], *,
    base: str = BASE, strategies: tuple[str, ...] | None = None, **others: Any,
) -> MemoryArm:  # fmt: skip
    """An arm that differs from the start in some switches, strategies, or in its life."""
    asked = start.strategies if strategies is None else strategies
    told = {**changed} if strategies is None else {"strategies": list(strategies), **changed}
    told |= {key: others[key] for key in ("practice", "forgets", "revises") if others.get(key)}
    rules = start.rules.change(**changed)
    return MemoryArm(name, group, base, rules, asked, start, changed=told, about=about, **others)


@FAMILIES.register("floors")
def floors(start: Start) -> list[MemoryArm]:
    """Orders that need no memory model, on what was known when the question is asked."""
    told = {
        "random": "a random order of the known memories",
        "recency": "touched last",
        "popularity": "most touched so far",
        "bm25": "words",
        "dense": "embeddings alone",
        "oracle": "the distribution that the simulator drew from",
    }
    return [
        MemoryArm(name, "floors", BASE, start.rules, (), start, method=name, about=about)
        for name, about in told.items()
    ]


@FAMILIES.register("strategies")
def strategies(start: Start) -> list[MemoryArm]:
    """Each strategy by itself, and all at once in three ways of fusion."""
    single: list[tuple[str, tuple[str, ...], dict[str, Any], str]] = [
        ("similarity", ("similarity",), {}, "nearest to the cue"),
        ("temporal", ("temporal",), {}, "written last"),
        ("causal_walk", ("causal",), {"causal": "walk"}, "a walk over edges from the seed"),
        ("causal_offset", ("causal",), {"causal": "offset"}, "nearest to the seed ± an offset"),
        ("causal_both", ("causal",), {"causal": "both"}, "walk and offset, the better counts"),
        ("analogical", ("analogical",), {}, "similar, and of similar structure"),
    ]  # fmt: skip
    made = [
        varied(start, name, "strategies", about, changed, strategies=asked)
        for name, asked, changed, about in single
        if asked != start.strategies
    ]
    return made + [
        varied(start, f"all_{fusion}", "strategies", f"all four strategies, fused by {fusion}",
               {"fusion": fusion}, strategies=ALL)
        for fusion in ("max", "rrf", "normalised")
    ]  # fmt: skip


@FAMILIES.register("weights")
def weights(start: Start) -> list[MemoryArm]:
    """The composite score: each term alone, each left out, all alike."""
    none = {f"weight_{term}": 0.0 for term in TERMS}
    alone = {term: {**none, f"weight_{term}": 1.0} for term in TERMS}
    uniform = {f"weight_{term}": 0.25 for term in TERMS}
    return [
        *(varied(start, f"{term}_alone", "weights", f"the score is {term}", changed)
          for term, changed in alone.items()),
        *(varied(start, f"without_{term}", "weights", f"the score without {term}",
                 {f"weight_{term}": 0.0}) for term in TERMS),
        varied(start, "weights_uniform", "weights", "all four terms weigh the same", uniform),
    ]  # fmt: skip


@FAMILIES.register("recency")
def recency(start: Start) -> list[MemoryArm]:
    """What recency counts from, and how it falls."""
    ways = {"accessed": {"recency_anchor": "accessed"}, "half_life": {"recency_shape": "half_life"}}
    both = ways["accessed"] | ways["half_life"]
    return [
        varied(start, "recency_accessed", "recency", "recency from the last access",
               ways["accessed"]),
        varied(start, "recency_half_life", "recency", "recency halves, and is never 0",
               ways["half_life"]),
        varied(start, "recency_accessed_half_life", "recency", "both", both),
    ]  # fmt: skip


@FAMILIES.register("decay")
def decay(start: Start) -> list[MemoryArm]:
    """Decay as a term of the score or not, and how fast it is."""
    told = {"none": "decay has no part in the score",
            "importance": "decay takes importance's place",
            "factor": "the score is × what decay has left"}  # fmt: skip
    own = start.rules
    return [
        *(varied(start, f"decay_{way}", "decay", about, {"decay_in_rank": way})
          for way, about in told.items() if way != own.decay_in_rank),
        *(varied(start, f"half_life_{days}d", "decay", f"half-life {days} days",
                 {"half_life_days": float(days)})
          for days in HALF_LIVES if days != own.half_life_days),
    ]  # fmt: skip


@FAMILIES.register("reinforcement")
def reinforcement(start: Start) -> list[MemoryArm]:
    """What an access is: nothing, what was returned, what of it was needed, what was needed."""
    told = {"off": "nothing is reinforced", "on": "what recall returned is reinforced",
            "outcome": "what recall returned and was needed is reinforced",
            "named": "what was needed is reinforced, returned or not"}  # fmt: skip
    return [
        varied(start, f"reinforcement_{way}", "reinforcement", about,
               {"reinforcement": "outcome" if way == "named" else way}, practice=way)
        for way, about in told.items() if way != start.rules.reinforcement
    ]  # fmt: skip


@FAMILIES.register("co_recall")
def co_recall(start: Start) -> list[MemoryArm]:
    """Edges between what is recalled together, as a causal walk sees them."""
    told = {"all_pairs": "all pairs of what was returned are linked",
            "outcome": "pairs of what was returned and needed are linked"}  # fmt: skip
    return [
        varied(start, f"co_recall_{way}", "co_recall", about, {"co_recall": way, "causal": "walk"},
               base="causal_walk", strategies=("causal",))
        for way, about in told.items()
    ]  # fmt: skip


@FAMILIES.register("forgetting")
def forgetting(start: Start) -> list[MemoryArm]:
    """Auto-forget once a day, for half-lives and thresholds.

    Each is compared with the reading of its half-life. Beside forgetting, its practice recalls rank
    by that half-life too, where the base of the other practises by the start's.
    """
    same = start.rules.half_life_days
    return [
        varied(start, f"forget_{days}d_{below:g}", "forgetting",
               f"forgets by itself: half-life {days} days, threshold {below:g}"
               + ("" if days == same else "; practice ranks by that half-life too"),
               {"half_life_days": float(days), "forget_below": below}, forgets=True,
               base=BASE if days == same else f"half_life_{days}d")
        for days in HALF_LIVES for below in THRESHOLDS
    ]  # fmt: skip


@FAMILIES.register("revisions")
def revisions(start: Start) -> list[MemoryArm]:
    """Edits of an agent's files as revisions of their memories."""
    told = {"new": "an edit makes a new memory that supersedes the old one",
            "in_place": "an edit rewrites the memory"}  # fmt: skip
    return [
        varied(start, f"revise_{way}", "revisions", about, {"revise": way}, revises=True)
        for way, about in told.items()
    ]


@FAMILIES.register("scope")
def scope(start: Start) -> list[MemoryArm]:
    """The entity's memories chosen before the best k, or of the best k × 4 after."""
    way, about = ("after", "the scope is filtered after the best k × oversampling")
    if start.rules.scope_filter == "after":
        way, about = "before", "the scope is filtered before the best k"
    return [varied(start, f"scope_{way}", "scope", about, {"scope_filter": way})]


@FAMILIES.register("systems")
def systems(start: Start) -> list[MemoryArm]:
    """The page's rules and the code's, with one strategy and with all; each lives by its own."""
    made = []
    for name, rules, about in (("documented", DOCUMENTED, "the page's rules"),
                               ("observed", OBSERVED, "the code's rules")):  # fmt: skip
        for ending, asked in (("", ("similarity",)), ("_all", ALL)):
            said = f"{about}, {'all four strategies' if ending else 'similarity'}"
            changed = {"start": name, "strategies": list(asked)}
            made.append(
                MemoryArm(f"{name}{ending}", "systems", BASE, rules, asked, start, changed=changed,
                          about=said, whole=True)
            )  # fmt: skip
    return made
