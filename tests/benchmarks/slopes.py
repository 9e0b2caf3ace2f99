"""How cost grows with work: the slope in log-log over the upper decades."""

import math
import time

import numpy as np

UPPER = 100  # points within this factor of the largest count: its upper two decades
SHORTEST = 0.05  # seconds that one measurement takes at least


def slope(points):
    """Least-squares slope of log seconds over log work, of the points in the upper two decades.

    >>> round(slope([(1, 9), (100, 1), (1000, 10), (10_000, 100)]), 3)
    1.0

    Args:
        points: (work, seconds), two at least above a hundredth of the largest work.
    """
    chosen = upper(points)
    return float(np.polyfit(*np.log([(work, seconds) for work, seconds in chosen]).T, 1)[0])


def upper(points):
    """The points that count."""
    largest = max(work for work, _ in points)
    return [(work, seconds) for work, seconds in points if work * UPPER >= largest * 0.999]


def seconds_of(work):
    """Seconds of one call; a short one is called so often that the clock is no matter."""
    began = time.perf_counter()
    work()
    once = time.perf_counter() - began
    repeats = math.ceil(SHORTEST / max(once, 1e-6)) - 1
    if repeats < 1:
        return once
    began = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - began) / repeats
