"""Small random logs and rule sets, for tests that hold one implementation to another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.temporal import co_activation_graph, transition_graph
from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, graph_arrays
from hebb_lab.kernels.parameters import ReadArrays, TraceArrays, rule_arrays
from hebb_lab.records import CoActivations, Queries
from tests.recall.asking import touches_from

DAY_US = 86_400_000_000
START_US = 20_000 * DAY_US
NAMESPACES = ("personal", "shared", "ephemeral", "branch:a")


@st.composite
def window_lists(draw: st.DrawFn, nodes: int = 7, most: int = 14):
    """[(time_us, node ids, strength, namespace)], times ascending, some equal."""
    gaps = draw(
        st.lists(
            st.sampled_from([0.0, 0.001, 0.3, 1.0, 5.0, 29.0, 200.0]), min_size=1, max_size=most
        )
    )
    windows, day = [], 20_000.0
    for gap in gaps:
        day += gap
        members = draw(st.lists(st.integers(0, nodes - 1), min_size=1, max_size=5, unique=True))
        strength = draw(st.sampled_from([1.0, 1.0, 1.0, 0.0, 0.5, 3.0, -0.3, -1.0]))
        space = draw(st.sampled_from([0, 0, 0, 1, 2, 3]))
        windows.append((round(day * DAY_US), members, strength, space))
    return windows


def co_activations(windows, nodes: int = 7) -> CoActivations:
    """The windows as the record that the graph is built from."""
    return CoActivations(
        nodes=tuple(f"n{i}" for i in range(nodes)),
        sessions=("s",),
        namespaces=NAMESPACES,
        time_us=np.array([w[0] for w in windows], np.int64),
        session=np.zeros(len(windows), np.int32),
        node_ptr=np.concatenate([[0], np.cumsum([len(w[1]) for w in windows])]).astype(np.int64),
        node_ids=np.concatenate([w[1] for w in windows]).astype(np.int32),
        strength=np.array([w[2] for w in windows], np.float32),
        namespace=np.array([w[3] for w in windows], np.int16),
    )


def queries_at(times, seeds, nodes: int = 7, exclude=()) -> Queries:
    """One query a time, the same seeds for all; times in order."""
    count, width, barred = len(times), len(seeds), len(exclude)
    return Queries(
        task="test",
        query_ids=tuple(f"q{i}" for i in range(count)),
        time_us=np.array(times, np.int64),
        cluster=np.zeros(count, np.int32),
        block=np.zeros(count, np.int16),
        event_row=np.full(count, -1, np.int64),
        seed_ptr=np.arange(count + 1, dtype=np.int64) * width,
        seed_ids=np.array([node for node, _ in seeds] * count, np.int32),
        seed_energy=np.array([energy for _, energy in seeds] * count, np.float32),
        exclude_ptr=np.arange(count + 1, dtype=np.int64) * barred,
        exclude_ids=np.array(list(exclude) * count, np.int32),
        texts=("",) * count,
    )


@st.composite
def rule_sets(draw: st.DrawFn) -> SynapseRules:
    """Any exponential rule set; what thresholds do with a weight that meets them exactly is

    tested by examples, since there the last bit of an exponential decides.
    """
    pick = lambda *options: draw(st.sampled_from(options))  # noqa: E731
    return SynapseRules(
        learning_rate=pick(0.3, 1.0, 0.02),
        weight_cap=pick(1.0, None),
        window_max=pick(None, 3),
        event_weight=pick("one", "inverse_size"),
        npmi_min=pick(None, None, 0.2037),
        decay_before_reinforcement=pick(True, False),
        half_life=pick("fixed", "learned", "learned_observed", "none"),
        decay_passes=pick("continuous", "continuous", "compounding"),
        pass_interval_days=pick(1.0, 7.0),
        potentiation=pick(True, False),
        potentiation_count=pick(2, 5),
        floor_lifts=pick(True, False),
        ephemeral_floor=pick(True, False),
        prune_below=pick(0.0103, 0.0, 0.0997),
        hops=pick(1, 2, 3),
        hub_degree=pick(50, 2, None),
        normalisation=pick("none", "source_row"),
        frontier=pick(None, 2),
    )


@st.composite
def point_process_rules(draw: st.DrawFn) -> SynapseRules:
    """Any rule set whose likelihood has a closed form."""
    pick = lambda *options: draw(st.sampled_from(options))  # noqa: E731
    return draw(rule_sets()).change(
        half_life=pick("fixed", "fixed", "none"),
        decay_passes="continuous",
        half_life_personal_days=pick(0.3, 3.0, 30.0, 300.0),
        half_life_shared_days=pick(2.0, 60.0),
    )


class Case(NamedTuple):
    """What kernels read of one log under some rule sets."""

    graph: GraphArrays
    traces: TraceArrays
    reads: ReadArrays


def case_of(windows, rules, nodes: int = 7, branch: str = "branch:a") -> Case:
    """A co-activation graph under C rule sets."""
    graph = graph_arrays(co_activation_graph(co_activations(windows, nodes)))
    return Case(graph, *rule_arrays(rules, NAMESPACES, branch))


def transitions_case(rules, touches: int = 60, nodes: int = 6) -> Case:
    """A directed graph: what was touched after what, in one session."""
    rng = np.random.default_rng(3)
    time = START_US + np.cumsum(rng.choice([0, 1, DAY_US // 7, 9 * DAY_US], touches))
    names = tuple(f"n{i}" for i in range(nodes))
    record = touches_from(names, rng.integers(0, nodes, touches), time)
    graph = transition_graph(record, np.arange(touches))
    return Case(graph_arrays(graph), *rule_arrays(rules, graph.namespaces, "branch:a"))


def busy_edge(events: int):
    """Thousands of events on one edge, some at one time, some weakening; and a few on others."""
    rng = np.random.default_rng(1)
    gaps = rng.choice([0.0, 0.0, 1e-4, 0.01, 0.2, 3.0], events, p=[0.3, 0.1, 0.2, 0.2, 0.18, 0.02])
    days = 20_000 + np.cumsum(gaps)
    strength = rng.choice([1.0, 0.25, 0.03, -0.21], events)
    windows = [
        (round(day * DAY_US), [0, 1], float(s), 0) for day, s in zip(days, strength, strict=True)
    ]
    return windows + [(windows[-1][0] + i, [i % 5, 5 + i % 2], 1.0, 0) for i in range(10)]


def hub(leaves: int = 70):
    """Node 0 has more than 50 neighbours, which form a ring; no two weights are equal."""
    rng = np.random.default_rng(2)
    windows = []
    for leaf in range(1, leaves + 1):
        strength = np.float32(rng.uniform(0.2, 2.0)), np.float32(rng.uniform(0.2, 2.0))
        windows.append((START_US + leaf * DAY_US // 9, [0, leaf], float(strength[0]), 0))
        other = leaf % leaves + 1
        windows.append((START_US + leaf * DAY_US // 9, [leaf, other], float(strength[1]), leaf % 2))
    return windows


def asked(*queries) -> QueryArrays:
    """Each query is (time_us, [(seed, energy)], [excluded])."""
    seeds = [pair for _, pairs, _ in queries for pair in pairs]
    barred = [node for _, _, nodes in queries for node in nodes]
    return QueryArrays(
        np.array([time for time, _, _ in queries], np.int64),
        np.cumsum([0, *(len(pairs) for _, pairs, _ in queries)], dtype=np.int64),
        np.array([seed for seed, _ in seeds], np.int32),
        np.array([energy for _, energy in seeds], np.float32),
        np.cumsum([0, *(len(nodes) for _, _, nodes in queries)], dtype=np.int64),
        np.array(barred, np.int32),
    )
