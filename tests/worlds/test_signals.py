"""Signals of many edges at once, against the reference replay and plain sums."""

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.kernels.arrays import graph_arrays
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from hebb_lab.worlds import parameters_from, world_graph
from hebb_lab.worlds.activity import DAY_US
from hebb_lab.worlds.nature import draw_nature
from hebb_lab.worlds.signals import PowerLaw, Weights, signal_of

MODES = {"exponential": "fixed", "learned_observed": "learned_observed", "none": "none"}
OTHER_NUMBERS = {
    "learning_rate": 0.11, "weight_cap": 0.6, "potentiation_count": 3, "potentiation_floor": 0.15,
    "prune_below": 0.05, "ephemeral_floor": False, "half_life_min_days": 2.0,
    "half_life_max_days": 40.0,
}  # fmt: skip


def replayed(graph, law, rules):
    """Per event the weight that it finds, and the reinforcements since birth: the reference."""
    names = ("personal", "shared", "ephemeral")
    half_lives = {f"half_life_{n}_days": d for n, d in zip(names, (9.0, 30.0, 1.5), strict=True)}
    own = rules.change(half_life=MODES[law], **half_lives)
    traces, _ = rule_arrays([own], graph.namespaces)
    state = backend_named("reference").replay(graph_arrays(graph), traces, before=True)
    return state.before[:, 0], state.reinforcements[:, 0]


def by_signals(graph, parameters):
    """The same weights from the signal, one event of each edge after another."""
    # edges as the graph numbers them; the half-life is the namespace's
    nature = draw_nature(parameters, np.random.default_rng(0))
    place = np.array([parameters.namespaces.index(name) for name in graph.namespaces])
    space = place[graph.edge_namespace.numpy()]
    nature.namespace[:] = space
    if parameters.law != "none":
        nature.half_life_days[:] = np.array(parameters.half_life_days)[space]
    signal = signal_of(parameters, nature)
    first, time = graph.event_ptr.numpy()[:-1], graph.event_time.numpy()
    counts = np.diff(graph.event_ptr.numpy())
    found = np.zeros(graph.event_count)
    for ordinal in range(counts.max()):
        edges = np.flatnonzero(counts > ordinal)
        at = first[edges] + ordinal
        found[at] = signal.value(edges, time[at])
        signal.reinforce(edges, time[at])
    return found


@pytest.mark.parametrize("numbers", [{}, OTHER_NUMBERS], ids=["defaults", "other numbers"])
@pytest.mark.parametrize("law", list(MODES))
def test_weights_are_those_of_the_reference_replay(law, numbers):
    rules = SynapseRules(**numbers)
    parameters = parameters_from(
        "half_lives", edges=120, days=400, law=law, half_life_sigma=0.0, base_rate=0.04, gain=0.2,
        half_life_days=(9, 30, 1.5), frailty_shape=0.7, rules=rules,
    )  # fmt: skip
    graph, _ = world_graph(parameters, np.random.default_rng(4))
    before, count = replayed(graph, law, rules)
    np.testing.assert_allclose(by_signals(graph, parameters), before, rtol=1e-12, atol=1e-15)
    first = graph.event_ptr.numpy()[:-1]
    born_again = np.setdiff1d(np.flatnonzero(count == 1), first)
    # the world does visit what is tested: floors, caps, and edges that were pruned
    assert (before == rules.potentiation_floor).any() or law == "none"
    assert (before > rules.weight_cap - rules.learning_rate).any()
    assert len(born_again) > 5 or law == "none"


def test_the_power_law_is_the_sum_over_all_earlier_events():
    parameters = parameters_from("power_law", edges=3, power_exponent=0.7, power_offset_days=0.2)
    signal = PowerLaw(parameters, 3)
    rng = np.random.default_rng(0)
    times = [np.sort(rng.integers(0, 50 * DAY_US, size)) for size in (30, 1, 0)]
    for edge, own in enumerate(times):
        for time in own:
            signal.reinforce(np.array([edge]), np.array([time]))
    now = np.full(3, 60 * DAY_US)
    expected = [sum(((60 * DAY_US - t) / DAY_US + 0.2) ** -0.7 for t in own) for own in times]
    np.testing.assert_allclose(signal.value(np.arange(3), now), expected, rtol=1e-12)


@pytest.mark.parametrize("law", ["exponential", "learned_observed", "none", "power_law"])
def test_between_events_a_signal_never_rises(law):
    parameters = parameters_from("half_lives", edges=60, law=law, half_life_sigma=0.5)
    signal = signal_of(parameters, draw_nature(parameters, np.random.default_rng(0)))
    every, rng = np.arange(60), np.random.default_rng(1)
    now = np.zeros(60, np.int64)
    for _ in range(12):
        now = now + rng.integers(1, 12 * DAY_US, 60)
        signal.reinforce(every, now)
        values = [signal.value(every, now + days * DAY_US) for days in range(0, 400, 7)]
        assert (np.diff(values, axis=0) <= 0).all()


def test_an_edge_without_an_event_has_no_weight():
    parameters = parameters_from("half_lives", edges=2)
    weights = Weights(parameters, draw_nature(parameters, np.random.default_rng(0)))
    assert weights.value(np.arange(2), np.array([0, DAY_US])).tolist() == [0.0, 0.0]
