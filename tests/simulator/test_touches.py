"""The process behind the touches: associations fade with their own half-lives."""

import numpy as np
import pytest

from hebb_lab.simulator import parameters_from
from hebb_lab.simulator.touches import Agent, TouchProcess, Turn
from hebb_lab.simulator.world import World, build_world

PARAMETERS = parameters_from(
    "tiny", topic=0.0, hub=1e-12, birth=0.0, anything=1e-12, associate=1.0, context=[1.0],
    residual=0.1,
)  # fmt: skip


@pytest.fixture
def process() -> TouchProcess:
    world = build_world(PARAMETERS, 3, np.random.default_rng(0))
    made = TouchProcess(PARAMETERS, world, np.random.default_rng(1))
    made.known[:] = True
    return made


def a_pair(world: World) -> tuple[int, int, int, float, float]:
    """A node of topic 0, its first relative, their pair, its half-life and the affinity."""
    node = int(world.topic_files[0][0])
    at = int(world.row_ptr[node])
    pair = int(world.pair[at])
    half_life = float(world.half_life_days[pair])
    return node, int(world.relative[at]), pair, half_life, float(world.affinity[at])


def test_an_association_halves_in_its_half_life(process: TouchProcess):
    node, relative, pair, half_life, affinity = a_pair(process.world)
    process.last_active[pair] = 3.0
    for gaps, left in ((0, 1.0), (1, 0.5), (2, 0.25), (60, 0.0)):
        x = process.intensities(3.0 + gaps * half_life, 0, [node])
        assert x[relative] == pytest.approx(affinity * (0.1 + 0.9 * left), rel=1e-6)


def test_a_pair_that_was_never_active_has_only_the_residual(process: TouchProcess):
    node, relative, _, _, affinity = a_pair(process.world)
    assert process.intensities(5.0, 0, [node])[relative] == pytest.approx(0.1 * affinity, rel=1e-6)


def test_pairs_of_a_turn_are_learned_when_it_ends(process: TouchProcess):
    node, relative, pair, _, _ = a_pair(process.world)
    process.learn(Turn(0, 1.0, [], touched={node, relative}, last_day=4.5))
    assert process.last_active[pair] == 4.5
    inside = np.isin(process.world.pairs, [node, relative]).all(axis=1)
    assert np.isneginf(process.last_active[~inside]).all()
    process.learn(Turn(0, 1.0, [], touched={node, relative}, last_day=4.0))
    assert process.last_active[pair] == 4.5  # a parallel session that ended earlier


def test_a_deleted_file_is_not_touched_any_more(process: TouchProcess):
    node, relative, pair, _, _ = a_pair(process.world)
    process.last_active[pair] = 0.0
    process.death_day[relative] = 1.0
    assert process.intensities(0.5, 0, [node])[relative] > 0
    assert process.intensities(1.5, 0, [node])[relative] < 1e-9


def test_files_that_were_never_touched_come_from_birth_alone(process: TouchProcess):
    process.known[:] = False
    node = int(process.world.topic_files[0][0])
    assert process.intensities(0.0, 0, [node]).sum() < 1e-9
    born = TouchProcess(parameters_from("tiny", birth=1.0), process.world, process.rng)
    x = born.intensities(0.0, 0, [])
    reached = set(np.flatnonzero(x).tolist())
    assert reached == {*process.world.topic_files[0].tolist(), *process.world.hubs.tolist()}


def test_choices_are_a_distribution_over_kept_and_new_nodes(process: TouchProcess):
    files = [int(n) for n in process.world.topic_files[0][:4]]
    agent = Agent(nodes=files)
    turn = Turn(0, 1.0, [files[2]])
    nodes, probability = process.choices(1.0, turn, agent, 1.0)
    assert probability.sum() == pytest.approx(1.0)
    assert len(set(nodes.tolist())) == len(nodes)
    assert nodes[:4].tolist() == files
    stay = process.world.stay[files[0]]
    explore = PARAMETERS.explore * 4**-PARAMETERS.explore_fall
    assert probability[4:].sum() == pytest.approx(explore)
    assert probability[0] == pytest.approx((1 - explore) * stay)
    rank = np.array([1.0, 2.0, 3.0]) ** -PARAMETERS.return_recency
    rank[1] *= PARAMETERS.focus_return  # the prompt means the third latest
    back = (1 - explore) * (1 - stay) * rank / rank.sum()
    assert probability[1:4] == pytest.approx(back)


def test_an_agent_has_its_nodes_latest_first():
    agent = Agent()
    for node in (1, 2, 3, 1):
        agent.touch(node)
    assert agent.nodes == [1, 3, 2]
