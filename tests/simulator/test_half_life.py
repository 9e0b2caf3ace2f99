"""The log holds the half-lives that it was made with."""

from collections import defaultdict

import numpy as np
import pytest

from hebb_lab.simulator import SimulatorParameters, parameters_from
from hebb_lab.simulator.sessions import DAY, schedule
from hebb_lab.simulator.touches import draw_touches
from hebb_lab.simulator.world import build_world

GRID = np.array([0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0])  # days


def fitted_half_life(parameters: SimulatorParameters, seed: int) -> float:
    """The common half-life of all pairs, from the touches alone but for the affinities.

    Sampled partial likelihood: each first touch of a known file against 20 files that were known,
    alive and not yet seen in the session; a file's rate is that of the process.
    """
    rng = np.random.default_rng(seed)
    plan = schedule(parameters, rng)
    world = build_world(parameters, plan.topics, rng)
    touches = draw_touches(parameters, world, plan, rng)
    size = len(world.names)
    affinity, last = np.zeros((size, size)), np.full((size, size), -1e9)
    affinity[np.repeat(np.arange(size), np.diff(world.row_ptr)), world.relative] = world.affinity
    alive_until = np.full(size, -1.0)
    recent: dict[int, list[int]] = defaultdict(list)
    turn_nodes: dict[int, list[int]] = defaultdict(list)
    left = np.bincount(plan.touch_turn)
    likelihood = np.zeros(len(GRID))
    controls = np.random.default_rng(0)
    for turn, agent, day, node in zip(
        plan.touch_turn.tolist(), plan.touch_agent.tolist(),
        (plan.touch_time / DAY).tolist(), touches.node.tolist(), strict=True,
    ):  # fmt: skip
        seen = recent[int(plan.turn_session[turn])]
        if agent == 0:
            pool = np.setdiff1d(np.flatnonzero(alive_until > day), [*seen, node])
            if seen and node not in seen and alive_until[node] > day and len(pool) >= 20:
                cases = np.append(node, controls.choice(pool, 20, replace=False))
                rest = resting_rate(
                    parameters, world, int(plan.turn_topic[turn]), alive_until > day
                )
                context = seen[:3]
                share = np.array(parameters.context[: len(context)])[:, None]
                weight = share * affinity[np.ix_(context, cases)]
                gap = day - last[np.ix_(context, cases)]
                fresh = np.exp2(-gap / GRID[:, None, None])
                kept = parameters.residual + (1 - parameters.residual) * fresh
                rate = rest[cases] + parameters.associate * (weight * kept).sum(axis=1)
                likelihood += np.log(rate[:, 0] / rate.sum(axis=1))
            if node in seen:
                seen.remove(node)
            seen.insert(0, node)
        if alive_until[node] < 0:
            alive_until[node] = day + world.life_days[node]
        turn_nodes[turn].append(node)
        left[turn] -= 1
        if not left[turn]:
            last[np.ix_(turn_nodes[turn], turn_nodes[turn])] = day
    return float(GRID[likelihood.argmax()])


def resting_rate(parameters, world, topic: int, alive: np.ndarray) -> np.ndarray:
    """[N] what does not come from associations."""
    rate = np.full(len(alive), parameters.anything / alive.sum())
    files = world.topic_files[topic]
    popular = world.popularity[files] * alive[files]
    rate[files] += parameters.topic * popular / max(popular.sum(), 1e-9)
    hubs = world.popularity[world.hubs]
    rate[world.hubs] += parameters.hub * hubs / hubs.sum()
    return rate


@pytest.mark.parametrize(("half_life", "low", "high"), [(2.0, 1.0, 4.0), (16.0, 8.0, 32.0)])
def test_a_fit_that_knows_the_affinities_finds_the_half_life(
    half_life: float, low: float, high: float
):
    parameters = parameters_from(
        "team", sessions=180, days=30.0, half_life_median_days=half_life,
        half_life_topic_sigma=0.0, half_life_pair_sigma=0.0,
    )  # fmt: skip
    assert low <= fitted_half_life(parameters, 1) <= high
