"""A world as a log that the ordinary path reads, and as the graph that it gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.records import EVENT_SCHEMA, CoActivations, Dataset, EdgeTruth, EventLog
from hebb_lab.telemetry.report import ReadReport
from hebb_lab.worlds.activity import active_clock
from hebb_lab.worlds.nature import draw_nature
from hebb_lab.worlds.sampling import sample

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.graph.temporal import TemporalGraph
    from hebb_lab.worlds.parameters import WorldParameters
    from hebb_lab.worlds.sampling import Events

FILE = "world"


@dataclass(frozen=True)
class World:
    """What happened, and what is true.

    Args:
        namespaces: names.
        namespace: [E] int16 index into ``namespaces``.
        ends: [E, 2] int32 node of each end, indices into ``truth.nodes``.
        events: in time order.
        session: [M] session of each event, numbered from 0 in time.
        truth: in the order of the graph's edges.
    """

    namespaces: tuple[str, ...]
    namespace: NDArray[np.int16]
    ends: NDArray[np.int32]
    events: Events
    session: NDArray[np.int64]
    truth: EdgeTruth


def world_graph(parameters: WorldParameters, rng: Generator) -> tuple[TemporalGraph, EdgeTruth]:
    """The graph of a world, and what is true of each of its edges.

    It is the graph that ``world_log`` gives by the ordinary path, without the log.

    Args:
        parameters: the world; see ``PRESETS``.
        rng: the only source of randomness: the same generator state gives the same world.

    Raises:
        ConfigError: for parameters that cannot be simulated.

    >>> from hebb_lab.worlds import parameters_from
    >>> graph, truth = world_graph(parameters_from("shared", edges=30), np.random.default_rng(0))
    >>> graph.edge_count, len(truth.pairs), truth.half_life_days[0].item()
    (30, 30, 20.0)
    """
    from hebb_lab.graph.temporal import co_activation_graph

    world = _draw(parameters, rng)
    return co_activation_graph(_windows(world)), world.truth


def world_log(parameters: WorldParameters, rng: Generator, name: str = FILE) -> Dataset:
    """A world as a log: every event is one turn of a session, which touches the edge's two nodes.

    No two edges have a node in common, so windows by turn give each event back, at its time.

    Args:
        parameters: the world; see ``PRESETS``.
        rng: as in ``world_graph``: the same state gives the same events.
        name: of the dataset.

    Raises:
        ConfigError: for parameters that cannot be simulated.

    >>> from hebb_lab.worlds import parameters_from
    >>> data = world_log(parameters_from("tiny", edges=5), np.random.default_rng(0))
    >>> data.log.events["node"].n_unique(), data.edges.law
    (10, 'exponential')
    """
    world = _draw(parameters, rng)
    events = _rows(world)
    return Dataset(name=name, log=EventLog(events, _report(events)), edges=world.truth)


def _draw(parameters: WorldParameters, rng: Generator) -> World:
    parameters.validate()
    # A stream each: how long the log is does not change what the edges are.
    streams = [np.random.default_rng(int(seed)) for seed in rng.integers(2**63, size=3)]
    nature = draw_nature(parameters, streams[0])
    clock = active_clock(parameters, streams[1])
    events = sample(parameters, nature, clock, streams[2])
    names = [
        f"{parameters.namespaces[space]}/e{edge:05d}/{end}"
        for edge, space in enumerate(nature.namespace.tolist())
        for end in "ab"
    ]
    nodes = sorted(names, key=str.encode)
    number = {name: node for node, name in enumerate(nodes)}
    ends = np.array([number[name] for name in names], np.int32).reshape(-1, 2)
    order = np.argsort(ends.min(axis=1))  # the graph's: no two edges share a node
    truth = EdgeTruth(
        tuple(nodes), np.sort(ends, axis=1)[order], nature.half_life_days[order],
        nature.base_rate[order], nature.gain[order], parameters.law,
        parameters.power_exponent, parameters.power_offset_days, clock.activity,
    )  # fmt: skip
    session = clock.session(events.time_us)
    return World(parameters.namespaces, nature.namespace, ends, events, session, truth)


def _windows(world: World) -> CoActivations:
    """One window an event, as ``telemetry.windows`` cuts the log by turn."""
    edge, time_us = world.events
    spaces, space = _in_order_of_appearance(world.namespace[edge])
    sessions, session = _in_order_of_appearance(world.session)
    return CoActivations(
        nodes=world.truth.nodes,
        sessions=tuple(_session_name(s) for s in sessions.tolist()),
        namespaces=tuple(world.namespaces[s] for s in spaces.tolist()),
        time_us=time_us,
        session=session.astype(np.int32),
        node_ptr=2 * np.arange(len(edge) + 1),
        node_ids=world.ends[edge].ravel(),
        strength=np.ones(len(edge), np.float32),
        namespace=space.astype(np.int16),
    )


def _in_order_of_appearance(codes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """(values in the order of their first place, [M] place of each value in them)."""
    values, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return values[order], np.argsort(order)[place]


def _session_name(number: int) -> str:
    return f"s{number + 1:05d}"


def _rows(world: World) -> pl.DataFrame:
    """Two rows an event: the second touch at its time, the first a microsecond before."""
    edge, time_us = np.repeat(world.events.edge, 2), np.repeat(world.events.time_us, 2)
    time_us[::2] -= 1
    events = np.arange(len(world.events.edge))
    begun = np.searchsorted(world.session, world.session)  # first event of the session
    node = world.ends[world.events.edge].ravel()
    names = pl.Series(world.truth.nodes)
    spaces = pl.Series(world.namespaces)
    session = pl.Series([_session_name(s) for s in world.session.tolist()])
    columns: dict[str, Any] = {
        "time_us": time_us,
        "session": session.gather(np.repeat(events, 2)),
        "turn": np.repeat(events - begun + 1, 2),
        "call_id": [f"call{i:08x}" for i in range(len(edge))],
        "node": names.gather(node),
        "namespace": spaces.gather(world.namespace[edge].astype(np.int64)),
        "line": np.arange(1, len(edge) + 1),
    }
    frame = pl.DataFrame(columns).with_columns(
        time_quality=pl.lit("exact"), agent=pl.lit("main"), op=pl.lit("read"),
        tool=pl.lit("Read"), node_kind=pl.lit("file"), ok=pl.lit(True), source=pl.lit("arg"),
        strength=pl.lit(1.0), query_sha256=pl.lit(None), query=pl.lit(None), file=pl.lit(FILE),
        byte=pl.lit(None),
    )  # fmt: skip
    return frame.select(pl.col(name).cast(kind) for name, kind in EVENT_SCHEMA.items())


def _report(events: pl.DataFrame) -> ReadReport:
    """What a reader would say of this log: nothing lost, an exact clock."""
    rows = events.height
    return ReadReport(
        reader=FILE, files_read=1, lines_read=rows, calls=rows, calls_with_node=rows,
        sessions=events["session"].n_unique(), events=rows,
        first_time_us=int(events["time_us"][0]), last_time_us=int(events["time_us"][-1]),
        time_quality=Counter({"exact": rows}), projects=Counter({FILE: rows}),
    )  # fmt: skip
