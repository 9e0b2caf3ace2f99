"""Replay under plain rules: every event teaches every trace, and decay goes on all the time.

Then a gap's decay and what an event adds are known beforehand, and are worked out for many
ordinals at once. What hangs on the weight is a handful of operations an ordinal, written where
memory is already: on a processor an operation with a result of its own takes 1.4 ns an entry in
float64 and 0.2 ns in place, a mask of booleans 0.7 ns and one of numbers 0.2 (measured). So
counts and masks are numbers of the weights' type here. No gradient flows through any of it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from hebb_lab.kernels.parameters import LEARNED
from hebb_lab.kernels.torch.decay import days_of, half_lives
from hebb_lab.kernels.torch.frontier import pieces
from hebb_lab.kernels.torch.traces.log import Carry, Log, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from torch import Tensor

    from hebb_lab.kernels.torch.rules import TraceRules


class Memory(NamedTuple):
    """What a step works in, [rows, K] each, of the weights' type; masks are 0 or 1.

    weight, reinforced: after each event. found: the weight that it found. holds: where the edge is
    potentiated. floor: below which its weight does not fall. alive: where the event found it.
    """

    weight: Tensor
    reinforced: Tensor
    found: Tensor
    holds: Tensor
    floor: Tensor
    alive: Tensor


class Block(NamedTuple):
    """What is known of n edges before they are replayed.

    edge, first: [n] edges and their first events. namespace: [n], None where no rule asks for it.
    rules: of these edges. potentiation_count, floor_holds: as numbers, the latter None where
    floors hold everywhere.
    """

    edge: Tensor
    first: Tensor
    namespace: Tensor | None
    rules: TraceRules
    potentiation_count: Tensor
    floor_holds: Tensor | None


def steps(log: Log, entries: int) -> Iterator[Step]:
    """Every event of every edge, some ordinals of a block of edges at a time.

    ``entries``: edges × traces of a block, and as many events × traces of a step.
    """
    rows = max(1, entries // log.traces)
    device, dtype = log.order.device, log.strength.dtype
    shape = (min(rows, len(log.facts.time)), log.traces)
    whole = torch.empty(shape, dtype=torch.int32, device=device)
    memory = Memory(*(torch.empty(shape, dtype=dtype, device=device) for _ in Memory._fields))
    # a step begins with the state that the step before it left
    other = memory._replace(
        weight=torch.empty_like(memory.weight), reinforced=torch.empty_like(memory.reinforced)
    )
    for start in range(0, len(log.order), rows):
        counts = log.events[start : start + rows]
        block = _block(log, log.order[start : start + rows])
        active = np.searchsorted(-counts, -np.arange(int(counts[0])))  # edges with more events
        state = memory.weight[:0], memory.reinforced[:0]
        for a, b in pieces(torch.from_numpy(active), rows):
            lengths = active[a:b]
            place, event = _events(block, lengths, a)
            state = _replayed(log, block, place, event, lengths.tolist(), a, state, memory)
            n = len(event)
            whole[:n].copy_(memory.reinforced[:n])
            after = Carry(memory.weight[:n], whole[:n], None, None)
            yield Step(block.edge[place], event, memory.found[:n], after, None, None)
            memory, other = other, memory


def _block(log: Log, edge: Tensor) -> Block:
    rules, dtype = log.rules, log.strength.dtype
    namespace = log.facts.namespace[edge] if rules.hang_on_namespace() else None
    own = rules if namespace is None else rules.of(namespace)
    return Block(
        edge, log.facts.event_ptr[edge], namespace, own, rules.potentiation_count.to(dtype),
        None if rules.holds else own.floor_holds.to(dtype),
    )  # fmt: skip


def _events(block: Block, lengths: NDArray[np.int64], first: int) -> tuple[Tensor | slice, Tensor]:
    """(places in the block, events) of the ordinals from the first on, so many edges each."""
    if len(lengths) == 1:
        place = slice(0, int(lengths[0]))
        return place, block.first[place] + first
    ordinal = np.repeat(np.arange(len(lengths)), lengths)
    within = np.arange(len(ordinal)) - np.repeat(lengths.cumsum() - lengths, lengths)
    device = block.edge.device
    at = torch.from_numpy(within).to(device)
    return at, block.first[at] + torch.from_numpy(ordinal + first).to(device)


def _replayed(
    log: Log, block: Block, place: Tensor | slice, event: Tensor, lengths: list[int], first: int,
    state: tuple[Tensor, Tensor], memory: Memory,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Fill the memory's rows with these events; (weight, count) after the last ordinal."""
    weight, count = state
    gap = log.facts.gap(event - 1, log.facts.time[event][:, None])
    fades = days_of(gap.now - gap.at, log.strength)
    learned = LEARNED in log.rules.modes  # then decay hangs on the count
    if not learned:
        spaces = block.namespace
        own = log.rules if spaces is None else log.rules.of(spaces[place])
        fades = _decay(own, count, fades)
    cut = partial(torch.split_with_sizes, split_sizes=lengths)
    views = zip(*(cut(part[: len(event)]) for part in memory), strict=True)
    parts = zip(views, lengths, cut(fades), cut(log.gain(log.rules, event)), strict=True)
    for ordinal, (view, n, fade, gain) in enumerate(parts, first):
        new = Memory(*view)
        if ordinal == 0:
            new.found.zero_()
            new.reinforced.fill_(1)
            new.weight.copy_(torch.minimum(gain, log.rules.weight_cap))
        else:
            weight, count = weight[:n], count[:n]
            if learned:
                fade = _decay(block.rules.first(n), count, fade)
            _find(block, weight, count, fade, new, ordinal >= log.rules.least_count)
            torch.add(new.found, gain, out=new.weight)
            torch.minimum(new.weight, log.rules.weight_cap, out=new.weight)
        weight, count = new.weight, new.reinforced
    return weight, count


def _decay(rules: TraceRules, count: Tensor, days: Tensor) -> Tensor:
    """2^−(days in half-lives), [n, 1] or [n, K]."""
    return half_lives(rules, count, None, days).neg_().exp2_()


def _find(
    block: Block, weight: Tensor, count: Tensor, factor: Tensor, new: Memory, may_hold: bool
) -> None:
    """Decay, floor and prune what an event finds, and count the event.

    ``may_hold``: whether any edge can have had so many events that it is potentiated.
    """
    rules = block.rules
    torch.mul(weight, factor, out=new.found)
    if may_hold:
        torch.ge(count, block.potentiation_count, out=new.holds)
        if block.floor_holds is not None:
            new.holds.mul_(block.floor_holds[: len(weight)])
        torch.minimum(weight, rules.floor, out=new.floor).mul_(new.holds)
        torch.maximum(new.found, new.floor, out=new.found)
    if not rules.prunes:
        torch.add(count, 1, out=new.reinforced)
        return
    torch.ge(new.found, rules.prune_below, out=new.alive)
    if may_hold:
        torch.maximum(new.alive, new.holds, out=new.alive)
    new.found.mul_(new.alive)
    torch.mul(count, new.alive, out=new.reinforced).add_(1)
