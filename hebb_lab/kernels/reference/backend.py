"""The reference back end: which function answers what."""

from __future__ import annotations

from functools import partial

from hebb_lab.kernels.interface import Kernels, PlainWalker, as_they_are
from hebb_lab.kernels.reference import (
    likelihood,
    recall,
    replay,
    retention,
    segments,
    sweep,
    tangents,
    walk,
)  # fmt: skip


def kernels() -> Kernels:
    """Plain loops in float64."""
    return Kernels(
        device="cpu",
        precision="float64",
        place=as_they_are,
        replay=replay.replay,
        weights_at=sweep.weights_at,
        log_likelihood=likelihood.log_likelihood,
        replay_tangents=tangents.replay_tangents,
        walk=partial(PlainWalker, walk.spread, walk.personalised_pagerank),
        spread_rows=walk.spread_rows,
        recall=recall.recall,
        segment_top_k=segments.segment_top_k,
        pair_counts=segments.pair_counts,
        intersect=segments.intersect,
        follow=segments.follow,
        decay_scores=retention.decay_scores,
    )
