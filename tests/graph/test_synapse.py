"""The synapse layer as a whole: asked in the past, explained, hub factors."""

import math
import weakref
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.backend import Backend
from hebb_lab.kernels.choose import BACKENDS, backend_named, cannot_run
from tests.kernels.logs import DAY_US, co_activations, queries_at, rule_sets, window_lists

START = 20_000 * DAY_US


def layer_of(windows, rules=(DOCUMENTED,), nodes=7, backend="cpu"):
    graph = co_activation_graph(co_activations(windows, nodes))
    return SynapseLayer.learn(graph, list(rules), backend_named(backend), "branch:a")


@settings(max_examples=60, deadline=None)
@given(window_lists(), rule_sets(), st.sampled_from([0.0, 2.0]))
def test_the_energies_that_an_explanation_lists_sum_to_the_scores(windows, rules, later):
    layer = layer_of(windows, [rules])
    now = windows[-1][0] + 1 + round(later * DAY_US)
    queries = queries_at([now], [(0, 1.0), (1, 0.6)])
    ranking, edges = layer.spread(0, queries, 7)
    carried = layer.explain(0, queries, 0)
    arrived = defaultdict(float)
    for edge in carried:
        arrived[edge.receiver] += edge.energy
    names = layer.graph.nodes
    got = {names[n]: s for n, s in zip(ranking.ids[0], ranking.scores[0], strict=True) if n >= 0}
    want = {node: energy for node, energy in arrived.items() if np.float32(energy) > 0}
    assert got == pytest.approx(want, rel=1e-5, abs=1e-9)
    assert edges[0] == len(carried)


def test_an_explanation_names_hop_sender_receiver_and_weight():
    windows = [(START, [0, 1], 1.0, 0), (START, [1, 2], 1.0, 0)]
    layer = layer_of(windows)
    trace = layer.explain(0, queries_at([START + 1], [(0, 1.0)]), 0)
    weight = 0.30 * 0.8  # one co-activation, read from the personal namespace
    first = trace[0]
    assert (first.hop, first.sender, first.receiver) == (1, "n0", "n1")
    assert first.weight == pytest.approx(weight)
    assert first.energy == pytest.approx(weight * 0.6)
    assert {(edge.sender, edge.receiver) for edge in trace if edge.hop == 2} == {
        ("n1", "n0"), ("n1", "n2"),
    }  # fmt: skip
    second = next(edge for edge in trace if edge.receiver == "n2")
    assert second.energy == pytest.approx((weight * 0.6) ** 2)


@pytest.mark.parametrize(
    ("degree", "factor"), [(49, 1.0), (50, 1.0), (51, math.sqrt(50 / 51)), (200, 0.5), (5000, 0.1)]
)
def test_a_hub_sends_less_by_the_root_of_its_degree(degree, factor):
    # page, section 3: 200 → 0.5, 5000 → 0.1
    windows = [(START + i, [0, i + 1], 1.0, 0) for i in range(degree)]
    layer = layer_of(windows, [DOCUMENTED.change(half_life="none", hops=1)], nodes=degree + 1)
    ranking, edges = layer.spread(0, queries_at([START + degree], [(0, 1.0)]), 3)
    assert ranking.scores[0, 0] == pytest.approx(0.30 * 0.8 * 0.6 * factor, rel=1e-6)
    assert edges[0] == degree


def test_the_hub_factor_can_be_switched_off():
    windows = [(START + i, [0, i + 1], 1.0, 0) for i in range(200)]
    rules = [DOCUMENTED.change(half_life="none", hops=1, hub_degree=limit) for limit in (50, None)]
    layer = layer_of(windows, rules, nodes=201)
    asked = queries_at([START + 200], [(0, 1.0)])
    damped, whole = (layer.spread(config, asked, 3)[0].scores[0, 0] for config in (0, 1))
    assert damped == pytest.approx(whole / 2)


def test_a_question_in_the_past_sees_the_graph_of_then():
    windows = [(START, [0, 1], 1.0, 0), (START + DAY_US, [0, 2], 1.0, 0)]
    layer = layer_of(windows)
    times = [START, START + 1, START + DAY_US, START + DAY_US + 1]
    ranking, edges = layer.spread(0, queries_at(times, [(0, 1.0)], exclude=[0]), 3)
    assert [set(row[row >= 0]) for row in ranking.ids] == [set(), {1}, {1}, {1, 2}]
    assert edges[0] == 0


def test_each_rule_set_answers_for_itself():
    windows = [(START, [0, 1], 1.0, 0), (START + 2 * DAY_US, [0, 1], 1.0, 0)]
    both = layer_of(windows, [DOCUMENTED, OBSERVED])
    asked = queries_at([START + 7 * DAY_US], [(0, 1.0)])
    for config, rules in enumerate((DOCUMENTED, OBSERVED)):
        alone = layer_of(windows, [rules])
        assert both.spread(config, asked, 3)[0].sha256() == alone.spread(0, asked, 3)[0].sha256()
    assert both.spread(0, asked, 3)[0].sha256() != both.spread(1, asked, 3)[0].sha256()


@pytest.mark.parametrize("backend", [name for name in BACKENDS if cannot_run(name) is None])
@pytest.mark.parametrize("kind", ["spread", "personalised_pagerank"])
def test_an_empty_graph_gives_an_empty_ranking(backend, kind):
    layer = layer_of([(START, [0], 1.0, 0)], backend=backend)
    asked = queries_at([START + 1], [(0, 1.0)], exclude=[0])
    ranking, edges = getattr(layer, kind)(0, asked, 4)
    assert (ranking.ids == -1).all()
    assert np.isneginf(ranking.scores).all()
    assert edges.tolist() == [0]


@pytest.mark.parametrize("kind", ["spread", "personalised_pagerank"])
def test_a_question_without_seeds_has_an_empty_answer(kind):
    layer = layer_of([(START, [0, 1], 1.0, 0)])
    ranking, _ = getattr(layer, kind)(0, queries_at([START + 1], []), 4)
    assert (ranking.ids == -1).all()


@pytest.mark.parametrize("kind", ["spread", "personalised_pagerank"])
def test_no_question_has_no_answer(kind):
    layer = layer_of([(START, [0, 1], 1.0, 0)])
    ranking, edges = getattr(layer, kind)(0, queries_at([], []), 4)
    assert ranking.ids.shape == (0, 4)
    assert len(edges) == 0


def test_pagerank_prefers_what_is_nearer_to_the_seed():
    windows = [(START + i, pair, 1.0, 0) for i, pair in enumerate([[0, 1], [1, 2], [2, 3]])]
    ranking, edges = layer_of(windows).personalised_pagerank(
        0, queries_at([START + 9], [(0, 1.0)], exclude=[0]), 3
    )
    assert ranking.ids[0].tolist() == [1, 2, 3]
    assert edges[0] > 0


def test_rule_sets_that_are_asked_again_are_walked_without_being_made_ready_again(monkeypatch):
    windows = [(START + i * DAY_US, [i % 5, (i + 1) % 5], 1.0, 0) for i in range(9)]
    layer, made = layer_of(windows, [DOCUMENTED, OBSERVED]), []
    walk = Backend.walk

    def counted(*arguments):
        made.append(arguments[-1])
        return walk(*arguments)

    monkeypatch.setattr(Backend, "walk", counted)
    asked = queries_at([START + 4 * DAY_US, START + 8 * DAY_US], [(0, 1.0)])
    first = layer.spread_all([0, 1], asked, 3)
    for _ in range(3):
        again = layer.spread_all([0, 1], asked, 3)
        assert [r.sha256() for r, _ in again] == [r.sha256() for r, _ in first]
    assert len(made) == 1
    layer.spread(0, asked, 3)
    layer.personalised_pagerank(0, asked, 3)
    assert len(made) == 2
    layer.spread_all([1, 0], asked, 3)
    assert len(made) == 3


def test_a_layer_holds_one_walk_and_lets_it_go_before_another_is_made_and_when_it_goes(monkeypatch):
    layer, walks = layer_of([(START, [0, 1], 1.0, 0)], [DOCUMENTED, OBSERVED]), []
    walk = Backend.walk

    def watched(*arguments):
        assert all(known() is None for known in walks)
        made = walk(*arguments)
        walks.append(weakref.ref(made.walker))
        return made

    monkeypatch.setattr(Backend, "walk", watched)
    for config in (0, 1, 0):
        layer.spread(config, queries_at([START + 1], [(0, 1.0)]), 3)
    assert len(walks) == 3
    del layer
    assert all(known() is None for known in walks)
