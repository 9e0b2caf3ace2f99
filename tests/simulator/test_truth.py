"""The truth is the law that the touches were drawn from."""

import numpy as np
import pytest

from hebb_lab.records import Dataset, Truth
from hebb_lab.simulator import parameters_from, simulate
from hebb_lab.simulator.truth import TruthBuilder


@pytest.fixture(scope="module")
def data() -> Dataset:
    return simulate(parameters_from("tiny", sessions=80), np.random.default_rng(7))


def truth_of(data: Dataset) -> Truth:
    assert data.truth is not None
    return data.truth


def drawn_probability(data: Dataset, order: np.ndarray | None = None) -> np.ndarray:
    """[rows] the truth's probability of the node that was drawn; 0 where it was cut off."""
    truth = truth_of(data)
    place = {name: i for i, name in enumerate(truth.nodes)}
    nodes = [place[name] for name in data.log.events["node"]]
    rows = np.arange(len(nodes)) if order is None else order
    result = np.zeros(len(nodes))
    for i, (node, row) in enumerate(zip(nodes, rows, strict=True)):
        part = slice(truth.row_ptr[row], truth.row_ptr[row + 1])
        hit = np.flatnonzero(truth.node[part] == node)
        result[i] = truth.probability[part][hit[0]] if len(hit) else 0.0
    return result


def test_each_row_has_a_distribution_most_probable_first(data: Dataset):
    truth = truth_of(data)
    assert len(truth.row_ptr) == data.log.events.height + 1
    assert truth.row_ptr[-1] == len(truth.node) == len(truth.probability)
    sizes = np.diff(truth.row_ptr)
    assert sizes.min() >= 1
    assert sizes.max() <= 100
    for row in range(0, data.log.events.height, 7):
        part = slice(truth.row_ptr[row], truth.row_ptr[row + 1])
        assert len(set(truth.node[part].tolist())) == sizes[row]
        assert np.all(np.diff(truth.probability[part]) <= 0)
        mass = truth.probability[part].sum(dtype=np.float64)
        assert mass <= 1 + 1e-5
        assert mass >= 0.995 - 1e-5 or sizes[row] == 100


def test_types_and_names_are_those_of_the_contract(data: Dataset):
    truth = truth_of(data)
    assert (truth.row_ptr.dtype, truth.node.dtype) == (np.int64, np.int32)
    assert (truth.probability.dtype, truth.pairs.dtype) == (np.float32, np.int32)
    assert list(truth.nodes) == sorted(truth.nodes, key=str.encode)
    assert len(set(truth.nodes)) == len(truth.nodes)
    assert np.all(truth.pairs[:, 0] < truth.pairs[:, 1])
    assert len(np.unique(truth.pairs, axis=0)) == len(truth.pairs) == len(truth.half_life_days)
    assert np.all(truth.half_life_days > 0)


def test_the_drawn_node_is_missing_only_as_often_as_mass_was_cut_off(data: Dataset):
    truth = truth_of(data)
    mass = np.add.reduceat(truth.probability.astype(np.float64), truth.row_ptr[:-1])
    missing = drawn_probability(data) == 0
    expected, rows = (1 - mass).sum(), len(mass)
    assert missing.sum() <= expected + 4 * np.sqrt(expected) + 1
    assert missing.mean() < 0.005 + 4 * np.sqrt(0.005 / rows)


def test_the_probabilities_are_calibrated(data: Dataset):
    """E p(drawn) = Σ p²: the draws follow the law that the truth states, up to chance."""
    truth = truth_of(data)
    p = truth.probability.astype(np.float64)
    expected = np.add.reduceat(p**2, truth.row_ptr[:-1])
    difference = drawn_probability(data) - expected
    error = difference.std() / np.sqrt(len(difference))
    assert abs(difference.mean()) < 4 * error
    assert error < 0.02


def test_each_probability_comes_true_as_often_as_it_says(data: Dataset):
    """By bins of the stated probability: hits of the rank-one to rank-five nodes."""
    truth = truth_of(data)
    place = {name: i for i, name in enumerate(truth.nodes)}
    drawn = np.array([place[name] for name in data.log.events["node"]])
    row = np.repeat(np.arange(len(drawn)), np.diff(truth.row_ptr))
    hit = truth.node == drawn[row]
    for low, high in ((0.01, 0.05), (0.05, 0.15), (0.15, 0.4), (0.4, 0.7), (0.7, 1.0)):
        inside = (truth.probability >= low) & (truth.probability < high)
        stated = truth.probability[inside].astype(np.float64)
        error = np.sqrt((stated * (1 - stated)).sum())
        assert abs(hit[inside].sum() - stated.sum()) < 4 * error + 1e-9
        assert inside.sum() > 50


def test_the_truth_of_a_row_beats_the_truth_of_another(data: Dataset):
    order = np.random.default_rng(0).permutation(data.log.events.height)
    own = np.log(drawn_probability(data) + 1e-4).mean()
    other = np.log(drawn_probability(data, order) + 1e-4).mean()
    assert own > other + 1


def test_the_half_lives_are_log_normal_around_their_topics():
    made = simulate(
        parameters_from(
            "tiny", sessions=300, topic_birth=0.3, half_life_median_days=5.0,
            half_life_topic_sigma=0.0, half_life_pair_sigma=0.4, touches_median=1.0,
        ),
        np.random.default_rng(1),
    )  # fmt: skip
    log_half_life = np.log(truth_of(made).half_life_days)
    assert len(log_half_life) > 1000
    assert np.exp(log_half_life.mean()) == pytest.approx(5.0, rel=0.05)
    assert log_half_life.std() == pytest.approx(0.4, rel=0.08)


def test_the_builder_keeps_the_head_and_breaks_ties_by_node():
    builder = TruthBuilder()
    builder.add(np.array([9, 3, 5]), np.array([0.25, 0.25, 0.5]))
    builder.add(np.array([1, 2]), np.array([0.003, 0.997]))
    builder.add(np.arange(200), np.full(200, 1 / 200))
    world = simulate_world()
    truth = builder.build(np.array([1, 0, 2]), world)
    assert truth.row_ptr.tolist() == [0, 1, 4, 104]
    assert truth.node[:4].tolist() == [2, 5, 3, 9]
    assert truth.node[4:].tolist() == list(range(100))


def simulate_world():
    from hebb_lab.simulator.world import build_world

    return build_world(parameters_from("tiny"), 2, np.random.default_rng(0))
