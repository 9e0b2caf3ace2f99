"""A graph's events and the rules that they are replayed under; what one step of replay gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from hebb_lab.kernels.arrays import GraphArrays, as_numpy
from hebb_lab.kernels.parameters import LEARNED_OBSERVED, TraceArrays
from hebb_lab.kernels.torch.as_of import Facts, facts_of
from hebb_lab.kernels.torch.rules import TraceRules, as_tensor, trace_rules

if TYPE_CHECKING:
    from torch import Tensor

WHOLE = {torch.float32: 2**24, torch.float64: 2**53}  # up to these every whole number is exact


class Carry(NamedTuple):
    """State of n edges, [n, K]. reinforced: int32, 0 where there is no edge. born: µs.

    half_life and born are None where no trace fixes half-lives at reinforcement.
    """

    weight: Tensor
    reinforced: Tensor
    half_life: Tensor | None
    born: Tensor | None

    def first(self, n: int) -> Carry:
        """Of the first n edges."""
        parts: Any = [None if part is None else part[:n] for part in self]
        return Carry(*parts)


class Step(NamedTuple):
    """Some events, what each found [n, K], and the state after it; all lasts until the next step.

    An edge's events come in order, and in one step or in several.

    told: [n, 1] or [n, K], the traces whose gate admits the event; None: all.
    known: [n, K], where there is an edge before the event, or would be after it if every gate
        admitted it; None where no trace fixes half-lives at reinforcement.
    """

    edge: Tensor
    event: Tensor
    before: Tensor
    after: Carry
    told: Tensor | None
    known: Tensor | None


class Log(NamedTuple):
    """A graph's events and the rules that they are replayed under.

    order: [E] edges by number of events, most first. events: [E] numbers of events, on the host.
    plain: whether an event's effect hangs on nothing but the edge's weight and count, and every
        event teaches every trace; see ``plain.steps``.
    """

    facts: Facts
    rules: TraceRules
    strength: Tensor
    size: Tensor
    npmi: Tensor
    order: Tensor
    events: np.ndarray
    weakens: bool
    gates_new: bool
    traces: int
    plain: bool
    half_life_days: Tensor | None  # [M] in force after each event, in place of the rules'; or None

    def gain(self, rules: TraceRules, event: Tensor) -> Tensor:
        """What each event adds to a weight, [n, 1] or [n, K]."""
        strength = self.strength[event][:, None]
        gain = rules.learning_rate * torch.minimum(strength, rules.strength_max)
        if rules.shares:
            shared = gain / (self.size[event][:, None] - 1).clamp(min=1)
            gain = torch.where(rules.inverse_size, shared, gain)
        return gain


def log_of(
    graph: GraphArrays, traces: TraceArrays, device: torch.device, dtype: torch.dtype,
    carries_gradient: bool, half_life_days: Tensor | None = None,
) -> Log:  # fmt: skip
    """The log as tensors, its edges in order."""
    facts, rules = (
        facts_of(graph, as_numpy(traces.window_max), device), trace_rules(traces, device, dtype)
    )  # fmt: skip
    counts = np.diff(as_numpy(graph.event_ptr))
    order = np.argsort(-counts, kind="stable")
    gates_new = bool((as_numpy(traces.npmi_min) > -np.inf).any())
    every = facts.state is None and facts.active is None and not gates_new
    simple = rules.always_decays and not rules.passes[1] and not rules.lifts
    longest = int(counts.max()) if len(counts) else 0
    return Log(
        facts, rules, as_tensor(graph.strength, device, dtype),
        as_tensor(graph.size, device, dtype), as_tensor(graph.npmi, device, dtype),
        as_tensor(order, device), counts[order], facts.active is not None, gates_new,
        len(traces.window_max),
        every and simple and LEARNED_OBSERVED not in rules.modes and not carries_gradient
        and longest < WHOLE[dtype] and len(traces.window_max) > 0 and half_life_days is None,
        half_life_days,
    )  # fmt: skip
