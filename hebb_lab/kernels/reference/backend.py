"""The reference back end: which function answers what."""

from __future__ import annotations

from hebb_lab.kernels.backend import Kernels, as_they_are
from hebb_lab.kernels.reference import likelihood, recall, replay, segments, sweep, walk


def kernels() -> Kernels:
    """Plain loops in float64."""
    return Kernels(
        device="cpu",
        precision="float64",
        place=as_they_are,
        replay=replay.replay,
        weights_at=sweep.weights_at,
        log_likelihood=likelihood.log_likelihood,
        spread=walk.spread,
        spread_rows=walk.spread_rows,
        personalised_pagerank=walk.personalised_pagerank,
        recall=recall.recall,
        segment_top_k=segments.segment_top_k,
        pair_counts=segments.pair_counts,
        intersect=segments.intersect,
        follow=segments.follow,
    )
