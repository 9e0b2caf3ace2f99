"""Which implementation runs: one signature, several back ends, chosen in one place."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.kernels.arrays import ReplayState

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Backend:
    """What every back end offers, for C configurations and Q queries at once.

    Args:
        name: as a config names it.
        replay: (graph, traces) → all weights after each event, [K, M].
        spread: (graph, state, traces, reads, queries, k) → ids and scores [C, Q, k], edges [C, Q].
        personalised_pagerank: the same for the random walk with restart.
    """

    name: str
    replay: Callable[..., ReplayState]
    spread: Callable[..., tuple[Any, Any, Any]]
    personalised_pagerank: Callable[..., tuple[Any, Any, Any]]


BACKENDS: Registry[Callable[[], Backend]] = Registry("back end")


@BACKENDS.register("cpu")
def cpu() -> Backend:
    """Compiled for the processor by numba, parallel over edges and over queries."""
    from hebb_lab.kernels import cpu_pagerank, cpu_replay, cpu_spread

    return Backend("cpu", cpu_replay.replay, cpu_spread.spread, cpu_pagerank.personalised_pagerank)


@BACKENDS.register("reference")
def reference() -> Backend:
    """Plain loops in float64: the meaning. For tests and small logs."""
    from hebb_lab.kernels import reference_replay, reference_walk

    return Backend(
        "reference",
        reference_replay.replay,
        reference_walk.spread,
        reference_walk.personalised_pagerank,
    )


def choose_backend(backend: str = "auto", device: str = "auto") -> Backend:
    """The back end of that name; ``auto`` takes the fastest that runs here and says so.

    Raises:
        ConfigError: an unknown name, or a device that no back end of this version runs on.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ConfigError(f"unknown runtime.device '{device}'", "Use auto, cpu or cuda")
    if device == "cuda":
        raise ConfigError(
            "runtime.device=cuda: replay and spreading have no CUDA back end in this version",
            "Set runtime.device=auto",
        )
    if backend == "auto":
        log.info("runtime.backend=auto: replay and spreading run on the processor (cpu)")
        return BACKENDS["cpu"]()
    return BACKENDS[backend]()
