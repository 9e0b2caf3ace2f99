"""Small logs and their histories, for the tests of the half-life core."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, settings

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.objectives.profile import inflation
from hebb_lab.halflife.objectives.sharing import GroupProfile, share
from tests.kernels.backends import made
from tests.kernels.logs import NAMESPACES, co_activations

DAY_US = 86_400_000_000
START_US = 20_000 * DAY_US
CPU = made("cpu")
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def window(day, members, space=0, strength=1.0):
    """One recall: so many days into the log, these nodes."""
    return START_US + round(day * DAY_US), list(members), strength, space


def pairs(*events, space=0):
    """Recalls of one edge each: (day, edge); edge e has the nodes 2e and 2e + 1."""
    return [window(day, (2 * edge, 2 * edge + 1), space) for day, edge in events]


def random_windows(seed, count=60, nodes=8, spaces=(0,), most=4, ties=0.0, silences=0.05):
    """Recalls of a few nodes at irregular times, with long silences, some at equal times."""
    rng = np.random.default_rng(seed)
    gaps = rng.exponential(0.4, count)
    gaps[rng.random(count) < silences] = rng.uniform(20, 90)
    gaps[rng.random(count) < ties] = 0.0
    return [
        window(
            day, rng.choice(nodes, rng.integers(2, most + 1), replace=False).tolist(),
            int(rng.choice(spaces)), float(rng.choice([1.0, 1.0, 0.5, 2.0])),
        )
        for day in np.cumsum(gaps)
    ]  # fmt: skip


def history(windows, rules=DOCUMENTED, backend=CPU, **settings):
    """The history of windows."""
    nodes = 1 + max(max(members) for _, members, _, _ in windows)
    return history_of(graph(windows, nodes), rules, backend, **settings)


def graph(windows, nodes):
    """The graph of windows."""
    return co_activation_graph(co_activations(windows, nodes))


def edge_of(history, *nodes):
    """The number of the edge between two nodes."""
    names = [history.graph.nodes.index(f"n{node}") for node in nodes]
    ends = history.graph.edge_index.numpy()
    return int(np.flatnonzero((ends[0] == min(names)) & (ends[1] == max(names)))[0])


def exposed(history, edge, until):
    """The recalls that an edge is exposed in, by the definition: after its birth, from entry on."""
    first = max(int(history.birth()[edge]) + 1, history.entry)
    return np.arange(first, min(until, history.recalls))


def moments(history, edge, recalls):
    """An edge at recalls."""
    return history.asked(np.full(len(recalls), edge), history.recall_us[recalls])


__all__ = [
    "CPU", "DAY_US", "NAMESPACES", "QUIET", "START_US", "edge_of", "exposed", "graph", "history",
    "moments", "pairs", "random_windows", "window",
]  # fmt: skip


def estimate_of(curve, events, unit="days"):
    """What is made of a profile of the partial likelihood, for a group by itself."""
    profile = GroupProfile(curve.half_lives, curve.values, inflation(curve), len(curve.recall))
    return share([profile], [events], unit).estimates[0]
