"""The cognitive graph's rules as data: each deviation of the code from its page is a switch.

Source: "Memory Hebbian" (Spector Memory), page and code as of the same week; rules.md §2. The
page is the default here; `hebb_lab.graph.cognitive.published` lists what the code turns. Where
the page is silent, the help of the switch says what was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.bounds import check_numbers
from hebb_lab.graph.switches import check_choices, checked, switch

PARTS = ("hebbian", "stdp", "chain", "entities", "hyperedges", "cross_capture")
"""The layers, as far as they can be switched on and off by themselves."""
RERANKERS = frozenset({"stdp"})
"""Layers that raise what direct search listed and add nothing: no gate holds them back."""
NULLS = ("shuffled", "constant", "empty")
UNUSED = "changes nothing here: kept for the list of deviations"


@dataclass(frozen=True)
class CognitiveRules:
    """One rule set of the cognitive graph. The defaults are the documented rules."""

    # layer 1: learning
    co_ingestion: str = switch(
        "session",
        "what strengthens an edge: all pairs of a session, the one before in the session, or the"
        " one before whatever its session",
        ("session", "previous_in_session", "previous"), 4,
    )  # fmt: skip
    session_window: int | None = switch(
        24, "session: pairs at most so far apart (page: silent; the degree cap); null: all"
    )
    hebbian_increment: float = switch(1.0, "Δw of one co-ingestion")
    degree_cap: int = switch(24, "neighbours a memory keeps")
    eviction_signals: str = switch(
        "six",
        "what an edge is worth: weight, recency, bridge, redundancy, arousal, Zeigarnik; the"
        " first four without redundancy; all nine",
        ("six", "structural", "nine"), 2,
    )  # fmt: skip
    eviction_at: str = switch(
        "cycle",
        "the cap is kept at each cycle, for both directions; or at insertion, for one",
        ("cycle", "insertion"), 2,
    )  # fmt: skip
    cycle_memories: int = switch(100, "memories written from one consolidation cycle to the next")
    hebbian_decay: float = switch(0.9, "weights × this at each cycle")
    hebbian_prune_below: float = switch(0.1, "a weaker edge is gone, or floored if a bridge")
    bridge_protect: int = switch(224, "from this bridge score (0 to 255) an edge is floored")
    bridge_score: str = switch(
        "exact",
        "effective resistance at weights of 1; sampled spanning trees (seeded); shared neighbours",
        ("exact", "trees", "heuristic"),
    )
    bridge_trees: int = switch(15, "spanning trees that are sampled")
    decay_modulator: str = switch(
        "none",
        "decay × a modulator of importance, arousal and valence: none, slowed within [0.5, 2], or"
        " multiplied as it is",
        ("none", "clamped", "unclamped"), 3,
    )  # fmt: skip
    # layer 1: recall
    walk: str = switch("bfs", "breadth first, or depth first as the code does", ("bfs", "dfs"), 1)
    hebbian_depth: int = switch(2, "hops")
    weight_scale: str = switch(
        "saturating",
        "from weight to activation: 1 − e^(−w/3), which is the page's example to 0.02; as it is;"
        " or w divided by the node's sum",
        ("saturating", "raw", "share"),
    )
    hebbian_gain: float = switch(0.3, "share of the seed's score")
    hebbian_score: str = switch(
        "seed_share",
        "gain × seed × activation; or the neighbour's own similarity + seed × min(w/5, 1) × gain",
        ("seed_share", "similarity_plus"), 5,
    )  # fmt: skip
    # layer 1b
    tag_counts_from: str = switch(
        "ingestion", "tags that are written, or that are listed by direct search, together",
        ("ingestion", "recall"), 14,
    )  # fmt: skip
    stdp_plus: float = switch(0.1, "A+: before → after")
    stdp_minus: float = switch(0.05, "A−: after → before")
    stdp_tau_seconds: float = switch(30.0, "τ of both")
    stdp_gain: float = switch(0.3, "score × (1 + gain × predictive strength)")
    # layer 2
    temporal_hops: int = switch(3, "steps forward and back")
    temporal_forward: float = switch(0.8, "share of the seed's score, forward")
    temporal_backward: float = switch(0.7, "and back")
    temporal_hop_decay: float = switch(1.0, "× this for each step after the first")
    temporal_score: str = switch(
        "seed_share", "share × seed; or the neighbour's own similarity + 0.2 × share × seed",
        ("seed_share", "similarity_plus_fifth"), 6,
    )  # fmt: skip
    temporal_links: str = switch(
        "session", "chains within a session, or across (one pointer for all)",
        ("session", "across"), 4,
    )  # fmt: skip
    retention_days: float | None = switch(None, "older nodes leave the chain; null: none does")
    # layer 3
    query_entities: str = switch(
        "query", "entities named in the query, or those of its best direct hit",
        ("query", "top_result"), 10,
    )  # fmt: skip
    entity_links: str = switch(
        "all", "of each entity, or of the first that a memory mentions", ("all", "subject")
    )
    mention_weight: float = switch(1.0, "first mention of an entity by a memory")
    mention_again: float = switch(0.2, "each further one (LTP)")
    mention_decay: float = switch(0.95, "links × this at each cycle (LTD)")
    mention_prune_below: float = switch(0.2, "a weaker link is gone")
    merge_distance: int = switch(2, "names at most so many edits apart are one; 0: never")
    merge_min_length: int = switch(5, "and at least so long (page: silent; code: none)")
    entity_hops: int = switch(2, "hops")
    entity_gain: float = switch(0.25, "share of the best score")
    entity_attenuation: str = switch(
        "per_hop", "× gain and fan factor for each hop, or once, the fan of the entity asked for",
        ("per_hop", "once"), 7,
    )  # fmt: skip
    entity_score: str = switch(
        "seed_share",
        "of entities and hyperedges: share × seed; or the neighbour's own similarity + that",
        ("seed_share", "similarity_plus"),
    )  # fmt: skip
    fan_factor: bool = switch(True, "× 1/√(memories of the entity)")
    entity_degree_cap: int = switch(48, "typed relations that an entity keeps", (), 18)
    hyperedge_min: int = switch(3, "fewest entities of a hyperedge", (), 11)
    hyperedge_max: int = switch(8, "most")
    hyperedge_cap: int = switch(64, "hyperedges that an entity takes part in")
    hyperedge_eviction: str = switch(
        "least_recently_used", "which goes when there are more", ("least_recently_used", "weakest"),
        11,
    )  # fmt: skip
    hyperedge_decay: float = switch(0.95, "weights × this at each cycle")
    hyperedge_prune_below: float = switch(0.2, "a weaker one is gone (page: silent; code: 0.5)")
    traversal: str = switch(
        "intersection",
        "hyperedges that hold most of the query's entities; or the union, depth first",
        ("intersection", "union"), 12,
    )  # fmt: skip
    # layer 4
    cross_gain: float = switch(0.25, "share of the best score")
    cross_tag_neighbours: int = switch(5, "co-occurring tags of each tag")
    cross_memories_per_tag: int = switch(10, "memories of each tag")
    # expansion
    gate: str = switch(
        "neighbour",
        "a neighbour needs activation ≥ threshold; or nothing is expanded if the best direct match"
        " is ≥ threshold; or neither",
        ("neighbour", "direct_match", "none"), 8,
    )  # fmt: skip
    gate_threshold: float = switch(0.7, "of the gate", (), 8)
    seed_count: int | None = switch(None, "how many seeds; null: every direct result", (), 9)
    seed_order: str = switch(
        "ranked", "the best, or the first written among the direct results", ("ranked", "written"),
        9,
    )  # fmt: skip
    paths: str = switch("max", "of several paths to a memory: the best, or the sum", ("max", "sum"))
    merge: str = switch("max", "of several layers: the best, or the sum", ("max", "sum"))
    existing: str = switch(
        "kept", "direct results that a layer finds too: as they are, or raised", ("kept", "raised")
    )
    merge_hebbian: float = switch(1.0, "energies of the layer × this when layers are merged")
    merge_stdp: float = switch(1.0, "the same")
    merge_chain: float = switch(1.0, "the same")
    merge_entities: float = switch(1.0, "the same")
    merge_hyperedges: float = switch(1.0, "the same")
    merge_cross_capture: float = switch(1.0, "the same")
    text_fusion: str = switch(
        "before",
        "BM25 joins before expansion; or after it, by rank (k = 60), which can push results out",
        ("before", "after"), 16,
    )  # fmt: skip
    arousal_slows_decay: bool = switch(True, "time decay × a modifier of arousal", (), 19)
    # what changes no ranking
    incidence: str = switch("stored", UNUSED, ("stored", "rebuilt"), 13)
    trace: str = switch("edges", "the exact edges, or the layer alone", ("edges", "metadata"), 15)
    file_format: str = switch("page", "of stored graphs", ("page", "container"), 17)
    layer_numbers: str = switch("figure", UNUSED, ("figure", "sections"), 20)
    nulls: tuple[str, ...] = switch((), "LAYER=shuffled, LAYER=constant, LAYER=empty")

    def __post_init__(self) -> None:
        check_choices(self, "cognitive.rules")
        check_numbers(asdict(self))
        for null in self.nulls:
            self._check_null(null)

    def _check_null(self, null: str) -> None:
        layer, _, kind = null.partition("=")
        if layer not in PARTS or kind not in NULLS:
            raise ConfigError(
                f"cognitive.rules.nulls: '{null}' is no null model",
                f"Write LAYER=KIND: {', '.join(PARTS)}; {', '.join(NULLS)}",
            )

    def null_of(self, layer: str) -> str:
        """The null model that stands for a layer; empty where the layer is itself.

        >>> CognitiveRules(nulls=("chain=empty",)).null_of("chain")
        'empty'
        """
        return next((n.partition("=")[2] for n in self.nulls if n.startswith(f"{layer}=")), "")

    def least_activation(self) -> float:
        """What a neighbour's activation must reach: the threshold where the gate is on neighbours.

        Compare in float64 against this, so that 0.7 reaches 0.7.
        """
        return self.gate_threshold - 1e-9 if self.gate == "neighbour" else 0.0

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> CognitiveRules:
        """Rules from a config; an unknown name is an error that lists the names.

        Raises:
            ConfigError: an unknown switch, a wrong choice, a bad number.
        """
        return cls(**checked(cls, values, "cognitive.rules"))

    def change(self, **switches: Any) -> CognitiveRules:
        """The same rules with some switches set otherwise."""
        return CognitiveRules.from_mapping({**asdict(self), **switches})
