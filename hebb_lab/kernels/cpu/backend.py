"""The back end for the processor: which function answers what."""

from __future__ import annotations

import logging
from functools import cache, partial
from typing import TYPE_CHECKING

from hebb_lab.kernels.cpu import likelihood, recall, segments, sweep
from hebb_lab.kernels.cpu.compile import is_compiled
from hebb_lab.kernels.cpu.traces import replay, retention, tangents
from hebb_lab.kernels.cpu.walks import standing, travel
from hebb_lab.kernels.cpu.walks.walker import PreparedWalker
from hebb_lab.kernels.interface import Kernels, as_they_are

if TYPE_CHECKING:
    from hebb_lab.kernels.backend import Precision

log = logging.getLogger(__name__)


def kernels(precision: Precision, memory_bytes: int) -> Kernels:
    """Compiled by numba, in as many threads as numba may use."""
    _tell_of_compiling()
    return Kernels(
        device="cpu",
        precision=precision,
        place=as_they_are,
        replay=partial(replay.replay, precision=precision),
        weights_at=partial(sweep.weights_at, precision=precision),
        log_likelihood=likelihood.log_likelihood,
        replay_tangents=tangents.replay_tangents,
        walk=partial(PreparedWalker, memory_bytes=memory_bytes),
        spread_rows=partial(standing.spread_rows, memory_bytes=memory_bytes),
        recall=recall.recall,
        segment_top_k=segments.segment_top_k,
        pair_counts=segments.pair_counts,
        intersect=segments.intersect,
        follow=segments.follow,
        decay_scores=retention.decay_scores,
    )


@cache
def _tell_of_compiling() -> None:
    """Say once a process that the first walks take longer, where they do."""
    if not is_compiled(travel.travel):
        log.info("kernels: compiled now, once for this machine; each takes some seconds")
