"""Small random logs and rule sets, for tests that hold one implementation to another."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.records import CoActivations, Queries

DAY_US = 86_400_000_000
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
    """Any exponential rule set."""
    pick = lambda *options: draw(st.sampled_from(options))  # noqa: E731
    return SynapseRules(
        learning_rate=pick(0.3, 1.0, 0.02),
        weight_cap=pick(1.0, None),
        window_max=pick(None, 3),
        event_weight=pick("one", "inverse_size"),
        npmi_min=pick(None, None, 0.2),
        decay_before_reinforcement=pick(True, False),
        half_life=pick("fixed", "learned", "learned_observed", "none"),
        decay_passes=pick("continuous", "continuous", "compounding"),
        pass_interval_days=pick(1.0, 7.0),
        potentiation=pick(True, False),
        potentiation_count=pick(2, 5),
        floor_lifts=pick(True, False),
        ephemeral_floor=pick(True, False),
        prune_below=pick(0.01, 0.0, 0.1),
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
