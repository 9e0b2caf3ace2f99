"""`reference`, to which every back end is held, is itself held to the synapse store."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.choose import backend_named
from tests.kernels.logs import DAY_US, NAMESPACES, co_activations, queries_at, rule_sets
from tests.kernels.logs import window_lists as logs


def layer(windows, rules, branch="branch:a"):
    graph = co_activation_graph(co_activations(windows))
    return SynapseLayer.learn(graph, rules, backend_named("reference"), branch)


def store_of(windows, rules, until_us):
    """The store after all windows strictly before a time, with the passes that fell due."""
    store = SynapseStore(rules, active="branch:a")
    interval, done = round(rules.pass_interval_days * DAY_US), None
    for time_us, members, strength, space in [*windows, (until_us, [], 1.0, 0)]:
        if rules.decay_passes == "compounding":
            first = time_us // interval if done is None else done + 1
            for tick in range(first, time_us // interval + 1):
                store.decay(tick * interval)
            done = time_us // interval
        if time_us >= until_us:
            break
        names = [f"n{m}" for m in members]
        if strength < 0:
            # the graph gates weakening windows as it gates teaching ones
            if rules.window_max is None or len(names) <= rules.window_max:
                store.penalize(names, time_us, -strength, NAMESPACES[space])
            store.windows.add(sorted(names)) if rules.npmi_min is not None else None
        else:
            store.reinforce(names, time_us, strength, NAMESPACES[space])
    return store


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(logs(), rule_sets(), st.sampled_from([0.0, 0.5, 40.0]))
def test_the_reference_weights_are_those_of_the_store(windows, rules, later):
    until = windows[-1][0] + 1 + round(later * DAY_US)
    rows = layer(windows, [rules]).adjacency(0, until)
    store = store_of(windows, rules, until)
    for a in range(7):
        for b in range(7):
            want = store.weight_of(f"n{a}", f"n{b}", until) if a != b else 0.0
            assert rows.get(a, {}).get(b, 0.0) == pytest.approx(want, rel=1e-6, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(logs(), rule_sets())
def test_the_reference_energies_are_those_of_the_store(windows, rules):
    until = windows[-1][0] + 1
    side = layer(windows, [rules])
    ranking, _ = side.spread(0, queries_at([until], [(0, 1.0), (1, 0.6)], exclude=[0, 1]), 7)
    got = {f"n{n}": s for n, s in zip(ranking.ids[0], ranking.scores[0], strict=True) if n >= 0}
    ranked = store_of(windows, rules, until).spread([("n0", 1.0), ("n1", np.float32(0.6))], until)
    want = {node: energy for node, energy in ranked if energy > 0}
    assert got == pytest.approx(want, rel=1e-5, abs=1e-9)


def test_documented_and_observed_differ_on_a_log_that_idles():
    windows = [(20_000 * DAY_US, [0, 1], 1.0, 0), (20_002 * DAY_US, [0, 1], 1.0, 0)]
    side = layer(windows, [DOCUMENTED, OBSERVED])
    documented, observed = (side.adjacency(c, 20_007 * DAY_US)[0][1] for c in (0, 1))
    assert documented > observed > 0
