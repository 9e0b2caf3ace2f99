"""Which file the agent touches next, and the exact distribution each touch was drawn from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.simulator.sessions import DAY
from hebb_lab.simulator.truth import TruthBuilder

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.simulator.parameters import SimulatorParameters
    from hebb_lab.simulator.sessions import Schedule
    from hebb_lab.simulator.world import World


@dataclass
class Agent:
    """What one agent of one session has touched: its nodes, the latest first."""

    nodes: list[int] = field(default_factory=list)

    def touch(self, node: int) -> None:
        """Move a node to the front."""
        if node in self.nodes:
            self.nodes.remove(node)
        self.nodes.insert(0, node)


@dataclass
class Turn:
    """A turn in progress: what it is about, how curious it is, what it touched."""

    topic: int
    curiosity: float
    focus: list[int]
    touched: set[int] = field(default_factory=set)
    last_day: float = 0.0
    left: int = 0  # touches to come


class TouchProcess:
    """The agent's choice of the next file.

    A touch of an agent that has touched the nodes S in its session, latest first, is a draw from

        P(n) = e · x(n) / Σ x           for n outside S (explore)
        P(n) = (1 − e) · stay(n)        for the latest of S
        P(n) = (1 − e) · (1 − stay(latest)) · rank(n)^−a · f(n) / Σ   for the rest of S (return)

        x(n) = associate · Σ_i context_i · affinity(S_i, n) · (residual + (1 − residual) ·
               2^(−gap(S_i, n) / half_life(S_i, n))) + topic + hub + birth + focus + anything

    where gap is the time since the pair was last active in one turn, learned at the end of the
    turn. Files that were never touched come only from birth, focus, and the hubs. Deleted files
    come from nothing, except that an agent may go back to one that it has at hand.

    Args:
        parameters: the simulated team.
        world: files and relations.
        rng: source of the draws.
    """

    def __init__(self, parameters: SimulatorParameters, world: World, rng: Generator) -> None:
        self.parameters = parameters
        self.world = world
        self.rng = rng
        size = len(world.names)
        self.known = np.zeros(size, dtype=bool)
        self.death_day = np.full(size, np.inf)
        self.last_active = np.full(len(world.pairs), -np.inf)  # [P] days
        self.hub_share = world.popularity[world.hubs] / world.popularity[world.hubs].sum()

    def intensities(self, day: float, topic: int, context: list[int]) -> NDArray[np.float64]:
        """x(n) without focus, [N]: the exploring part of the choice, before normalisation."""
        p, world = self.parameters, self.world
        alive = self.death_day > day
        usable = self.known & alive
        x = usable * (p.anything / max(int(usable.sum()), 1))
        files = world.topic_files[topic]
        mine = world.popularity[files] * usable[files]
        if mine.any():
            x[files] += p.topic * mine / mine.sum()
        unborn = files[~self.known[files]]
        if len(unborn):
            weight = world.popularity[unborn]
            x[unborn] += p.birth * weight / weight.sum()
        x[world.hubs] += p.hub * self.hub_share
        for share, node in zip(p.context, context, strict=False):
            row = slice(world.row_ptr[node], world.row_ptr[node + 1])
            pair, relative = world.pair[row], world.relative[row]
            gap = day - self.last_active[pair]
            fresh = np.exp2(-gap / world.half_life_days[pair])
            strength = p.residual + (1 - p.residual) * fresh
            x[relative] += p.associate * share * world.affinity[row] * strength * usable[relative]
        return np.asarray(x, dtype=np.float64)

    def choices(
        self, day: float, turn: Turn, agent: Agent, curiosity: float
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Nodes and their exact probabilities for the next touch."""
        p, held = self.parameters, agent.nodes
        x = self.intensities(day, turn.topic, held[: len(p.context)])
        for node in turn.focus:
            if self.death_day[node] > day:
                x[node] += p.focus / len(turn.focus)
        x[held] = 0.0
        candidates = np.flatnonzero(x)
        weight = x[candidates]
        if not held:
            return candidates, weight / weight.sum()
        explore = min(p.explore * len(held) ** -p.explore_fall * curiosity, 0.95)
        explore = explore if len(candidates) else 0.0
        back = np.arange(1.0, len(held)) ** -p.return_recency
        for node in turn.focus:
            if node in held[1:]:
                back[held.index(node) - 1] *= p.focus_return
        stay = float(self.world.stay[held[0]]) if len(held) > 1 else 1.0
        kept = np.concatenate([[stay], (1 - stay) * back / max(back.sum(), 1e-300)])
        chosen = weight * (explore / weight.sum()) if explore else weight[:0]
        nodes = np.concatenate([held, candidates[: len(chosen)]]).astype(np.int64)
        return nodes, np.concatenate([(1 - explore) * kept, chosen])

    def draw(self, nodes: NDArray[np.int64], probability: NDArray[np.float64]) -> int:
        """One node of the distribution."""
        cumulative = np.cumsum(probability)
        at = np.searchsorted(cumulative, self.rng.random() * cumulative[-1], side="right")
        return int(nodes[min(int(at), len(nodes) - 1)])

    def born(self, node: int, day: float) -> None:
        """The first touch of a file; its life begins."""
        if not self.known[node]:
            self.known[node] = True
            self.death_day[node] = day + self.world.life_days[node]

    def learn(self, turn: Turn) -> None:
        """The end of a turn: all related pairs in it were active together."""
        world = self.world
        inside = np.zeros(len(world.names), dtype=bool)
        nodes = np.array(sorted(turn.touched))
        inside[nodes] = True
        for node in nodes:
            row = slice(world.row_ptr[node], world.row_ptr[node + 1])
            pair = world.pair[row][inside[world.relative[row]]]
            self.last_active[pair] = np.maximum(self.last_active[pair], turn.last_day)

    def begin(self, day: float, topic: int, main: Agent) -> Turn:
        """A prompt: one to three files are meant, seen or not."""
        p = self.parameters
        curiosity = float(
            np.exp(p.explore_sigma * self.rng.standard_normal() - p.explore_sigma**2 / 2)
        )
        x = self.intensities(day, topic, main.nodes[: len(p.context)])
        candidates = np.flatnonzero(x)
        wanted = min(int(self.rng.integers(1, 4)), len(candidates))
        focus = {self.draw(candidates, x[candidates]) for _ in range(wanted)}
        return Turn(topic, curiosity, sorted(focus))


@dataclass(frozen=True)
class Touches:
    """The touches in time order, [M], with their truth, and each turn's meant files."""

    node: NDArray[np.int64]
    first_ever: NDArray[np.bool_]
    truth: TruthBuilder
    focus: dict[int, list[int]]


def draw_touches(
    parameters: SimulatorParameters, world: World, plan: Schedule, rng: Generator
) -> Touches:
    """Run the process over a schedule; parallel sessions interleave in time."""
    process = TouchProcess(parameters, world, rng)
    truth = TruthBuilder()
    mains: dict[int, Agent] = {}
    subagents: dict[tuple[int, int], Agent] = {}
    turns: dict[int, Turn] = {}
    focus: dict[int, list[int]] = {}
    size = np.bincount(plan.touch_turn, minlength=len(plan.turn_session))
    node = np.empty(len(plan.touch_turn), dtype=np.int64)
    first_ever = np.empty(len(node), dtype=bool)
    for i, (at, who, day) in enumerate(
        zip(plan.touch_turn.tolist(), plan.touch_agent.tolist(), plan.touch_time / DAY, strict=True)
    ):
        main = mains.setdefault(int(plan.turn_session[at]), Agent())
        turn = turns.get(at)
        if turn is None:
            turn = turns[at] = process.begin(day, int(plan.turn_topic[at]), main)
            turn.left = int(size[at])
            focus[at] = turn.focus
        agent = subagents.setdefault((at, who), Agent()) if who else main
        curiosity = turn.curiosity * (parameters.fan_out_explore if who else 1.0)
        nodes, probability = process.choices(day, turn, agent, curiosity)
        chosen = process.draw(nodes, probability)
        truth.add(nodes, probability)
        node[i], first_ever[i] = chosen, not process.known[chosen]
        process.born(chosen, day)
        agent.touch(chosen)
        turn.touched.add(chosen)
        turn.last_day = float(day)
        turn.left -= 1
        if not turn.left:
            process.learn(turns.pop(at))
    return Touches(node, first_ever, truth, focus)
