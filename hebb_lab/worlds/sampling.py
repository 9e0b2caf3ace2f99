"""Events of all edges, drawn exactly: thinning, in the time that activity makes even."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.worlds.signals import signal_of

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.worlds.activity import ActiveClock
    from hebb_lab.worlds.nature import Nature
    from hebb_lab.worlds.parameters import WorldParameters


class Events(NamedTuple):
    """[M] events in time order, at least 2 µs apart.

    edge: int64. time_us: int64, µs since 1970.
    """

    edge: NDArray[np.int64]
    time_us: NDArray[np.int64]


def sample(
    parameters: WorldParameters, nature: Nature, clock: ActiveClock, rng: Generator
) -> Events:
    """All events until the end of the log; the first of each edge is its birth.

    Lewis and Shedler's thinning, for all edges at once (Ogata 1981): the signal falls between
    events, so the rate now bounds the rate until the next event. A candidate comes after an
    exponential wait at that bound, and is an event with probability rate then / bound. Waits are
    in days of activity, in which A = 1. Every round draws for every edge, whether it still runs
    or not, so what happens to an edge does not depend on how long the others, or the log, go on.
    """
    signal, count = signal_of(parameters, nature), len(nature)
    done = rng.random(count) * clock.done(_birth_end_us(parameters, clock))
    last = clock.moment(done)  # [E] µs, of the latest event or candidate
    going = np.arange(count)
    signal.reinforce(going, last)
    bound = nature.base_rate + nature.gain * signal.value(going, last)  # [E] per day of activity
    edges, times = [going], [last.copy()]
    while len(going):
        wait, level = rng.standard_exponential(count), rng.random(count)
        with np.errstate(divide="ignore", over="ignore"):  # a frailty can be 0: no event
            done[going] += wait[going] / bound[going]
        going = going[done[going] < clock.total_days()]
        now = np.maximum(clock.moment(done[going]), last[going] + 1)
        inside = now < clock.end_us()
        going, now = going[inside], now[inside]
        rate = nature.base_rate[going] + nature.gain[going] * signal.value(going, now)
        happens = level[going] * bound[going] < rate
        risen = going[happens]
        signal.reinforce(risen, now[happens])
        last[going], bound[going] = now, rate
        value = signal.value(risen, now[happens])
        bound[risen] = nature.base_rate[risen] + nature.gain[risen] * value
        edges.append(risen)
        times.append(now[happens])
    return _in_order(np.concatenate(edges), np.concatenate(times))


def _birth_end_us(parameters: WorldParameters, clock: ActiveClock) -> NDArray[np.int64]:
    start = clock.activity.start_us[0]
    return np.asarray(start + round(parameters.birth_share * float(clock.end_us() - start)))


def _in_order(edge: NDArray[np.int64], time_us: NDArray[np.int64]) -> Events:
    """In time order. The two touches of an event each need a moment that no other touch has."""
    order = np.lexsort((edge, time_us))
    steps = 2 * np.arange(len(order))
    apart = np.maximum.accumulate(time_us[order] - steps) + steps
    return Events(edge[order], apart)
