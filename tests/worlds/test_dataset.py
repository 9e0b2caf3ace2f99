"""The log of a world, the graph of it, and the truth: one and the same world."""

import numpy as np
import pytest
import torch

from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import DatasetSettings
from hebb_lab.records import EVENT_SCHEMA
from hebb_lab.worlds import PRESETS, parameters_from, world_graph, world_log


def generator(seed=0):
    return np.random.default_rng(seed)


def tensors(graph):
    return {k: v for k, v in vars(graph).items() if isinstance(v, torch.Tensor)}


def by_the_ordinary_path(parameters, seed=0):
    return prepare(world_log(parameters, generator(seed)), DatasetSettings()).graph


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("activity", ["flat", "sessions", "vacations"])
def test_the_log_gives_the_very_graph_that_is_made_directly(preset, activity):
    parameters = parameters_from(preset, edges=60, days=50, activity=activity)
    direct, _ = world_graph(parameters, generator())
    read = by_the_ordinary_path(parameters)
    assert (direct.nodes, direct.namespaces) == (read.nodes, read.namespaces)
    for name, values in tensors(read).items():
        assert torch.equal(values, tensors(direct)[name]), name


def test_names_that_sort_otherwise_than_they_are_numbered_change_nothing():
    parameters = parameters_from(
        "half_lives", edges=40, days=40,
        namespaces=("z", "é", "n10", "n1"), half_life_days=(3, 9, 27, 81),
    )  # fmt: skip
    direct, truth = world_graph(parameters, generator())
    read = by_the_ordinary_path(parameters)
    assert direct.nodes == read.nodes == tuple(sorted(direct.nodes, key=str.encode))
    assert torch.equal(direct.event_time, read.event_time)
    assert np.array_equal(direct.edge_index.numpy().T, truth.pairs)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_truth_has_a_row_for_each_edge_of_the_graph_in_its_order(preset):
    graph, truth = world_graph(parameters_from(preset, edges=50, days=30), generator())
    assert truth.nodes == graph.nodes
    assert np.array_equal(truth.pairs, graph.edge_index.numpy().T)
    for values in (truth.half_life_days, truth.base_rate, truth.gain):
        assert values.shape == (50,)
        assert values.dtype == np.float64
    start, level = truth.activity
    assert len(start) == len(level) + 1
    assert np.average(level, weights=np.diff(start)) == pytest.approx(1.0)


def test_the_half_lives_in_the_truth_are_those_of_the_edges_namespaces():
    parameters = parameters_from("half_lives", edges=90, days=30, half_life_sigma=0.0)
    graph, truth = world_graph(parameters, generator())
    names = np.array(graph.namespaces)[graph.edge_namespace.numpy()]
    for name, days in zip(parameters.namespaces, parameters.half_life_days, strict=True):
        assert set(truth.half_life_days[names == name].tolist()) == {days}
        assert {graph.nodes[a].split("/")[0] for a in truth.pairs[names == name, 0]} == {name}


@pytest.mark.parametrize(
    ("law", "half_life"), [("none", np.inf), ("power_law", np.nan), ("learned_observed", 20.0)]
)
def test_a_law_without_a_half_life_says_so_in_the_truth(law, half_life):
    _, truth = world_graph(parameters_from("shared", edges=5, days=30, law=law), generator())
    np.testing.assert_array_equal(truth.half_life_days, np.full(5, half_life))
    assert truth.law == law


def test_the_same_generator_state_gives_the_same_log_and_another_seed_another():
    parameters = parameters_from("tiny")
    one, two, other = (world_log(parameters, generator(seed)) for seed in (1, 1, 2))
    assert one.sha256() == two.sha256() != other.sha256()
    assert one.edges is not None
    assert np.array_equal(one.edges.half_life_days, two.edges.half_life_days)


def test_the_log_has_the_schema_and_sessions_that_do_not_overlap():
    data = world_log(parameters_from("tiny", activity="sessions"), generator())
    events = data.log.events
    assert dict(events.schema) == EVENT_SCHEMA
    assert events["time_us"].is_sorted()
    assert events["time_us"].n_unique() == events.height
    assert events["session"].is_sorted()
    turns = events.group_by("session", "turn").len()
    assert set(turns["len"].to_list()) == {2}
    assert data.log.report.sessions == events["session"].n_unique() > 20


def test_a_flat_world_has_one_session_a_day():
    data = world_log(parameters_from("tiny", days=10), generator())
    days = (data.log.events["time_us"] - PRESETS["tiny"].start_us) // 86_400_000_000
    assert data.log.events["session"].to_list() == [f"s{day + 1:05d}" for day in days]
