"""Layers by name: what each learns from, and under which rules."""

from typing import NamedTuple

import pytest

from hebb_lab.graph.layers import LAYERS
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.temporal import TemporalGraph, co_activation_graph, transition_graph
from hebb_lab.kernels.choose import choose_backend
from hebb_lab.kernels.parameters import power_law_traces
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import co_activations, window_of_touch
from tests.made_logs import reads
from tests.recall.asking import queries_at

RULES = [
    DOCUMENTED.change(half_life="none"),
    DOCUMENTED.change(half_life="fixed", half_life_personal_days=3.0, decay_shape="power_law"),
    DOCUMENTED,
]


class Facts(NamedTuple):
    graph: TemporalGraph
    transitions: TemporalGraph


@pytest.fixture
def facts():
    touches = touches_of(reads("s.1:a s.1:b s.1:c s.2:a s.2:b t.1:c t.1:a"))
    window = window_of_touch(touches, "turn")
    graph = co_activation_graph(co_activations(touches, window))
    return Facts(graph, transition_graph(touches, window))


def learned(name, facts):
    return LAYERS[name](facts, RULES, choose_backend("cpu"))


def test_the_synapse_layer_has_the_co_activations_and_the_rules_as_they_are(facts):
    layer = learned("synapse", facts)
    assert layer.graph is facts.graph
    assert list(layer.rules) == RULES


def test_transitions_have_rules_of_their_own_but_the_half_life(facts):
    layer = learned("transitions", facts)
    assert layer.graph is facts.transitions
    for given, own in zip(RULES, layer.rules, strict=True):
        assert (own.weight_cap, own.prune_below, own.hops) == (100.0, 0.5, 1)
        assert (own.half_life == "none") == (given.half_life == "none")
        assert own.half_life_personal_days == given.half_life_personal_days
        assert own.decay_shape == "exponential"


def test_transitions_lead_forward_only(facts):
    late = int(facts.graph.event_time.max()) + 1
    asked = queries_at([late, late], seeds=[[0], [1]])  # from a, from b
    forward, _ = learned("transitions", facts).spread(0, asked, 3)
    both, _ = learned("synapse", facts).spread(0, asked, 3)
    held = [set(row[row >= 0].tolist()) for row in forward.ids]
    assert held == [{1}, {2}]  # a then b (c's turn then a's is c → a); b then c
    assert [set(row[row >= 0].tolist()) > {0} for row in both.ids] == [True, True]


@pytest.mark.parametrize("name", LAYERS)
def test_a_rule_set_reads_the_facts_and_its_own_traces(name, facts):
    layer = learned(name, facts)
    plain, mixed = layer.byte_count(0), layer.byte_count(1)
    assert plain > facts.graph.event_count * 12
    if name == "synapse":  # a power law is several traces, an exponential one
        more = len(power_law_traces()) - 1
        assert mixed - plain == more * facts.graph.event_count * 12
    else:
        assert mixed == plain
