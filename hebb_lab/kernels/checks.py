"""What no kernel may be started with: each problem is named before anything is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.parameters import FIXED, NONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, Rows
    from hebb_lab.kernels.parameters import TraceArrays

MOST_EDGES = 2**31 - 1  # edge ids are int32
CURE = "Build the graph with hebb_lab.graph.temporal, which sorts and numbers what it is given"


def check_graph(graph: GraphArrays) -> None:
    """Sizes, order and ids of a graph.

    Raises:
        InputError: what is wrong, with the place of the first such entry.
    """
    edges, events, nodes = len(graph.namespace), len(graph.time), len(graph.row_ptr) - 1
    if max(edges, len(graph.col)) > MOST_EDGES:
        raise InputError(
            f"the graph has {len(graph.col):,} directed edges, and edge ids are int32",
            "Raise dataset.windows.graph_max's gate, or split the log",
        )
    check_pointer("events", graph.event_ptr, events)
    check_pointer("rows", graph.row_ptr, len(graph.col))
    if len(graph.event_ptr) != edges + 1:
        raise InputError(f"{len(graph.event_ptr)} event pointers for {edges} edges", CURE)
    check_ids("neighbours", graph.col, nodes)
    check_ids("edges of the rows", graph.edge_id, edges)
    _all("strength", "is not finite", np.isfinite(as_numpy(graph.strength)))
    time, edge_of = as_numpy(graph.time), as_numpy(graph.edge_of)
    in_order = (np.diff(time) >= 0) | (np.diff(edge_of) != 0)
    _all("event", "is earlier than the one before it on its edge", in_order)


def check_traces(graph: GraphArrays, traces: TraceArrays) -> None:
    """Numbers of the rules, and that they know every namespace of the graph.

    Raises:
        ConfigError: a half-life that is not positive, a rate that is not finite.
        InputError: a namespace that the rules do not know.
    """
    check_ids("namespaces", graph.namespace, traces.default_days.shape[1])
    for name in ("default_days", "low_days", "high_days"):
        days = as_numpy(getattr(traces, name))
        if not (np.isfinite(days) & (days > 0)).all():
            raise ConfigError(
                f"a half-life in {name} is {float(days.ravel()[_first(~(days > 0))]):g}",
                "Give days above 0, or half_life=none for no decay",
            )
    for name in ("learning_rate", "strength_max", "floor", "prune_below"):
        values = as_numpy(getattr(traces, name))
        if not (np.isfinite(values) & (values >= 0)).all():
            raise ConfigError(f"{name} is not a finite number from 0 up", "Give such a number")


def check_rates(
    traces: TraceArrays, base_rate: NDArray[np.float64], gain: NDArray[np.float64]
) -> None:
    """What the point process needs.

    Raises:
        ConfigError: rules whose integral has no closed form.
        InputError: rates of another shape or out of range.
    """
    mode = as_numpy(traces.half_life_mode)
    if not np.isin(mode, (FIXED, NONE)).all() or as_numpy(traces.compounding).any():
        raise ConfigError(
            "the likelihood's integral needs fixed half-lives, or none, and continuous decay",
            "Set rules.half_life=fixed and rules.decay_passes=continuous",
        )
    mu, beta = as_numpy(base_rate), as_numpy(gain)
    if mu.shape != mode.shape or beta.shape != mode.shape:
        raise InputError(f"{mu.shape} base rates and {beta.shape} gains for {len(mode)} traces",
                         "Give one of each a trace")  # fmt: skip
    _all("base rate", "is not above 0 and finite", np.isfinite(mu) & (mu > 0))
    _all("gain", "is negative or not finite", np.isfinite(beta) & (beta >= 0))


def check_rows(rows: Rows, configs: int) -> None:
    """A matrix that stands still.

    Raises:
        InputError: shapes that do not fit, ids out of range, weights that are not finite.
    """
    check_pointer("rows", rows.row_ptr, len(rows.col))
    check_ids("neighbours", rows.col, len(rows.row_ptr) - 1)
    weight = as_numpy(rows.weight)
    if weight.shape != (len(rows.col), configs):
        raise InputError(
            f"weights of shape {weight.shape} for {len(rows.col)} edges and {configs} configurations",
            "Give [S, C]",
        )
    _all("weight", "is not finite", np.isfinite(weight))


def check_queries(queries: QueryArrays, nodes: int) -> None:
    """Queries in time order, about nodes that there are.

    Raises:
        InputError: what is wrong, with the place of the first such entry.
    """
    check_ascending("query times", queries.time)
    check_pointer("seeds", queries.seed_ptr, len(queries.seed_ids))
    check_pointer("exclusions", queries.exclude_ptr, len(queries.exclude_ids))
    check_ids("seeds", queries.seed_ids, nodes)
    check_ids("exclusions", queries.exclude_ids, nodes)
    energy = as_numpy(queries.seed_energy)
    _all("seed energy", "is negative or not finite", np.isfinite(energy) & (energy >= 0))


def check_recall(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], queries: QueryArrays,
) -> None:  # fmt: skip
    """Vectors and energies that fit each other.

    Raises:
        InputError: what is wrong.
    """
    if vectors.ndim != 2 or asked.ndim != 2 or vectors.shape[1] != asked.shape[1]:
        raise InputError(
            f"vectors of shape {vectors.shape} and queries of shape {asked.shape}",
            "Give [N, d] and [Q, d]",
        )
    shape = (len(boost), len(asked))
    if energies.ids.shape[:2] != shape or len(queries.exclude_ptr) != len(asked) + 1:
        raise InputError(
            f"energies of {energies.ids.shape[:2]} for {shape} configurations and queries",
            "Give [C, Q, depth], and the queries that were asked",
        )
    for what, values in (("vector", vectors), ("query vector", asked)):
        _all(what, "is not finite", np.isfinite(as_numpy(values)).all(axis=1))
    _all("boost", "is not finite", np.isfinite(boost))
    check_ids("energies", energies.ids.ravel(), len(vectors), least=-1)
    check_ids("exclusions", queries.exclude_ids, len(vectors))


def check_values(values: NDArray[np.float64], length: int) -> None:
    """[C, L] finite numbers."""
    if values.ndim != 2 or values.shape[1] != length:
        raise InputError(f"values of shape {values.shape} for {length} ids", "Give [C, L]")
    _all("value", "is not finite", np.isfinite(as_numpy(values)).all(axis=0))


def check_lists(ids: NDArray[np.int32], pointer: NDArray[np.int64], ascending: bool) -> None:
    """Lists of ids from 0 up."""
    check_pointer("lists", pointer, len(ids))
    flat = as_numpy(ids)
    _all("id", "is negative", flat >= 0)
    if ascending and len(flat) > 1:
        starts = np.zeros(len(flat) + 1, np.bool_)
        starts[as_numpy(pointer)] = True
        _all("id", "does not ascend in its list", (np.diff(flat) > 0) | starts[1:-1])


def check_pointer(what: str, pointer: Any, length: int) -> None:
    """Offsets from 0 to a length that never go back."""
    values = as_numpy(pointer)
    if len(values) == 0 or values[0] != 0 or values[-1] != length or (np.diff(values) < 0).any():
        raise InputError(f"the pointer of the {what} does not ascend from 0 to {length}", CURE)


def check_ids(what: str, ids: Any, size: int, least: int = 0) -> None:
    """Ids in [least, size)."""
    values = as_numpy(ids)
    wrong = (values < least) | (values >= size)
    if wrong.any():
        place = _first(wrong)
        raise InputError(
            f"entry {place} of the {what} is {values.ravel()[place]}, outside [{least}, {size})",
            CURE,
        )


def check_ascending(what: str, time_us: Any) -> None:
    """Times in order."""
    _all(
        f"of the {what}: entry", "is earlier than the one before", np.diff(as_numpy(time_us)) >= 0
    )


def _all(what: str, is_wrong: str, good: NDArray[np.bool_]) -> None:
    if not good.all():
        wrong = ~good
        raise InputError(
            f"{what} {_first(wrong)} {is_wrong} ({int(wrong.sum()):,} in all)",
            "Mend or leave out these entries",
        )


def _first(wrong: NDArray[np.bool_]) -> int:
    return int(np.flatnonzero(wrong.ravel())[0])
