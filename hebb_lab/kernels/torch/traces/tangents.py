"""Replay of one trace with half-lives of its own after each event, and derivatives.

The weights come from the one replay by ordinal, so that gradients flow back through them. Forward,
what an event makes of a derivative is a share of the one before and a share of the features of the
half-life in force; the shares of all events are worked out at once, since they hang on the weights
alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import torch

from hebb_lab.kernels.arrays import GraphArrays, ReplayState, Tangents
from hebb_lab.kernels.parameters import LEAST_DAYS, TraceArrays
from hebb_lab.kernels.torch.decay import DAY_US
from hebb_lab.kernels.torch.rules import as_tensor, requires_grad
from hebb_lab.kernels.torch.traces.log import Log, log_of
from hebb_lab.kernels.torch.traces.replay import stored

if TYPE_CHECKING:
    from torch import Tensor

LN2 = math.log(2.0)


class Shares(NamedTuple):
    """What a derivative keeps of the slope before and takes of the features, [M, 1] each."""

    slope: Tensor
    feature: Tensor


def replay_tangents(
    graph: GraphArrays, traces: TraceArrays, half_life_days: Any, features: Any, *,
    device: torch.device,
) -> Tangents:  # fmt: skip
    """One trace's state after each event; see Backend.replay_tangents. Tensors on the device."""
    dtype, grows = torch.float64, requires_grad(tuple(traces), half_life_days)
    days = as_tensor(half_life_days, device, dtype).clamp(min=LEAST_DAYS)
    log = log_of(graph, traces, device, dtype, grows, days)
    state = stored(log, True, grows)
    with torch.no_grad():
        slopes = _slopes(log, state, as_tensor(features, device, dtype))
    parts: Any = state.weight, state.reinforcements, state.before
    weight, reinforcements, before = (part[:, 0] for part in parts)  # K = 1
    of_weight, of_before = (cast(Any, each) for each in slopes)
    return Tangents(weight, reinforcements, before, of_weight, of_before)


def _slopes(log: Log, state: ReplayState, features: Tensor) -> tuple[Tensor, Tensor]:
    """The derivatives of the weight after each event and of the weight that it found, [M, P]."""
    after = torch.zeros_like(features)
    if features.numel() == 0:
        return after, after.clone()
    last = _last(log)
    at = last.clamp(min=0)
    found, kept = _shares(log, state, last)
    taken = features[at]
    by_feature = kept.feature * taken
    first = log.facts.event_ptr[log.order]
    for ordinal in range(1, int(log.events[0])):
        n = int(np.searchsorted(-log.events, -ordinal))  # edges with more events than that
        event = first[:n] + ordinal
        after[event] = kept.slope[event] * after[at[event]] + by_feature[event]
    return after, found.slope * after[at] + found.feature * taken


def _last(log: Log) -> Tensor:
    """[M] the newest event of the same edge before each that the gate admits, −1 for none."""
    facts = log.facts
    event = torch.arange(len(facts.time), device=facts.time.device)
    before = event - 1
    if facts.state is not None:
        before = facts.state[before.clamp(min=0), 0]
    return torch.where(event > facts.event_ptr[facts.edge_of], before, -1)


def _shares(log: Log, state: ReplayState, last: Tensor) -> tuple[Shares, Shares]:
    """The shares of what each event found, and of the weight after it.

    Read off the weights: which bound held is seen by where they stand.
    """
    whole: Any = state
    facts, at, days = log.facts, last.clamp(min=0), log.half_life_days
    assert days is not None  # noqa: S101 - log_of was handed them
    rules = log.rules.of(facts.namespace[facts.edge_of])
    known = (last >= 0)[:, None]
    weight, count = whole.weight[at], whole.reinforcements[at]
    times = ((facts.time - facts.time[at]).to(torch.float64) / DAY_US / days[at])[:, None]
    holds = (count >= rules.potentiation_count) & rules.floor_holds
    stands = holds & (weight < rules.floor) & ~rules.floor_lifts
    bound = holds & (whole.before <= rules.floor)
    loose = known & ~bound & (whole.before > 0)
    left = torch.exp2(-times)
    found = Shares(
        torch.where(loose, left, (known & stands).to(left.dtype)),
        torch.where(loose, whole.before * LN2 * times, 0.0),
    )
    teaches = (log.strength >= 0)[:, None]
    lived = whole.reinforcements > teaches.to(torch.int32)  # a newborn has one reinforcement
    free = known & lived & (whole.weight > 0) & (whole.weight < rules.weight_cap)
    late = teaches & ~rules.decay_before
    return found, Shares(
        torch.where(late, 1.0, found.slope) * free, torch.where(late, 0.0, found.feature) * free
    )
