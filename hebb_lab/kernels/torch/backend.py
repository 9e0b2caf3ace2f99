"""The torch back end: which function answers what."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import torch

from hebb_lab.errors import ConfigError
from hebb_lab.kernels.interface import Kernels, PlainWalker, copied_into
from hebb_lab.kernels.torch import pagerank, recall, retention, segments, walk
from hebb_lab.kernels.torch.rules import as_tensor
from hebb_lab.kernels.torch.traces import fused, replay, tangents

if TYPE_CHECKING:
    from typing import Any

    from hebb_lab.kernels.backend import Precision


def kernels(precision: Precision, memory_bytes: int, device: str = "auto") -> Kernels:
    """Tensor operations on one device.

    Args:
        precision: of weights and energies. Replay computes in it too.
        memory_bytes: what a walk may take beside its input and result.
        device: ``cpu``, ``cuda``, or ``auto``: cuda where torch has a device.

    Raises:
        ConfigError: cuda where torch has no device.
    """
    place = _device(device)
    dtype = torch.float64 if precision == "float64" else torch.float32
    walks: dict[str, Any] = {"device": place, "dtype": dtype, "memory_bytes": memory_bytes}
    on: dict[str, Any] = {"device": place}
    kept: dict[str, Any] = {"device": place, "memory_bytes": memory_bytes}
    return Kernels(
        device=_name(place),
        precision=precision,
        place=partial(_placed, device=place),
        replay=copied_into(partial(replay.replay, device=place, dtype=dtype)),
        weights_at=partial(fused.weights_at, **walks),
        log_likelihood=partial(fused.log_likelihood, **on),
        replay_tangents=partial(tangents.replay_tangents, **on),
        walk=partial(
            PlainWalker,
            partial(walk.spread, **walks),
            partial(pagerank.personalised_pagerank, **walks),
        ),
        spread_rows=partial(walk.spread_rows, **kept),
        recall=partial(recall.recall, **kept),
        segment_top_k=partial(segments.segment_top_k, **on),
        pair_counts=partial(segments.pair_counts, **kept),
        intersect=partial(segments.intersect, **kept),
        follow=partial(segments.follow, **on),
        decay_scores=partial(retention.decay_scores, **on),
    )


def _device(name: str) -> torch.device:
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError(
            "runtime.device=cuda, and torch has no CUDA device",
            "Set runtime.device=cpu, or install a CUDA build of torch where there is a device",
        )
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda":
        return torch.device("cuda", torch.cuda.current_device())
    return torch.device(name)


def _name(device: torch.device) -> str:
    if device.type != "cuda":
        return device.type
    return f"{device} ({torch.cuda.get_device_name(device)})"


def _placed(arrays: Any, device: torch.device) -> Any:
    return type(arrays)(*(as_tensor(part, device) for part in arrays))
