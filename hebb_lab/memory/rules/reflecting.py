"""Reflection and subscription."""

from __future__ import annotations

from dataclasses import dataclass

from hebb_lab.graph.switches import switch


@dataclass(frozen=True)
class ReflectionRules:
    """Switches of reflection and subscription. The defaults are the documented rules."""

    # reflection
    clustering: str = switch(
        "kmeans",
        "spherical k-means, k by the best mean silhouette; or HDBSCAN",
        ("kmeans", "hdbscan"),
    )
    reflect_least: int = switch(5, "fewer new episodes are not reflected on")
    reflect_most: int = switch(500, "episodes of one reflection, the oldest first")
    cluster_least: int = switch(3, "a smaller cluster gives no insight")
    clusters_most: int = switch(50, "clusters, and at most the root of the number of episodes")
    cluster_iterations: int = switch(50, "rounds of k-means")
    cluster_seed: int = switch(42, "of k-means and of the sample for the silhouette")
    silhouette_sample: int = switch(500, "episodes whose silhouette is computed")
    reflect_superseded: bool = switch(False, "superseded states are reflected on")
    reflect_cursor: str = switch(
        "success",
        "an episode whose cluster failed is seen again, or never",
        ("success", "always"),
    )
    insight_weight: float = switch(
        0.7, "an insight's importance: this × mean of its sources + the rest × confidence"
    )
    insight_source_gain: bool = switch(False, "+ ln(1 + sources)/10, then at most 1")
    insight_stale: bool = switch(True, "an insight is marked stale when a source is revised")
    stale_recalled: bool = switch(True, "recall finds insights that are marked stale")
    insights_sorted: str = switch(
        "before", "insights are sorted by importance before or after the cut", ("before", "after")
    )
    # subscription
    push_threshold: float = switch(0.6, "a memory is pushed from this cosine on")
    push_candidates: int = switch(5, "memories that one piece of the stream may push")
    push_keywords: bool = switch(
        False, "a piece without a word of any memory in scope (Bloom filter) is not looked up"
    )
    push_centroid: float = switch(
        -1.0, "a piece below this cosine to the scope's mean is not looked up; −1: all are",
        signed=True,
    )  # fmt: skip
    push_scope: str = switch(
        "before", "scope and kinds are filtered before or after the candidates are cut",
        ("before", "after"),
    )  # fmt: skip
    push_again_days: float | None = switch(
        None, "a memory is pushed again after so many days; null: never again"
    )
    push_queue: int = switch(100, "pushes that wait; then the oldest is dropped and counted")
    flush_tokens: int = switch(15, "text of a stream is looked up after so many words")
    flush_ms: float = switch(500.0, "or so many ms after the first of them, from 3 words on")
