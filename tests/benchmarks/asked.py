"""Queries about a graph, each at its own time."""

import numpy as np

from hebb_lab.records import Queries
from tests.benchmarks.inputs import SEED_ENERGIES


def queries_of(graph, count, times):
    """Queries with three seeds each, drawn by how many edges a node has."""
    random = np.random.default_rng(0)
    degrees = np.diff(graph.row_ptr.numpy())
    seeds = np.array([random.choice(len(degrees), 3, False, degrees / degrees.sum())
                      for _ in range(count)])  # fmt: skip
    return Queries(
        task="bench", query_ids=tuple(f"q{q}" for q in range(count)), time_us=np.sort(times),
        cluster=np.arange(count, dtype=np.int32), block=np.ones(count, np.int16),
        event_row=np.full(count, -1), seed_ptr=np.arange(0, 3 * count + 1, 3),
        seed_ids=seeds.ravel().astype(np.int32),
        seed_energy=np.tile(np.array(SEED_ENERGIES, np.float32), count),
        exclude_ptr=np.zeros(count + 1, np.int64), exclude_ids=np.zeros(0, np.int32),
        texts=("",) * count,
    )  # fmt: skip


def spans_of(graph, count):
    """Times all over the log."""
    times = graph.event_time.numpy()
    return np.random.default_rng(1).integers(np.quantile(times, 0.1), times.max(), count)


def only(queries, chosen):
    """Some of the queries, of three seeds each and nothing excluded."""
    return Queries(
        queries.task, tuple(queries.query_ids[q] for q in chosen), queries.time_us[chosen],
        queries.cluster[chosen], queries.block[chosen], queries.event_row[chosen],
        np.arange(0, 3 * len(chosen) + 1, 3), queries.seed_ids.reshape(-1, 3)[chosen].ravel(),
        queries.seed_energy.reshape(-1, 3)[chosen].ravel(),
        queries.exclude_ptr[: len(chosen) + 1], queries.exclude_ids, ("",) * len(chosen),
    )  # fmt: skip
