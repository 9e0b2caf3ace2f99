"""The story of a corpus: its memories in the order of writing, practice and test questions."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.lifecycles.replay.story import Asked, Event, Items, Practised, Story, Tie, Written
from hebb_lab.lifecycles.replay.texts import content_of
from hebb_lab.memory.values import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.lifecycles.replay.deal import Paper
    from hebb_lab.records import Memories, Questions

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

HOUR_US = 3_600_000_000
PRACTICE_AFTER_US, TEST_AFTER_US = HOUR_US, 2 * HOUR_US
"""A question without a time is asked so long after the last memory of its scope."""
IMPORTANCE_MOST = 10.0
"""Importance in the data goes so far; in a store it is in [0, 1]."""
UNKNOWN_IMPORTANCE = 0.5


def corpus_story(
    prepared: Prepared, tasks: Mapping[str, Task], test: Paper, practice: Paper, embed: Embed
) -> Story:
    """The story of a dataset of memories and questions.

    Memories of one session follow one another (FollowedBy), or those of a stated chain where the
    data has chains; stated associations are RelatedTo edges of confidence n / (n + 1), n times
    active together. An edge comes with the later of its two memories. The entity of a memory is
    its scope.

    Args:
        prepared: with memories and questions.
        tasks: that judge the answers; the first one says what a practice question needed.
        test: questions that are scored.
        practice: questions that may reinforce.
        embed: texts → unit vectors.
    """
    memories, questions = prepared.dataset.memories, prepared.dataset.questions
    if memories is None or questions is None:
        raise ValueError("a story of a corpus needs memories and questions")
    node_of = {name: node for node, name in enumerate(prepared.touches.nodes)}
    nodes = np.array([node_of[name] for name in memories.names], np.int32)
    items = _items(memories, nodes, embed)
    item_of = np.full(len(prepared.touches.nodes), -1, np.int64)
    item_of[nodes] = np.arange(len(nodes))

    def asked(paper: Paper, after_us: int) -> Asked:
        return _asked(paper, tasks, questions, memories, item_of, after_us, embed)

    practised = asked(practice, PRACTICE_AFTER_US)
    ties = [tie.kind for own in items.ties.values() for tie in own]
    return Story(
        items, _events(items, practised), asked(test, TEST_AFTER_US), practised,
        stated={kind.name.lower(): ties.count(kind) for kind in dict.fromkeys(ties)},
        ordered=_ordered(questions, [*test.ids, *practice.ids], [*test.groups, *practice.groups]),
    )  # fmt: skip


def _ordered(questions: Questions, ids: Sequence[str], groups: Sequence[str]) -> bool:
    """Whether some question has a time, and some scope is asked by more than one cluster.

    Clusters that share no scope know nothing of each other, whatever their times.
    """
    place = {name: number for number, name in enumerate(questions.ids)}
    asked = [place[name] for name in ids]
    if all(questions.time_us[number] is None for number in asked):
        return False
    clusters: dict[str | None, set[str]] = {}
    for number, group in zip(asked, groups, strict=True):
        clusters.setdefault(questions.cues[number].scope or None, set()).add(group)
    return None in clusters or any(len(own) > 1 for own in clusters.values())


def _items(memories: Memories, nodes: NDArray[np.int32], embed: Embed) -> Items:
    importance = np.clip(memories.importance / IMPORTANCE_MOST, 0.0, 1.0)
    importance = np.where(np.isfinite(importance), importance, UNKNOWN_IMPORTANCE)
    pairs = zip(memories.texts, memories.names, strict=True)
    return Items(
        nodes,
        tuple(content_of(text, name) for text, name in pairs),
        embed(memories.texts),
        importance.astype(np.float32),
        tuple(memories.scopes[scope] for scope in memories.scope.tolist()),
        memories.time_us.astype(np.int64),
        _ties(memories),
    )


def _ties(memories: Memories) -> dict[int, list[Tie]]:
    """Item → edges that come with it."""
    found: list[Tie] = []
    for chain in _chains(memories):
        found += [Tie(EdgeKind.FOLLOWED_BY, before, after) for before, after in pairwise(chain)]
    hints = memories.hints
    columns = (hints.first.tolist(), hints.second.tolist(), hints.times.tolist())
    for first, second, times in zip(*columns, strict=True):
        found.append(Tie(EdgeKind.RELATED_TO, first, second, max(times, 0) / (max(times, 0) + 1)))
    ties: dict[int, list[Tie]] = {}
    for tie in found:
        if tie.source != tie.target:
            ties.setdefault(max(tie.source, tie.target), []).append(tie)
    return ties


def _chains(memories: Memories) -> list[list[int]]:
    """Memories that follow one another: stated chains, else each session of each scope."""
    if memories.chains is not None:
        return [memories.chains.row(i).tolist() for i in range(len(memories.chains.ptr) - 1)]
    sessions: dict[tuple[int, int], list[int]] = {}
    pairs = zip(memories.scope.tolist(), memories.session.tolist(), strict=True)
    for item, where in enumerate(pairs):
        sessions.setdefault(where, []).append(item)
    return list(sessions.values())


def _asked(
    paper: Paper, tasks: Mapping[str, Task], questions: Questions, memories: Memories,
    item_of: NDArray[np.int64], after_us: int, embed: Embed,
) -> Asked:  # fmt: skip
    place = {name: number for number, name in enumerate(questions.ids)}
    numbers = [place[query] for query in paper.ids]
    texts = tuple(questions.texts[number] for number in numbers)
    ends = _ends(memories)
    scopes = [questions.cues[number].scope for number in numbers]
    times = [questions.time_us[number] for number in numbers]
    only = memories.scopes[0] if len(memories.scopes) == 1 else None
    return Asked(
        paper.ids, texts, embed(texts),
        [scope or only for scope in scopes],
        np.full(len(numbers), -1, np.int64),
        np.array([
            ends[scope] + after_us if time_us is None else time_us
            for scope, time_us in zip(scopes, times, strict=True)
        ], np.int64),
        (np.zeros(0, np.int32),) * len(numbers),
        [item_of[_gold(tasks[task], at)] for task, at in
         zip(paper.task, paper.place.tolist(), strict=True)],
        paper.groups,
    )  # fmt: skip


def _gold(task: Task, place: int) -> NDArray[np.int32]:
    qrels = task.qrels
    return qrels.ids[qrels.ptr[place] : qrels.ptr[place + 1]]


def _ends(memories: Memories) -> dict[str, int]:
    """Scope → time of its last memory; that of all memories under the empty name."""
    ends = {"": int(memories.time_us[-1])}
    for scope, name in enumerate(memories.scopes):
        own = memories.time_us[memories.scope == scope]
        ends[name] = int(own[-1]) if len(own) else ends[""]
    return ends


def _events(items: Items, practice: Asked) -> list[Event]:
    """Memories, cut where a practice question is asked; such a question knows what was before."""
    events: list[Event] = []
    first = 0
    for time_us, rows in practice.moments():
        stop = int(np.searchsorted(items.time_us, time_us, side="left"))
        if stop > first:
            events.append(Event(int(items.time_us[first]), Written(first, stop)))
        first = max(first, stop)
        events += [Event(time_us, Practised(row)) for row in rows.tolist()]
    if first < len(items):
        events.append(Event(int(items.time_us[first]), Written(first, len(items))))
    return events
