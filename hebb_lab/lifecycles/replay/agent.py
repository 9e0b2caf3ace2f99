"""The story of an agent's log: nodes are remembered at their first touch, and accessed later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hebb_lab.lifecycles.replay.story import Asked, Event, Items, Story, Tie, Touched, Written
from hebb_lab.lifecycles.replay.texts import content_of
from hebb_lab.memory.values import EdgeKind
from hebb_lab.recall.words import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task, TaskSettings
    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.lifecycles.replay.deal import Paper
    from hebb_lab.telemetry.touches import Touches

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

CHANGES = ("edit", "write")
"""Operations that change what a node says."""
IMPORTANCE = 0.5


class _Step:
    """One touch, as the walk through a log finds it."""

    __slots__ = ("before", "item", "view")

    def __init__(self, item: int, before: int, view: list[int]) -> None:
        self.item, self.before, self.view = item, before, view


def agent_story(
    prepared: Prepared, tasks: Mapping[str, Task], test: Paper, practice: Paper, embed: Embed,
    settings: TaskSettings,
) -> Story:  # fmt: skip
    """The story of a log.

    A node is remembered at its first touch; its content is its name, and its text where there is
    one. Each later touch from another node is a step of the agent, with a recall of its own: the
    cue is the nodes in view, their vectors weighted by their energies, the seed is the last of
    them. A session's touches follow one another (FollowedBy). Edits may be revisions. All nodes of
    a namespace are one scope.

    Args:
        prepared: the log.
        tasks: that judge the answers.
        test: queries that are scored, each asked before the touch that it is about.
        practice: queries that choose rules.
        embed: texts → unit vectors.
        settings: how many nodes are in view, and their energies.
    """
    touches = prepared.touches
    item_of, first = _first_touches(touches)
    ties: dict[int, list[Tie]] = {}
    steps = list(_steps(touches, item_of, settings.seeds))
    ops = prepared.dataset.log.events["op"].cast(pl.String).to_numpy()[touches.row]
    events, asked = _events(touches, steps, np.isin(ops, CHANGES), first, ties)
    items = _items(prepared, first, embed, ties)
    only = touches.namespaces[0] if len(touches.namespaces) == 1 else None
    energy = np.float64(settings.seed_decay) ** np.arange(settings.seeds, dtype=np.float64)

    def papers(paper: Paper) -> Asked:
        return _asked(paper, tasks, items, item_of, only, embed)

    later = [event.what for event in events if isinstance(event.what, Touched)]
    return Story(
        items, events, papers(test), papers(practice),
        _own(steps, asked, touches, items, energy, only),
        stated={"followed_by": sum(what.before >= 0 for what in later) + len(ties)},
        edited=sum(what.edited for what in later),
    )  # fmt: skip


def _first_touches(touches: Touches) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(item of each node, place of each item's first touch): items by their first touch."""
    _, first = np.unique(touches.node, return_index=True)
    first = np.sort(first)
    item_of = np.full(len(touches.nodes), -1, np.int64)
    item_of[touches.node[first]] = np.arange(len(first))
    return item_of, first


def _items(
    prepared: Prepared, first: NDArray[np.int64], embed: Embed, ties: Mapping[int, Sequence[Tie]]
) -> Items:
    touches, texts = prepared.touches, prepared.dataset.texts
    nodes = touches.node[first]
    names = [touches.nodes[node] for node in nodes.tolist()]
    said = [texts.get(name, "") for name in names]
    full = [f"{name}\n{text}" if text else name for name, text in zip(names, said, strict=True)]
    # as the dense seeder reads them, so that both search the same vectors
    phrases = [" ".join(words_of(name)) for name in names]
    worded = [f"{phrase}\n{text}".strip() for phrase, text in zip(phrases, said, strict=True)]
    return Items(
        nodes.astype(np.int32),
        tuple(content_of(text, name) for text, name in zip(full, names, strict=True)),
        embed(worded),
        np.full(len(nodes), IMPORTANCE, np.float32),
        tuple(touches.namespaces[n] for n in touches.namespace[first].tolist()),
        touches.time_us[first].astype(np.int64),
        ties,
    )


def _steps(touches: Touches, item_of: NDArray[np.int64], seeds: int) -> Iterator[_Step]:
    """Each touch with the item before it and the newest items in view, as items."""
    views: dict[int, dict[int, None]] = {}
    pairs = zip(touches.session.tolist(), item_of[touches.node].tolist(), strict=True)
    for session, item in pairs:
        view = views.setdefault(session, {})
        newest = [seen for seen, _ in zip(reversed(view), range(seeds), strict=False)]
        yield _Step(item, newest[0] if newest else -1, newest)
        view.pop(item, None)
        view[item] = None


def _events(
    touches: Touches, steps: Sequence[_Step], edited: NDArray[np.bool_], first: NDArray[np.int64],
    ties: dict[int, list[Tie]],
) -> tuple[list[Event], list[int]]:  # fmt: skip
    """(events, places of the touches that ask); fills the edges of first touches."""
    events: list[Event] = []
    asked: list[int] = []
    firsts = set(first.tolist())
    for place, (step, time_us) in enumerate(zip(steps, touches.time_us.tolist(), strict=True)):
        moved = step.before >= 0 and step.before != step.item
        if place in firsts:
            if moved:
                ties[step.item] = [Tie(EdgeKind.FOLLOWED_BY, step.before, step.item)]
            events.append(Event(time_us, Written(step.item, step.item + 1)))
            continue
        question = -1
        if moved:
            question = len(asked)
            asked.append(place)
        before = step.before if moved else -1
        events.append(Event(time_us, Touched(step.item, question, before, bool(edited[place]))))
    return events, asked


def _own(
    steps: Sequence[_Step], places: Sequence[int], touches: Touches, items: Items,
    energy: NDArray[np.float64], only: str | None,
) -> Asked:  # fmt: skip
    """The agent's own recalls."""
    views = [steps[place].view for place in places]
    sessions = [touches.sessions[s] for s in touches.session[places].tolist()]
    return Asked(
        tuple(f"step-{place:07d}" for place in places),
        [" ".join(items.contents[item] for item in view) for view in views],
        np.stack([_mean(items.vectors[view], energy[: len(view)]) for view in views])
        if views else np.zeros((0, items.vectors.shape[1]), np.float32),
        [only] * len(views),
        np.array([view[0] for view in views], np.int64),
        touches.time_us[list(places)].astype(np.int64),
        (np.zeros(0, np.int32),) * len(views),
        [np.array([steps[place].item], np.int64) for place in places],
        sessions,
    )  # fmt: skip


def _asked(
    paper: Paper, tasks: Mapping[str, Task], items: Items, item_of: NDArray[np.int64],
    only: str | None, embed: Embed,
) -> Asked:  # fmt: skip
    """Queries of tasks; one without words asks by the nodes in view."""
    texts: list[str] = []
    means: list[NDArray[np.float32]] = []
    seeds, times, excluded, needed = [], [], [], []
    worded: dict[int, str] = {}
    for task, place in zip(paper.task, paper.place.tolist(), strict=True):
        queries, qrels = tasks[task].queries, tasks[task].qrels
        own = slice(queries.seed_ptr[place], queries.seed_ptr[place + 1])
        view, energy = item_of[queries.seed_ids[own]], queries.seed_energy[own].astype(np.float64)
        text = queries.texts[place] if queries.texts else ""
        texts.append(content_of(text, " ".join(items.contents[item] for item in view.tolist())))
        if text:
            worded[len(means)] = text
        means.append(_mean(items.vectors[view], energy))
        seeds.append(int(view[0]) if len(view) else -1)
        times.append(int(queries.time_us[place]))
        excluded.append(
            queries.exclude_ids[queries.exclude_ptr[place] : queries.exclude_ptr[place + 1]]
        )
        needed.append(item_of[qrels.ids[qrels.ptr[place] : qrels.ptr[place + 1]]])
    vectors = np.stack(means) if means else np.zeros((0, items.vectors.shape[1]), np.float32)
    if worded:
        vectors[list(worded)] = embed(list(worded.values()))
    return Asked(
        paper.ids, texts, vectors, [only] * len(texts), np.array(seeds, np.int64),
        np.array(times, np.int64), excluded, needed, paper.groups,
    )  # fmt: skip


def _mean(vectors: NDArray[np.float32], energy: NDArray[np.float64]) -> NDArray[np.float32]:
    """Unit vector of a weighted mean; zeros where there is nothing."""
    mean = (energy[:, None] * vectors.astype(np.float64)).sum(axis=0)
    length = float(np.sqrt((mean * mean).sum()))
    unit: NDArray[np.float32] = (mean / (length or 1.0)).astype(np.float32)
    return unit
