"""Rule sets as arrays: traces, mixtures, bounds, what a read sees."""

import numpy as np
import pytest
from scipy.optimize import nnls

from hebb_lab.errors import ConfigError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.parameters import NEVER, power_law_traces, rule_arrays

SPACES = ("personal", "shared", "ephemeral", "branch:a", "branch:b")
FIXED = DOCUMENTED.change(half_life="fixed")


def test_the_exponentials_follow_the_power_law_within_2_percent_for_a_year():
    weights, half_lives = np.array(power_law_traces()).T
    ages = np.geomspace(0.01, 365, 1000)  # days; not the points it was fitted at
    mixture = (weights * 2.0 ** (-ages[:, None] / half_lives)).sum(axis=1)
    assert np.abs(mixture / (ages + 1) ** -0.5 - 1).max() <= 0.02


def test_the_exponentials_are_the_solution_of_non_negative_least_squares():
    half_lives = np.geomspace(0.1, 1600.0, 8)
    ages = np.concatenate([[0.0], np.geomspace(0.01, 365.0, 400)])
    target = (ages + 1.0) ** -0.5
    basis = 2.0 ** (-ages[:, None] / half_lives) / target[:, None]
    weights, _ = nnls(basis, np.ones(len(ages)))
    want = [(w, h) for w, h in zip(weights / weights.sum(), half_lives, strict=True) if w > 1e-12]
    np.testing.assert_allclose(power_law_traces(), want, rtol=1e-9)


def test_the_weights_of_a_mixture_sum_to_1():
    weights = [weight for weight, _ in power_law_traces()]
    assert min(weights) > 0
    assert sum(weights) == pytest.approx(1.0, abs=1e-12)
    rules = [FIXED.change(decay_shape=s) for s in ("power_law", "exponential", "two_time_scales")]
    _, reads = rule_arrays(rules, SPACES)
    parts = [reads.mix[a:b] for a, b in zip(reads.trace_first, reads.trace_stop, strict=True)]
    assert [float(part.sum()) for part in parts] == pytest.approx([1.0] * 3)
    assert [len(part) for part in parts] == [len(weights), 1, 2]


def test_two_time_scales_are_an_eighth_and_four_times_the_half_life():
    rules = FIXED.change(decay_shape="two_time_scales", half_life_personal_days=30)
    traces, reads = rule_arrays([rules], SPACES)
    assert traces.default_days[:, 0].tolist() == [3.75, 120.0]
    assert reads.mix.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("shape", ["power_law", "two_time_scales"])
@pytest.mark.parametrize("half_life", ["learned", "learned_observed", "none"])
def test_a_mixture_goes_with_fixed_half_lives_only(shape, half_life):
    rules = DOCUMENTED.change(decay_shape=shape, half_life=half_life)
    with pytest.raises(ConfigError, match=r"rules\.half_life=fixed"):
        rule_arrays([rules], SPACES)


def test_each_namespace_has_its_half_life():
    traces, _ = rule_arrays([DOCUMENTED], SPACES)
    assert traces.default_days.tolist() == [[30.0, 60.0, 1.0, 30.0, 30.0]]


def test_the_shipped_code_keeps_a_shared_half_life_at_60_days_at_least():
    traces, _ = rule_arrays([DOCUMENTED, OBSERVED], SPACES)
    assert traces.low_days[0].tolist() == [3.0] * 5
    assert traces.low_days[1].tolist() == [3.0, 60.0, 3.0, 3.0, 3.0]


def test_the_floor_holds_in_the_ephemeral_namespace_as_the_rules_say():
    traces, _ = rule_arrays([DOCUMENTED, OBSERVED], SPACES)
    assert traces.floor_holds.tolist() == [[True] * 5, [True, True, False, True, True]]


def test_a_read_sees_the_active_branch_personal_and_shared():
    _, reads = rule_arrays([DOCUMENTED], SPACES, branch="branch:a")
    assert reads.read_weight.tolist() == [[0.8, 0.5, 0.0, 1.0, 0.0]]
    _, reads = rule_arrays([DOCUMENTED], SPACES)
    assert reads.read_weight.tolist() == [[0.8, 0.5, 0.0, 0.0, 0.0]]


def test_what_is_null_in_the_rules_has_no_bound():
    rules = DOCUMENTED.change(weight_cap=None, window_max=None, hub_degree=None, frontier=None)
    traces, reads = rule_arrays([rules], SPACES)
    assert traces.weight_cap[0] == np.inf
    assert traces.npmi_min[0] == -np.inf
    assert reads.hub_degree[0] == np.inf
    assert traces.window_max[0] == reads.frontier[0] == NEVER


def test_without_potentiation_no_count_is_enough():
    traces, _ = rule_arrays([DOCUMENTED.change(potentiation=False)], SPACES)
    assert traces.potentiation_count[0] == NEVER


def test_a_log_without_a_namespace_makes_empty_tables():
    traces, reads = rule_arrays([DOCUMENTED, OBSERVED], ())
    assert traces.low_days.shape == traces.floor_holds.shape == (2, 0)
    assert reads.read_weight.shape == (2, 0)


def test_a_reading_is_one_configuration_of_the_arrays():
    rules = [DOCUMENTED, FIXED.change(decay_shape="two_time_scales")]
    reads = rule_arrays(rules, ("personal", "shared"))[1]
    assert (reads.trace_first.tolist(), reads.trace_stop.tolist()) == ([0, 1], [1, 3])
    second = reads.some([1])
    assert (second.trace_first.tolist(), second.trace_stop.tolist()) == ([1], [3])
    assert len(second.mix) == 3  # traces stay where they are
    assert reads.hops[0] == DOCUMENTED.hops
    assert reads.hub_degree[0] == DOCUMENTED.hub_degree
    assert reads.read_weight[0].tolist() == [DOCUMENTED.read_personal, DOCUMENTED.read_shared]
