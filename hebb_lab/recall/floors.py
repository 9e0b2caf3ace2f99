"""Rankings that know nothing of association: the floors, and the oracle's ceiling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.kernels.arrays import query_arrays
from hebb_lab.kernels.cpu.floors import popularity_and_recency
from hebb_lab.recall.known import Births, empty_ranking, excluded, fill_best, require_time_order
from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.records import Queries, Truth
    from hebb_lab.telemetry.touches import Touches

FLOAT32_EXACT = 2**24  # all whole numbers up to here are float32 numbers


def random_ranking(
    queries: Queries,
    nodes: Sequence[str],
    born_us: NDArray[np.int64],
    k: int,
    rng: np.random.Generator,
) -> Ranking:
    """The known nodes in a uniform order, drawn anew for each query.

    Query q draws from its own stream, (a seed from ``rng``, q), and draws from the nodes in the
    order of their birth: what is born later, and later queries, change nothing. The score at rank
    r is k + 1 − r.

    Args:
        queries: in time order.
        nodes: [N] names.
        born_us: [N] int64, first touch of each.
        k: how many.
        rng: one number is taken from it.

    Raises:
        ValueError: nodes and births differ in number, or the queries are not in time order.
    """
    if len(nodes) != len(born_us):
        raise ValueError(f"{len(nodes)} nodes have {len(born_us)} times of birth")
    seed = int(rng.integers(2**63))
    births, ranking = Births.of(born_us), empty_ranking(len(queries), k)
    for q, known in enumerate(births.known(queries).tolist()):
        barred = np.unique(excluded(queries, q))
        stream = np.random.default_rng([seed, q])
        drawn = stream.choice(known, size=min(known, k + len(barred)), replace=False)
        answers = births.node[drawn]
        answers = answers[~np.isin(answers, barred)][:k]
        ranking.ids[q, : len(answers)] = answers
        ranking.scores[q, : len(answers)] = np.arange(k, k - len(answers), -1)
    return ranking


def popularity(queries: Queries, touches: Touches, k: int) -> Ranking:
    """Nodes by their number of touches strictly before each query.

    Raises:
        InputError: more than 2²⁴ touches; float32 could no longer tell them apart.
        ValueError: the queries are not in time order.
    """
    return _floors(queries, touches, k)[0]


def recency(queries: Queries, touches: Touches, k: int) -> Ranking:
    """Nodes by the position (from 1) of their last touch strictly before each query.

    Raises:
        InputError: more than 2²⁴ touches; float32 could no longer tell them apart.
        ValueError: the queries are not in time order.
    """
    return _floors(queries, touches, k)[1]


def _floors(queries: Queries, touches: Touches, k: int) -> tuple[Ranking, Ranking]:
    require_time_order(queries)
    if len(touches) > FLOAT32_EXACT:
        raise InputError(
            f"popularity and recency rank by float32 numbers, which are exact up to "
            f"{FLOAT32_EXACT} touches; the log has {len(touches)}",
            "Read a shorter span of the log, or leave these two arms out",
        )
    if k == 0:
        return empty_ranking(len(queries), 0), empty_ranking(len(queries), 0)
    popular, recent = popularity_and_recency(
        touches.node, touches.time_us, len(touches.nodes), query_arrays(queries), k
    )
    return Ranking(*popular), Ranking(*recent)


def oracle(queries: Queries, truth: Truth, touches: Touches, k: int) -> Ranking:
    """Nodes by the probability with which the simulator drew the answer: the ceiling.

    It knows the distribution, not the draw. Nodes that are not known yet or may not be answers
    are left out, as for everyone; so is a probability of 0. A query without an event has no
    answer.

    Args:
        queries: ``event_row`` says which row of the log holds the answer.
        truth: the distribution behind each row.
        touches: of the same log; its names give the ids.
        k: how many.
    """
    ids = {name: node for node, name in enumerate(touches.nodes)}
    node_of = np.array([ids.get(name, -1) for name in truth.nodes], dtype=np.int64)
    born_us, ranking = touches.born_us(), empty_ranking(len(queries), k)
    for q, row in enumerate(queries.event_row.tolist()):
        if row < 0:
            continue
        drawn = slice(truth.row_ptr[row], truth.row_ptr[row + 1])
        nodes, probability = node_of[truth.node[drawn]], truth.probability[drawn]
        possible = (nodes >= 0) & (probability > 0)
        nodes, probability = nodes[possible], probability[possible]
        known = (born_us[nodes] < queries.time_us[q]) & ~np.isin(nodes, excluded(queries, q))
        fill_best(ranking, q, nodes[known], probability[known])
    return ranking
