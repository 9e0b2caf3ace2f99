"""The simulated touches as an EventLog, and everything together as a Dataset."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.records import EVENT_SCHEMA, Dataset, EventLog
from hebb_lab.simulator.names import prompt, text_of
from hebb_lab.simulator.sessions import schedule
from hebb_lab.simulator.touches import draw_touches
from hebb_lab.simulator.world import build_world
from hebb_lab.telemetry.report import ReadReport

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.simulator.parameters import SimulatorParameters
    from hebb_lab.simulator.sessions import Schedule
    from hebb_lab.simulator.touches import Touches
    from hebb_lab.simulator.world import World

FILE = "simulated"
TOOLS = {"read": "Read", "edit": "Edit", "write": "Write", "search": "Grep", "exec": "Bash"}
# Shares of read, edit, write, search, exec; from the op mix of the real logs.
OPS = ("read", "edit", "write", "search", "exec")
FIRST_TOUCH = (0.72, 0.0, 0.0, 0.16, 0.12)  # of a file in the session
NEW_FILE = (0.58, 0.0, 0.22, 0.09, 0.11)  # first touch of all
OPENED = (0.395, 0.445, 0.005, 0.045, 0.11)  # a file that was read or written in the session
UNOPENED = (0.80, 0.0, 0.0, 0.09, 0.11)  # only searched or run so far


def simulate(parameters: SimulatorParameters, rng: Generator) -> Dataset:
    """A team of agents at work in an invented repository, with known truth.

    The log looks like one that a reader made: one row a touch, provenance, report, prompts (they
    are invented, so they are kept). The truth holds for each row the distribution that its node
    was drawn from, and the half-life of each related pair. That distribution knows what no reader
    of the log can know: the turn's topic, the files that the prompt means, the affinities. The
    process is described in ``TouchProcess``; associations decay in it with those half-lives.

    Args:
        parameters: the team; see ``PRESETS``.
        rng: the only source of randomness: the same generator state gives the same log.

    Raises:
        ConfigError: for parameters that cannot be simulated.

    >>> from hebb_lab.simulator import PRESETS
    >>> data = simulate(PRESETS["tiny"], np.random.default_rng(0))
    >>> data.name, data.log.events["session"].n_unique()
    ('simulated', 20)
    """
    parameters.validate()
    plan = schedule(parameters, rng)
    world = build_world(parameters, plan.topics, rng)
    touches = draw_touches(parameters, world, plan, rng)
    session = plan.turn_session[plan.touch_turn]
    begun = np.full(parameters.sessions, np.inf)  # a session's place is that of its first touch
    np.minimum.at(begun, session, plan.touch_time)
    place = np.argsort(np.argsort(begun, kind="stable"))[session]
    order = np.lexsort((plan.touch_time, place))
    events = _events(parameters, world, plan, touches, order, place[order], rng)
    return Dataset(
        name="simulated",
        log=EventLog(events, _report(events)),
        texts=_texts(world, rng),
        truth=touches.truth.build(order, world),
    )


def _events(
    parameters: SimulatorParameters,
    world: World,
    plan: Schedule,
    touches: Touches,
    order: NDArray[np.int64],
    session: NDArray[np.int64],
    rng: Generator,
) -> pl.DataFrame:
    """Rows in the order of (session, time)."""
    turn, who = plan.touch_turn[order], plan.touch_agent[order]
    number = plan.turn_number[turn]
    node, rows = touches.node[order], len(order)
    operations = _operations(session, node, touches.first_ever[order], rng)
    said = _prompts(parameters, world, plan, touches, rng)
    hashed = {t: hashlib.sha256(text.encode()).hexdigest() for t, text in said.items()}
    agents = [f"sub-{t}-{w}" if w else "main" for t, w in zip(number, who, strict=True)]
    columns: dict[str, Any] = {
        "time_us": parameters.start_us + np.rint(plan.touch_time[order] * 1e6).astype(np.int64),
        "time_quality": ["exact"] * rows,
        "session": [f"s{s + 1:05d}" for s in session],
        "agent": agents,
        "turn": number,
        "call_id": [f"call{i:08x}" for i in range(rows)],
        "op": operations,
        "tool": [TOOLS[op] for op in operations],
        "node": [world.names[n] for n in node],
        "node_kind": ["file"] * rows,
        "ok": rng.random(rows) >= parameters.failures,
        "source": ["shell" if op == "exec" else "arg" for op in operations],
        "strength": np.ones(rows),
        "namespace": ["personal"] * rows,
        "query_sha256": [hashed[t] for t in turn.tolist()],
        "query": [said[t] for t in turn.tolist()],
        "file": [FILE] * rows,
        "line": np.arange(1, rows + 1),
        "byte": [None] * rows,
    }
    return pl.DataFrame(
        [pl.Series(name, columns[name]).cast(kind) for name, kind in EVENT_SCHEMA.items()]
    )


def _prompts(
    parameters: SimulatorParameters, world: World, plan: Schedule, touches: Touches, rng: Generator
) -> dict[int, str]:
    """What the user says in each turn, from its topic and the files that are meant."""
    said = {}
    for turn, meant in sorted(touches.focus.items()):
        names = [world.names[node] for node in meant]
        said[turn] = prompt(int(plan.turn_topic[turn]), names, parameters.bare_prompts, rng)
    return said


def _operations(
    session: NDArray[np.int64],
    node: NDArray[np.int64],
    first_ever: NDArray[np.bool_],
    rng: Generator,
) -> list[str]:
    """Read before edit: a file is edited only after it was read or written in the session."""
    opened: set[tuple[int, int]] = set()
    seen: set[tuple[int, int]] = set()
    tables = np.cumsum([FIRST_TOUCH, NEW_FILE, UNOPENED, OPENED], axis=1)
    draws = rng.random(len(node)).tolist()
    result: list[str] = []
    for key, new, draw in zip(
        zip(session.tolist(), node.tolist(), strict=True), first_ever.tolist(), draws, strict=True
    ):
        case = (1 if new else 0) if key not in seen else (3 if key in opened else 2)
        chosen = int(np.searchsorted(tables[case], draw * tables[case][-1], side="right"))
        op = OPS[min(chosen, len(OPS) - 1)]
        seen.add(key)
        if op in ("read", "write"):
            opened.add(key)
        result.append(op)
    return result


def _texts(world: World, rng: Generator) -> dict[str, str]:
    """For every file, touched or not, a few invented words."""
    texts = {}
    for node, name in enumerate(world.names):
        relatives = world.relative[world.row_ptr[node] : world.row_ptr[node + 1]][:4]
        topic = int(world.topic[node])
        texts[name] = text_of(name, topic, [world.names[r] for r in relatives], rng)
    return texts


def _report(events: pl.DataFrame) -> ReadReport:
    """What a reader would say of this log: nothing lost, an exact clock."""
    rows = events.height
    first, last = events["time_us"].min(), events["time_us"].max()
    return ReadReport(
        reader="simulated",
        files_read=1,
        lines_read=rows,
        calls=rows,
        calls_with_node=rows,
        subagent_calls=int((events["agent"] != "main").sum()),
        sessions=events["session"].n_unique(),
        events=rows,
        first_time_us=int(first),  # type: ignore[arg-type]
        last_time_us=int(last),  # type: ignore[arg-type]
        time_quality=Counter({"exact": rows}),
        projects=Counter({FILE: rows}),
    )
