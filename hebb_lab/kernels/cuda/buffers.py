"""What the kernels read and write, as tensors on their device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch

from hebb_lab.kernels.arrays import Found, as_numpy, on_host

if TYPE_CHECKING:
    from torch import Tensor

    from hebb_lab.kernels.arrays import GraphArrays, QueryArrays
    from hebb_lab.kernels.cuda.launch import Launcher
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

Tuple = TypeVar("Tuple", bound=tuple[Any, ...])
EXACT = 2**53  # whole numbers are exact in a double up to here


class Zeros:
    """Zeros that a walk works in and leaves as zeros, kept for the next walk.

    To set them anew costs more than a short walk through a large graph.
    """

    def __init__(self) -> None:
        self._kept: list[Tensor] = []

    def take(self, launcher: Launcher, count: int) -> Tensor:
        """[≥ count] float64; nobody else has them until they are given back."""
        try:
            kept = self._kept.pop()
            if kept.numel() >= count:
                return kept
            del kept  # before more is asked for
        except IndexError:
            pass  # the first walk, or another one is under way
        return torch.zeros(count, dtype=torch.float64, device=launcher.device)

    def give_back(self, zeros: Tensor) -> None:
        """After a walk whose results have been read, so that it is over."""
        self._kept[:] = [zeros]


def on_device(launcher: Launcher, value: Any, dtype: torch.dtype | None = None) -> Tensor:
    """A contiguous tensor where the kernels read it, no needless copy."""
    if isinstance(value, np.ndarray):
        whole = np.ascontiguousarray(value)
        value = torch.from_numpy(whole if whole.flags.writeable else whole.copy())
    tensor: Tensor = torch.as_tensor(value).to(device=launcher.device, dtype=dtype)
    return tensor.contiguous()


def placed(launcher: Launcher, arrays: Tuple) -> Tuple:
    """A named tuple of arrays with tensors on the device."""
    return type(arrays)(*(on_device(launcher, part) for part in arrays))


def real(launcher: Launcher) -> torch.dtype:
    """REAL: the type of weights."""
    return torch.float64 if launcher.precision == "float64" else torch.float32


def rule_table(launcher: Launcher, traces: TraceArrays) -> Tensor:
    """The rules as one table [18, S, K] of doubles, in the order of TraceArrays."""
    host = on_host(traces)
    shape = host.default_days.shape  # [K, S]
    wide = [part if part.ndim == 2 else np.broadcast_to(part[:, None], shape) for part in host]
    exact = [np.minimum(part, EXACT) if part.dtype.kind == "i" else part for part in wide]
    table = np.stack([part.astype(np.float64) for part in exact])
    return on_device(launcher, table.transpose(0, 2, 1))


def read_arguments(launcher: Launcher, reads: ReadArrays) -> list[Tensor]:
    """hops, spread_decay, hub_degree, source_row, frontier: READ_PARAMETERS of spread.cuh."""
    return [
        on_device(launcher, reads.hops, torch.int64),
        on_device(launcher, reads.spread_decay, torch.float64),
        on_device(launcher, reads.hub_degree, torch.float64),
        on_device(launcher, reads.source_row, torch.uint8),
        on_device(launcher, reads.frontier, torch.int64),
    ]


def mix_arguments(launcher: Launcher, reads: ReadArrays) -> list[Tensor]:
    """trace_first, trace_stop, mix, read_weight: which traces a configuration reads, and how."""
    return [
        on_device(launcher, reads.trace_first, torch.int64),
        on_device(launcher, reads.trace_stop, torch.int64),
        on_device(launcher, reads.mix, torch.float64),
        on_device(launcher, reads.read_weight, torch.float64),
    ]


def query_arguments(launcher: Launcher, queries: QueryArrays) -> list[Tensor]:
    """QUERY_PARAMETERS of spread.cuh."""
    return [on_device(launcher, part) for part in queries]


def event_arguments(launcher: Launcher, graph: GraphArrays) -> list[Tensor]:
    """What replay reads of the graph, and its edges with most events first."""
    pointer = on_device(launcher, graph.event_ptr)
    order = torch.argsort(pointer.diff(), descending=True, stable=True).to(torch.int32)
    parts = (graph.time, graph.strength, graph.size, graph.npmi, graph.namespace)
    return [pointer, *(on_device(launcher, part) for part in parts), order]


def nothing_yet(launcher: Launcher, configs: int, queries: int, k: int) -> tuple[Tensor, ...]:
    """ids, scores and edges that a kernel of walks fills."""
    shape, where = (configs, queries, k), launcher.device
    return (
        torch.empty(shape, dtype=torch.int32, device=where),
        torch.empty(shape, dtype=torch.float32, device=where),
        torch.empty(shape[:2], dtype=torch.int64, device=where),
    )


def as_found(parts: tuple[Tensor, ...]) -> Found:
    """The results on the host."""
    return Found(*(as_numpy(part) for part in parts))
