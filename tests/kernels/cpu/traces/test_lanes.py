"""Traces as lanes: what lies together, and what is asked once a run."""

import numpy as np

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.cpu.traces.lanes import (
    COMPOUNDING,
    FIRST,
    FLOOR,
    GATE,
    LANE,
    LIFT,
    MODE,
    PROVEN,
    PRUNE_WEAK,
    STOP,
    lanes_of,
)
from hebb_lab.kernels.parameters import FIXED, LEARNED, NEVER, rule_arrays

SPACES = ("personal", "ephemeral")
PLAIN = DOCUMENTED.change(half_life="fixed")


def lanes(*rules, traces=None):
    return lanes_of(rule_arrays(rules, SPACES)[0], traces)


def test_a_sweep_of_half_lives_is_one_run():
    runs = lanes(*(PLAIN.change(half_life_personal_days=d) for d in range(1, 33))).runs
    assert runs[:, [FIRST, STOP, LANE, MODE, COMPOUNDING, GATE]].tolist() == [
        [0, 32, 0, FIXED, 0, NEVER]
    ]


def test_another_kind_of_half_life_another_gate_and_passes_begin_another_run():
    rules = (PLAIN, PLAIN, DOCUMENTED, DOCUMENTED.change(window_max=9), OBSERVED)
    runs = lanes(*rules).runs
    assert runs[:, [FIRST, STOP]].tolist() == [[0, 2], [2, 3], [3, 4], [4, 5]]
    assert runs[:, MODE].tolist()[:3] == [FIXED, LEARNED, LEARNED]
    assert runs[2, GATE] == 9
    assert runs[3, COMPOUNDING] == 1


def test_chosen_traces_lie_on_lanes_from_0_on():
    runs = lanes(*[PLAIN] * 6, traces=[4, 5, 1]).runs
    assert runs[:, [FIRST, STOP, LANE]].tolist() == [[4, 6, 0], [1, 2, 2]]


def test_the_floor_is_a_row_of_numbers_that_need_no_branch():
    kinds = (
        PLAIN, PLAIN.change(floor_lifts=True), PLAIN.change(potentiation=False),
        PLAIN.change(ephemeral_floor=False, prune_below=0.0),
    )  # fmt: skip
    rows = lanes(*kinds).rules
    assert rows[0, FLOOR].tolist() == [0.2] * 4
    assert rows[0, LIFT].tolist() == [0.0, np.inf, 0.0, 0.0]
    assert rows[0, PROVEN].tolist() == [5, 5, np.inf, 5]
    assert rows[1, PROVEN].tolist() == [5, 5, np.inf, np.inf]  # not in the ephemeral namespace
    assert rows[0, PRUNE_WEAK].tolist() == [
        0.01,
        0.01,
        0.01,
        -1.0,
    ]  # a penalty then removes nothing
