"""The log that the SQLite store and the layer both learn from, and what both are asked."""

import numpy as np

from hebb_lab.records import CoActivations, Queries
from tests.benchmarks.inputs import DAY_US, SEED_ENERGIES, SPAN_DAYS, START_US
from tests.benchmarks.sqlite_store import SqliteStore

NAMESPACES = ("branch:a", "personal", "shared")
SHARES = (0.1, 0.7, 0.2)
BRANCH = "branch:a"
END_US = START_US + SPAN_DAYS * DAY_US


def made_store_log(nodes, windows, hubs, seed=0):
    """Windows of four nodes over half a year in three namespaces.

    Args:
        nodes: how many there are.
        windows: how many; each gives six edges' reinforcements.
        hubs: nodes drawn with probability ~ (rank + 10)^−0.75 in place of all alike.
        seed: of the draws.
    """
    random = np.random.default_rng(seed)
    share = (np.arange(nodes) + 10.0) ** (-0.75 if hubs else 0.0)
    # the four largest keys of share-weighted exponentials are a draw without replacement
    keys = np.log(random.random((windows, nodes))) / share
    ids = np.argpartition(keys, -4, axis=1)[:, -4:]
    time = np.sort(random.integers(START_US, END_US, size=windows)) + np.arange(windows)
    return CoActivations(
        nodes=tuple(f"n{i:06d}" for i in range(nodes)), sessions=("s",), namespaces=NAMESPACES,
        time_us=time, session=np.zeros(windows, np.int32),
        node_ptr=np.arange(0, 4 * windows + 1, 4), node_ids=ids.ravel().astype(np.int32),
        strength=np.ones(windows, np.float32),
        namespace=random.choice(3, windows, p=SHARES).astype(np.int16),
    )  # fmt: skip


def learn(path, windows, rules):
    """A store that has learned all windows, and has decayed to the end of the log."""
    store = SqliteStore(path, rules, BRANCH)
    members = windows.node_ids.reshape(-1, 4).tolist()
    store.base.execute("PRAGMA synchronous = OFF")  # filling it is not what is measured
    for nodes, now, space in zip(
        members, windows.time_us.tolist(), windows.namespace.tolist(), strict=True
    ):
        store.reinforce(nodes, now, NAMESPACES[space])
    store.decay(END_US + DAY_US)
    store.base.execute("PRAGMA synchronous = NORMAL")
    return store


def asked_of(windows, count, seed=1):
    """Queries at one time after the log, three seeds each, drawn by how often a node came."""
    random = np.random.default_rng(seed)
    came = np.bincount(windows.node_ids, minlength=len(windows.nodes))
    seeds = np.array([random.choice(len(came), 3, False, came / came.sum()) for _ in range(count)])
    pointer = np.arange(0, 3 * count + 1, 3)
    return Queries(
        task="bench", query_ids=tuple(f"q{q}" for q in range(count)),
        time_us=np.full(count, END_US + DAY_US), cluster=np.arange(count, dtype=np.int32),
        block=np.ones(count, np.int16), event_row=np.full(count, -1), seed_ptr=pointer,
        seed_ids=seeds.ravel().astype(np.int32),
        seed_energy=np.tile(np.array(SEED_ENERGIES, np.float32), count), exclude_ptr=pointer,
        exclude_ids=seeds.ravel().astype(np.int32), texts=("",) * count,
    )  # fmt: skip


def seeds_of(queries):
    """Node → energy of each query."""
    ids = queries.seed_ids.reshape(-1, 3).tolist()
    levels = queries.seed_energy.astype(np.float64).reshape(-1, 3).tolist()
    return [
        dict(zip(nodes, energy, strict=True)) for nodes, energy in zip(ids, levels, strict=True)
    ]


def compare(store, queries, ranking, tolerance=1e-6):
    """Hold a ranking to the store's: score by rank, and each node's score to its energy there."""
    for q, seeds in enumerate(seeds_of(queries)):
        full = store.spread(seeds)
        energy, found = dict(full), ranking.ids[q] >= 0
        best = [level for _, level in full[: len(found)]]
        assert found.sum() == min(len(found), len(full))
        scores = ranking.scores[q][found]
        np.testing.assert_allclose(scores, best, rtol=tolerance)
        own = [energy[node] for node in ranking.ids[q][found].tolist()]
        np.testing.assert_allclose(scores, own, rtol=tolerance)
