"""How memories are recalled: strategies, scope, fusion, score, reinforcement."""

from __future__ import annotations

from dataclasses import dataclass

from hebb_lab.graph.switches import switch


@dataclass(frozen=True)
class RecallRules:
    """Switches of recall. The defaults are the documented rules."""

    # what is searched
    index: str = switch(
        "exact", "all vectors, or an HNSW graph over them (page: no promise)", ("exact", "hnsw")
    )
    hnsw_neighbours: int = switch(16, "M of the HNSW graph, twice that in its lowest layer")
    hnsw_construction: int = switch(200, "candidates while the HNSW graph is built")
    hnsw_search: int = switch(50, "candidates of an HNSW search, at least as many as are wanted")
    scope_filter: str = switch(
        "before",
        "an entity's memories are chosen before the best k, or of the best k × oversampling after",
        ("before", "after"),
    )
    scope_oversampling: int = switch(4, "scope_filter=after: so many times k are fetched")
    unscoped_shared: bool = switch(
        True, "a memory without an entity is seen from every entity (page: silent; later docs: yes)"
    )
    superseded_recalled: bool = switch(False, "recall also finds what a revision has superseded")
    # strategies
    temporal_needs_entity: bool = switch(False, "temporal recall without an entity is an error")
    causal: str = switch(
        "walk",
        "causal recall: a walk over edges, nearest to seed ± the learned offset of an edge kind,"
        " or both (the better relevance counts)",
        ("walk", "offset", "both"),
    )
    causal_direction: str = switch(
        "both", "edges are followed along, against, or both ways", ("both", "forward", "backward")
    )
    causal_depth: int = switch(5, "edges that a walk follows at most; 10 at most")
    causal_distance: str = switch(
        "inverse",
        "relevance of a memory d edges away: 1/d, or 1 − d/depth (page: graph distance)",
        ("inverse", "linear"),
    )
    causal_recency: float = switch(
        0.2, "share of recency in a walk's relevance (page: distance and recency, no number)"
    )
    edge_confidence: bool = switch(True, "a walk's relevance is × the confidence of each edge")
    weight_caused_by: float = switch(1.0, "a walk's relevance × this for each CausedBy edge")
    weight_related_to: float = switch(1.0, "the same of RelatedTo")
    weight_followed_by: float = switch(1.0, "the same of FollowedBy")
    weight_revised_from: float = switch(1.0, "the same of RevisedFrom")
    weight_insight_from: float = switch(1.0, "the same of InsightFrom")
    offset_rate: float = switch(
        0.1,
        "o ← norm(o + rate × (target − source)), for each CausedBy, RelatedTo and FollowedBy in the"
        " order of writing",
    )
    offset_scope: str = switch(
        "global", "one offset per edge kind, or per edge kind and entity", ("global", "entity")
    )
    offset_order: str = switch(
        "best",
        "a memory found through several kinds counts its best relevance, or that of the first"
        " kind that found it",
        ("best", "first"),
    )
    offset_untaught: str = switch(
        "nothing",
        "an edge kind without an offset finds nothing, or what is similar to the seed",
        ("nothing", "similar"),
    )
    analogy: str = switch(
        "graph",
        "structure is compared by the kinds of edges around a memory, or by its context's keys",
        ("graph", "context"),
    )
    analogy_blend: float = switch(0.5, "share of the cosine, the rest is structure")
    analogy_candidates: int = switch(3, "so many times k, and at least 30, are compared")
    analogy_kind_entity: str = switch(
        "compared",
        "analogy=context: kind and entity are compared, or count 1.0 and 0.5 for all",
        ("compared", "constant"),
    )
    analogy_empty: float = switch(0.15, "analogy=context: structure of two empty contexts")
    # fusion and score
    fusion: str = switch(
        "max",
        "several strategies: the best relevance, reciprocal ranks, or relevances normalised to"
        " [0, 1] in each list and averaged",
        ("max", "rrf", "normalised"),
    )
    fusion_rrf_k: float = switch(60.0, "k of reciprocal rank fusion")
    weight_relevance: float = switch(0.5, "score: share of relevance")
    weight_recency: float = switch(0.2, "score: share of recency")
    weight_importance: float = switch(0.2, "score: share of importance")
    weight_reinforcement: float = switch(0.1, "score: share of log2(1 + n)/log2(1 + cap)")
    recency_anchor: str = switch(
        "created", "recency counts from the writing or the last access", ("created", "accessed")
    )
    recency_shape: str = switch(
        "linear", "recency falls in a line to 0 at recency_days, or halves every recency_days",
        ("linear", "half_life"),
    )  # fmt: skip
    recency_days: float = switch(30.0, "the age that recency counts by; 0: recency is 1")
    decay_in_rank: str = switch(
        "importance",
        "decay stays out of the score, stands for importance in it, or the score is × the share"
        " that decay has left (page: importance decays)",
        ("none", "importance", "factor"),
    )
    reinforcement_cap: int = switch(100, "accesses beyond this count no more; 0: none counts")
    # what recall does to what it returns
    reinforcement: str = switch(
        "on",
        "recall reinforces what it returns, nothing, or only what an outcome names afterwards",
        ("off", "on", "outcome"),
    )
    count_gain: bool = switch(True, "an access adds 1 to the count of accesses")
    access_moves_clock: bool = switch(True, "an access sets the time of the last access")
    importance_boost: float = switch(
        0.05, "an access: importance += this × (1 − importance) (page: bounded, no number)"
    )
    co_recall: str = switch(
        "off",
        "what is returned together is linked by RelatedTo: never, all pairs, or only pairs that"
        " an outcome names",
        ("off", "all_pairs", "outcome"),
    )
    co_recall_first: int = switch(5, "co_recall: the best so many are linked")
    co_recall_rate: float = switch(0.1, "co_recall: confidence += this × (1 − confidence)")
