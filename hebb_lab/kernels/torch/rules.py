"""The rules of K traces as tensors: what replay and walks read, with their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from hebb_lab.kernels.arrays import on_host

if TYPE_CHECKING:
    from torch import Tensor

    from hebb_lab.kernels.parameters import TraceArrays

MOST = 2**31 - 1  # counts are int32
BY_NAMESPACE = ("default_days", "low_days", "floor_holds")
FLOATS = {
    "learning_rate", "strength_max", "weight_cap", "npmi_min", "default_days", "low_days",
    "high_days", "floor", "prune_below",
}  # fmt: skip


class TraceRules(NamedTuple):
    """The rules of K traces as tensors, [1, K], or [1, 1] where all traces agree.

    Those that depend on the namespace are [n, K], one row an edge, once ``of`` has chosen.
    """

    learning_rate: Tensor
    strength_max: Tensor
    weight_cap: Tensor
    inverse_size: Tensor
    npmi_min: Tensor
    decay_before: Tensor
    half_life_mode: Tensor
    default_days: Tensor
    low_days: Tensor
    high_days: Tensor
    compounding: Tensor
    interval_us: Tensor
    potentiation_count: Tensor
    floor: Tensor
    floor_holds: Tensor
    floor_lifts: Tensor
    prune_below: Tensor
    modes: frozenset[int]  # half-life modes of any trace
    passes: tuple[bool, bool]  # whether any trace decays continuously, by compounding passes
    always_decays: bool  # before each reinforcement, in all traces
    lifts: bool  # whether any floor does
    shares: bool  # whether any trace divides what an event teaches
    prunes: bool  # whether any trace does
    holds: bool  # whether floors hold in all namespaces of all traces
    least_count: int  # of reinforcements, at which any trace potentiates

    def hang_on_namespace(self) -> bool:
        """Whether any rule differs between namespaces."""
        return any(len(getattr(self, name)) > 1 for name in BY_NAMESPACE)

    def of(self, namespace: Tensor) -> TraceRules:
        """The same rules for edges in these namespaces, [n]."""
        tables = {name: getattr(self, name) for name in BY_NAMESPACE}
        rows = {name: part[namespace] for name, part in tables.items() if len(part) > 1}
        return self._replace(**rows)

    def first(self, n: int) -> TraceRules:
        """Of the first n edges, once ``of`` has chosen."""
        tables = {name: getattr(self, name) for name in BY_NAMESPACE}
        cut = {name: table[:n] for name, table in tables.items() if len(table) > 1}
        return self._replace(**cut) if cut else self


def as_tensor(value: Any, device: torch.device, dtype: torch.dtype | None = None) -> Tensor:
    """A tensor on the device, no needless copy; one that carries a gradient still does."""
    if isinstance(value, np.ndarray):
        value = torch.from_numpy(value if value.flags.writeable else value.copy())
    tensor: Tensor = torch.as_tensor(value).to(device=device, dtype=dtype)
    return tensor


def trace_rules(traces: TraceArrays, device: torch.device, dtype: torch.dtype) -> TraceRules:
    """The rules as tensors; those that require a gradient keep it."""
    host = on_host(traces)
    made: dict[str, Any] = {}
    for name, value in traces._asdict().items():
        if name != "window_max":
            made[name] = _narrow(name, value, device, dtype)
    # an edge that lives has at least one reinforcement
    made["potentiation_count"] = made["potentiation_count"].clamp(1, MOST).to(torch.int32)
    return TraceRules(
        **made,
        modes=frozenset(host.half_life_mode.tolist()),
        passes=(bool((~host.compounding).any()), bool(host.compounding.any())),
        always_decays=bool((host.decay_before | host.compounding).all()),
        lifts=bool(host.floor_lifts.any()),
        shares=bool(host.inverse_size.any()),
        prunes=bool((host.prune_below > 0).any()),
        holds=bool(host.floor_holds.all()),
        least_count=int(host.potentiation_count.min(initial=MOST)),
    )


def _narrow(name: str, value: Any, device: torch.device, dtype: torch.dtype) -> Tensor:
    """[1, K] or [S, K]; one column or row of it where they are all the same."""
    tensor = as_tensor(value, device, dtype if name in FLOATS else None)
    tensor = tensor.T if name in BY_NAMESPACE else tensor[None]
    return distinct_rows(distinct_rows(tensor).T).T.contiguous()


def distinct_rows(table: Tensor) -> Tensor:
    """The first row alone where all are the same, and none requires a gradient."""
    same = not table.requires_grad and bool((table == table[:1]).all())
    return table[:1] if same else table


def requires_grad(*values: Any) -> bool:
    """Whether a gradient is to be carried through any of these, which may be tuples."""
    flat = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return torch.is_grad_enabled() and any(
        isinstance(part, torch.Tensor) and part.requires_grad for part in flat
    )
