"""The canary: whatever happens at or after a time changes no answer given before it.

The questions are those of the whole log. The facts are those of a log whose future was taken away,
shuffled or invented. A window that is open at that time is learned when it ends, so when it ends
is kept, but not what is in it: the log says that a turn has ended, and nobody may know its end
before.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from hebb_lab.experiment.load import load
from hebb_lab.experiment.methods import METHODS, Answer
from hebb_lab.experiment.settings import Settings
from hebb_lab.graph.layers import LAYERS
from hebb_lab.records import Dataset, EventLog, Ranking, Truth
from hebb_lab.telemetry.report import ReadReport
from tests.experiment.tiny import MEMORY_ARMS, composed, workshop
from tests.made_logs import DAY, SECOND

CONFIG = ("+exp=ablation", "debug=tiny", "recall.embedder=hashing", *MEMORY_ARMS)
TASKS = ("first_touch", "all_touches", "co_change", "continuation", "prompt_to_files")
NEW_NODES = ("!first", "src/0_between.py", "~last")


@cache
def dataset():
    return load(Settings.from_mapping(composed(*CONFIG)).dataset, None)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return workshop(*CONFIG, f"paths.cache={tmp_path_factory.mktemp('cache')}", dataset=dataset())


@pytest.fixture(scope="module")
def tasks(whole):
    protocol = whole.settings.evaluation.protocol
    return {name: whole.prepared.task(name, protocol) for name in TASKS}


def spans(whole):
    """First and last time of each window, [W]."""
    time, window = whole.prepared.touches.time_us, whole.prepared.window_of
    first = time[np.unique(window, return_index=True)[1]]
    return first, whole.prepared.windows.time_us


def moment(whole, kind, share):
    """A time after that share of the touches, in the middle of turns or between all of them."""
    first, last = spans(whole)
    times = whole.prepared.touches.time_us
    for time in times[int(share * len(times)) :].tolist():
        is_open = ((first < time) & (time <= last)).any()
        if is_open == (kind == "in a turn"):
            return time
    raise AssertionError("no such moment")


def rows_kept(whole, time):
    """Rows of the log before a time, and the last ones of the windows open then."""
    touches = whole.prepared.touches
    first, last = spans(whole)
    ends = last[(first < time) & (time <= last)]
    kept = (touches.time_us < time) | np.isin(touches.time_us, ends)
    return np.sort(touches.row[kept])


def truth_of(truth, rows):
    """The truth about some rows; a row of −1 was drawn from the first node."""
    spans_ = [(truth.row_ptr[r], truth.row_ptr[r + 1]) if r >= 0 else (0, 1) for r in rows]
    parts = [np.arange(start, stop) for start, stop in spans_]
    places = np.concatenate(parts)
    return replace(
        truth,
        row_ptr=np.cumsum([0, *map(len, parts)]).astype(np.int64),
        node=truth.node[places],
        probability=truth.probability[places],
    )


def remade(events, rows, texts):
    """A dataset of other events; rows says which row of the old log each of them was, or −1."""
    truth: Truth = truth_of(dataset().truth, rows)
    return Dataset("canary", EventLog(events, ReadReport()), texts, truth)


def without_the_future(whole, time, rng):
    rows = rows_kept(whole, time)
    return remade(dataset().log.events[rows], rows.tolist(), dataset().texts), rows


def with_a_shuffled_future(whole, time, rng):
    events, touches = dataset().log.events, whole.prepared.touches
    later = np.sort(touches.row[touches.time_us >= time])
    drawn = rng.permutation(later)
    place = np.arange(events.height)
    place[later] = drawn
    mixed = [events[column].gather(place).alias(column) for column in ("node", "query", "op")]
    rows = np.arange(events.height)
    return remade(events.with_columns(mixed), rows.tolist(), dataset().texts), rows


def with_an_invented_future(whole, time, rng):
    """New nodes, whose names shift the ids of all others, in new turns and in a new session."""
    events = dataset().log.events
    sessions = [*events["session"].unique(maintain_order=True), "invented"]
    more = []
    for i in range(60):
        session = sessions[int(rng.integers(len(sessions)))]
        node = (*NEW_NODES, *events["node"].unique(maintain_order=True))[int(rng.integers(12))]
        late = max(time, events.filter(pl.col("session") == session)["time_us"].max() or 0)
        more.append(
            events.row(0, named=True)
            | {"session": session, "turn": 9_000 + i // 6, "node": node, "query": "all other words"}
            | {"time_us": late + i * (DAY if i % 7 == 0 else SECOND), "strength": 2.0}
        )
    longer = pl.concat([events, pl.DataFrame(more, schema=events.schema)])
    rows = np.arange(events.height)
    texts = {**dataset().texts, "!first": "account test view " * 9, "~last": "account"}
    return remade(longer, [*rows.tolist(), *[-1] * len(more)], texts), rows


def translated(queries, count, names, other, rows):
    """The first questions, in the ids of another log."""
    ids = {name: node for node, name in enumerate(other.prepared.touches.nodes)}
    to = np.array([ids.get(name, -1) for name in names], np.int32)
    place = {int(row): i for i, row in enumerate(rows)}
    seeds = to[queries.seed_ids[: queries.seed_ptr[count]]]
    exclude = to[queries.exclude_ids[: queries.exclude_ptr[count]]]
    assert (seeds >= 0).all()
    assert (exclude >= 0).all()
    return replace(
        queries,
        seed_ids=seeds,
        exclude_ids=exclude,
        event_row=np.array([place.get(int(row), -1) for row in queries.event_row]),
    )


def answers(shop, task, arm, names):
    """The ranking with ids into the given names, whatever log it came from; −2 for others."""
    ranking = METHODS[arm.method](shop, task, arm).ranking
    ids = {name: node for node, name in enumerate(names)}
    to = np.array([*(ids.get(n, -2) for n in shop.prepared.touches.nodes), -1], np.int32)
    return Ranking(to[ranking.ids], ranking.scores)


def compared(whole, tasks, time, change, arms):
    """(arm, task) → whether the rankings before the time are byte-identical."""
    made, rows = change(whole, time, np.random.default_rng(7))
    other = replace(workshop(*CONFIG, dataset=made), settings=whole.settings)
    names, same = whole.prepared.touches.nodes, {}
    for name, task in tasks.items():
        count = int(np.searchsorted(task.queries.time_us, time, side="left"))
        assert count > 0
        before = task.head(count)
        asked = replace(before, queries=translated(before.queries, count, names, other, rows))
        for arm in arms:
            want = answers(whole, before, arm, names).sha256()
            same[arm.name, name] = answers(other, asked, arm, names).sha256() == want
    return same


FUTURES = (without_the_future, with_a_shuffled_future, with_an_invented_future)


@pytest.mark.parametrize("future", FUTURES)
@pytest.mark.parametrize(("kind", "share"), [("in a turn", 0.4), ("between turns", 0.7)])
def test_no_arm_answers_otherwise_because_of_what_comes_later(whole, tasks, future, kind, share):
    same = compared(whole, tasks, moment(whole, kind, share), future, whole.arms)
    assert [key for key, alike in same.items() if not alike] == []
    assert len(same) == len(whole.arms) * len(TASKS)


def test_the_canary_covers_every_method_and_layer_that_is_registered(whole):
    assert set(METHODS) == {arm.method for arm in whole.arms}
    assert set(LAYERS) == {layer for arm in whole.arms for layer in arm.layers}


@pytest.mark.parametrize("future", FUTURES)
def test_an_arm_that_looks_ahead_is_caught(whole, tasks, future, monkeypatch):
    def peeking(shop, task, arm):
        """Recency over the whole log."""
        touches = shop.prepared.touches
        newest = np.zeros(len(touches.nodes), np.float32)
        newest[touches.node] = np.arange(1, len(touches) + 1)
        best = np.argsort(newest)[::-1][:5].astype(np.int32)
        shape = (len(task.queries), 5)
        ranking = Ranking(np.broadcast_to(best, shape), np.broadcast_to(newest[best], shape))
        return Answer(ranking, np.zeros(len(task.queries), np.int64), None)

    monkeypatch.setitem(METHODS._entries, "peeking", peeking)
    arm = replace(whole.arms[0], name="peeking", method="peeking")
    same = compared(whole, tasks, moment(whole, "between turns", 0.3), future, [arm])
    assert not any(same.values())
