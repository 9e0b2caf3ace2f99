"""Traces as lanes: which lie beside one another and fade by the same formula.

A loop over lanes has no branch in it, so that one instruction serves four or eight of them. What
branches (how a half-life is found, how decay passes, which windows teach) is the same for a whole
run of traces, and is asked once a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.kernels.parameters import NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.kernels.parameters import TraceArrays

DAY_US = 86_400_000_000.0

# Rows of the rules, per namespace and lane.
(
    RATE, STRENGTH_MAX, CAP, INVERSE_SIZE, NPMI_MIN, DECAYS_FIRST, EXTRA_PASS, DEFAULT, INVERSE,
    LOW, HIGH, PROVEN, FLOOR, LIFT, PRUNE, PRUNE_WEAK, PROVEN_WEAK,
) = range(17)  # fmt: skip
RULE_ROWS = 17

# Columns of a run.
FIRST, STOP, LANE, MODE, COMPOUNDING, INTERVAL, GATE = range(7)


class Lanes(NamedTuple):
    """K traces as the kernels read them.

    rules: [S, RULE_ROWS, K] float64.
    runs: [R, 7] int64: traces [FIRST, STOP) on the lanes from LANE on, all of one MODE, one kind
        of passes and one GATE (the largest window that teaches).
    """

    rules: NDArray[np.float64]
    runs: NDArray[np.int64]


def lanes_of(p: TraceArrays, traces: Sequence[int] | None = None) -> Lanes:
    """The lanes of some traces, in that order; all when left out."""
    chosen = list(range(len(p.learning_rate))) if traces is None else list(traces)
    runs: list[list[int]] = []
    for lane, k in enumerate(chosen):
        kind = [
            int(p.half_life_mode[k]), int(p.compounding[k]),
            int(p.interval_us[k]) if p.compounding[k] else 0, int(p.window_max[k]),
        ]  # fmt: skip
        if runs and runs[-1][MODE:] == kind and runs[-1][STOP] == k:
            runs[-1][STOP] = k + 1
        else:
            runs.append([k, k + 1, lane, *kind])
    return Lanes(rule_rows(p), np.array(runs, np.int64).reshape(-1, 7))


def rule_rows(p: TraceArrays) -> NDArray[np.float64]:
    """[S, RULE_ROWS, K]; counts are exact below 2⁵³."""
    spaces = p.default_days.shape[1]
    proven = np.where(p.potentiation_count == NEVER, np.inf, p.potentiation_count)
    rows = np.empty((spaces, RULE_ROWS, len(p.learning_rate)))
    for space in range(spaces):
        rows[space] = [
            p.learning_rate, p.strength_max, p.weight_cap, p.inverse_size, p.npmi_min,
            p.decay_before | p.compounding, p.decay_before & p.compounding,
            p.default_days[:, space], 1.0 / p.default_days[:, space], p.low_days[:, space],
            p.high_days, np.where(p.floor_holds[:, space], proven, np.inf), p.floor,
            np.where(p.floor_lifts, np.inf, 0.0), p.prune_below,
            np.where(p.prune_below > 0, p.prune_below, -1.0), proven,
        ]  # fmt: skip
    return rows
