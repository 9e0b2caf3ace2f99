"""What becomes of memories: writing, revision, decay, forgetting."""

from __future__ import annotations

from dataclasses import dataclass

from hebb_lab.graph.switches import switch


@dataclass(frozen=True)
class LifecycleRules:
    """Switches of a memory's life. The defaults are the documented rules."""

    # writing
    durability: str = switch(
        "full",
        "a write is acknowledged when it is on the disk, or when the operating system has it",
        ("full", "normal"),
    )
    dangling_edges: str = switch(
        "refuse", "an edge to a memory that is not there is refused, or kept", ("refuse", "keep")
    )
    clock_back: str = switch(
        "refuse",
        "a time before the last write's is refused, or kept as it is (page: silent)",
        ("refuse", "keep"),
    )
    # revision
    revise: str = switch(
        "new",
        "a revision is a new memory and the old one stays as it was, or the same memory is"
        " rewritten and its old state gets a new id",
        ("new", "in_place"),
    )
    revise_context: str = switch(
        "merge", "a revision's context is laid over the old one, or replaces it",
        ("merge", "replace"),
    )  # fmt: skip
    revisions_kept: int | None = switch(
        None, "superseded states of a memory beyond so many are forgotten; null: all are kept"
    )
    # decay
    half_life_days: float = switch(30.0, "importance halves in so many days without an access")
    half_life_gain: float = switch(
        1.0, "half-life × (1 + this × importance) (page: the important decays more slowly)"
    )
    decay_anchor: str = switch(
        "accessed", "decay counts from the last access or from the writing",
        ("accessed", "created"),
    )  # fmt: skip
    count_in_decay: bool = switch(
        True,
        "decay score × (1 + log2(1 + n)/log2(1 + reinforcement_cap)), n accesses (page: silent)",
    )
    decay_epsilon: float = switch(0.001, "a sweep writes a score only where it moved by more")
    forget_below: float = switch(0.01, "a sweep flags memories whose decay score is lower")
    unflag: bool = switch(True, "a sweep takes the flag away from what is above the threshold")
    fresh_look: bool = switch(
        True, "auto-forget computes the score anew and spares what is above the threshold"
    )
    auto_forget_most: int | None = switch(
        None, "auto-forget forgets so many a call, the lowest first; null: all"
    )
    decay_superseded: bool = switch(True, "sweeps and auto-forget see superseded states too")
    # forgetting
    forget_most: int = switch(100_000, "forget by criteria: so many a call, then it is truncated")
    forget_revisions: bool = switch(True, "forgetting a memory forgets the states it superseded")
    forget_insights: str = switch(
        "forget",
        "insights from a forgotten memory are forgotten with it, marked stale, or left alone;"
        " an insight may quote its sources, so that only the first leaves nothing of their text"
        " (page: forgotten or marked)",
        ("forget", "mark", "keep"),
    )
    tombstone_days: float = switch(90.0, "tombstones older than this are collected")
    vacuum: bool = switch(True, "forgetting ends in a rewrite that gives free pages back")
