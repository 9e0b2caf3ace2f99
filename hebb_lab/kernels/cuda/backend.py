"""The CUDA back end: which function answers what."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hebb_lab.kernels.cuda import lists, recall, retention, traces
from hebb_lab.kernels.cuda.buffers import placed
from hebb_lab.kernels.cuda.launch import CupyLauncher
from hebb_lab.kernels.cuda.walks import Walks
from hebb_lab.kernels.interface import Kernels, PlainWalker

if TYPE_CHECKING:
    from hebb_lab.kernels.backend import Precision
    from hebb_lab.kernels.cuda.launch import Launcher


def kernels(precision: Precision, memory_bytes: int) -> Kernels:
    """CUDA C++ through CuPy, on torch's current CUDA device.

    Args:
        precision: of weights. Recurrences, sums of energies, products and likelihoods are computed
            in float64 under either.
        memory_bytes: what a walk may take beside its input and result.

    Raises:
        MissingExtraError: CuPy is not installed.
        ConfigError: no device that CuPy and torch can use.
    """
    return kernels_on(CupyLauncher(precision), memory_bytes)


def kernels_on(launcher: Launcher, memory_bytes: int) -> Kernels:
    """The same kernels, whatever compiles and starts them."""
    on: dict[str, Any] = {"launcher": launcher}
    kept: dict[str, Any] = {"launcher": launcher, "memory_bytes": memory_bytes}
    walks = Walks(launcher, memory_bytes)
    return Kernels(
        device=launcher.name,
        precision=launcher.precision,
        place=partial(placed, launcher),
        replay=partial(traces.replay, **on),
        weights_at=partial(traces.weights_at, **on),
        log_likelihood=partial(traces.log_likelihood, **on),
        replay_tangents=partial(traces.replay_tangents, **on),
        walk=partial(PlainWalker, walks.spread, walks.personalised_pagerank),
        spread_rows=walks.spread_rows,
        recall=partial(recall.recall, **kept),
        segment_top_k=partial(lists.segment_top_k, **kept),
        pair_counts=partial(lists.pair_counts, **kept),
        intersect=partial(lists.intersect, **on),
        follow=partial(lists.follow, **on),
        decay_scores=partial(retention.decay_scores, **on),
    )
