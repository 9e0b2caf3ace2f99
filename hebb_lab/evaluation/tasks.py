"""Tasks: from touches and windows to queries with gold. Test, then learn.

A task sees the whole log, an arm only what lies strictly before each query's time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hebb_lab.evaluation.query_set import QuerySet, Task, TaskSettings
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import CoActivations, EventLog, Memories, Questions
    from hebb_lab.records.questions import Gold
    from hebb_lab.telemetry.touches import Touches


@dataclass(frozen=True)
class TaskData:
    """What a task is made from."""

    log: EventLog
    touches: Touches
    windows: CoActivations
    window_of: NDArray[np.int64]  # [T]
    questions: Questions | None = None  # of a corpus
    memories: Memories | None = None


TASKS: Registry[Callable[[TaskData, TaskSettings], Task]] = Registry("task")


@TASKS.register("first_touch")
def first_touch(data: TaskData, settings: TaskSettings) -> Task:
    """Which node will the session touch that it has not touched yet?

    One query for each first touch of a node in a session, once another node is in view. Nodes that
    the session has touched are no answers.
    """
    return _next_touch(data, settings, "first_touch", first_only=True)


@TASKS.register("all_touches")
def all_touches(data: TaskData, settings: TaskSettings) -> Task:
    """Which other node will the session touch next?

    One query for each touch that differs from the one before. Only the node in hand is no answer;
    nodes seen earlier in the session are, so recency is strong here.
    """
    return _next_touch(data, settings, "all_touches", first_only=False)


def _next_touch(data: TaskData, settings: TaskSettings, name: str, first_only: bool) -> Task:
    """Seeds: the newest distinct nodes of the session, energy seed_decay^i."""
    touches, asked = data.touches, QuerySet(name)
    views: dict[int, dict[int, None]] = {}  # session → its nodes, newest last
    excluded = {"first touch of a session: no node is in view": 0}
    for i, (session, node) in enumerate(
        zip(touches.session.tolist(), touches.node.tolist(), strict=True)
    ):
        view = views.setdefault(session, {})
        in_hand = next(reversed(view), None)
        if in_hand is None:
            excluded["first touch of a session: no node is in view"] += 1
        elif node != in_hand and not (first_only and node in view):
            newest = list(_newest(view, settings.seeds))
            asked.add(
                int(touches.time_us[i]), session, newest,
                [settings.seed_decay**j for j in range(len(newest))],
                gold=[node], exclude=list(view) if first_only else [in_hand],
                row=int(touches.row[i]),
            )  # fmt: skip
        view.pop(node, None)
        view[node] = None
    return asked.finish(settings, touches.sessions, excluded)


def _newest(view: dict[int, None], count: int) -> list[int]:
    return [node for node, _ in zip(reversed(view), range(count), strict=False)]


@TASKS.register("co_change")
def co_change(data: TaskData, settings: TaskSettings) -> Task:
    """One node of a window is the seed; which others change with it?

    Of a window with at most window_max nodes, the nodes touched before its first touch are known;
    with known_min to known_max of them, each in turn is the seed and the others are gold. (The
    co-change protocol of evaluation.md.)
    """
    windows, asked = data.windows, QuerySet("co_change")
    first_touch_us = data.touches.time_us[np.unique(data.window_of, return_index=True)[1]]
    born_us = data.touches.born_us()
    start = len(windows) - round(len(windows) * settings.test_share)
    large, few = f"windows of more than {settings.window_max} nodes", "windows of too few or many"
    excluded = {large: 0, f"{few} known nodes": 0}
    for w in range(start, len(windows)):
        nodes = windows.node_ids[windows.node_ptr[w] : windows.node_ptr[w + 1]]
        known = nodes[born_us[nodes] < first_touch_us[w]].tolist()
        if len(nodes) > settings.window_max:
            excluded[large] += 1
        elif not settings.known_min <= len(known) <= settings.known_max:
            excluded[f"{few} known nodes"] += 1
        else:
            for node in known:
                others = [other for other in known if other != node]
                asked.add(
                    int(first_touch_us[w]), w, [node], [1.0], gold=others, exclude=[node], row=-1
                )
    names = tuple(windows.sessions[s] for s in windows.session.tolist())
    return asked.finish(settings, names, excluded)


@TASKS.register("continuation")
def continuation(data: TaskData, settings: TaskSettings) -> Task:
    """The first nodes of a session are in view; which others will it touch?"""
    touches, asked = data.touches, QuerySet("continuation")
    order = np.lexsort((np.arange(len(touches)), touches.session))
    excluded = {"sessions with too few nodes": 0}
    for part in np.split(order, np.nonzero(np.diff(touches.session[order]))[0] + 1):
        distinct = list(dict.fromkeys(touches.node[part].tolist()))
        seeds, gold = distinct[: settings.seeds], distinct[settings.seeds :]
        if not gold:
            excluded["sessions with too few nodes"] += 1
            continue
        at = part[touches.node[part] == gold[0]][0]
        newest = seeds[::-1]
        asked.add(
            int(touches.time_us[at]), int(touches.session[at]), newest,
            [settings.seed_decay**j for j in range(len(newest))],
            gold=gold, exclude=seeds, row=int(touches.row[at]),
        )  # fmt: skip
    return asked.finish(settings, touches.sessions, excluded)


@TASKS.register("prompt_to_files")
def prompt_to_files(data: TaskData, settings: TaskSettings) -> Task:
    """The user's words are the query; what the agent touches before the next prompt is gold."""
    touches, windows, asked = data.touches, data.windows, QuerySet("prompt_to_files")
    first = np.unique(data.window_of, return_index=True)[1]
    prompts = data.log.events["query"].cast(pl.String).fill_null("").to_list()
    excluded = {"turns without a prompt's text": 0}
    for w in range(len(windows)):
        text = prompts[int(touches.row[first[w]])]
        if not text:
            excluded["turns without a prompt's text"] += 1
            continue
        nodes = windows.node_ids[windows.node_ptr[w] : windows.node_ptr[w + 1]].tolist()
        asked.add(
            int(touches.time_us[first[w]]), int(windows.session[w]), [], [],
            gold=nodes, exclude=[], row=int(touches.row[first[w]]), text=text,
        )  # fmt: skip
    return asked.finish(settings, touches.sessions, excluded)


@TASKS.register("question_to_evidence")
def question_to_evidence(data: TaskData, settings: TaskSettings) -> Task:
    """The question's words are the query; the documents that its qrels call relevant are gold.

    A question is asked at its own time, else after everything. Gold are the documents of a grade
    above 0 that were written strictly before. Of a question to one scope (a conversation) the
    documents of all others are no answers.
    """
    gold = None if data.questions is None else data.questions.gold
    return _to_evidence("question_to_evidence", data, settings, gold)


@TASKS.register("question_to_corrected_evidence")
def question_to_corrected_evidence(data: TaskData, settings: TaskSettings) -> Task:
    """The same questions with the gold that others corrected, where both golds find a document."""
    name, questions = "question_to_corrected_evidence", data.questions
    if questions is None or questions.corrected is None:
        return QuerySet(name).finish(settings, (), {"log without corrected evidence": 1})
    uncorrected = ((), ())
    gold = tuple(
        corrected if any(grade > 0 for grade in official[1]) else uncorrected
        for official, corrected in zip(questions.gold, questions.corrected, strict=True)
    )
    return _to_evidence(name, data, settings, gold)


def _to_evidence(name: str, data: TaskData, settings: TaskSettings, all_gold: Gold | None) -> Task:
    """One query for each question whose gold was written before it."""
    asked, questions = QuerySet(name), data.questions
    if questions is None or all_gold is None:
        return asked.finish(settings, (), {"log without questions": 1})
    touches, born_us = data.touches, data.touches.born_us()
    node_of = {name: node for node, name in enumerate(touches.nodes)}
    clusters = {name: cluster for cluster, name in enumerate(dict.fromkeys(questions.group))}
    elsewhere = _outside(data.memories, node_of)
    unjudged, no_gold = "questions without qrels", "questions without gold"
    unknown, unborn = "gold that the corpus lacks", "gold not yet written when it is asked for"
    strays = "qrels of questions that are not there"
    excluded = {unjudged: 0, no_gold: 0, unknown: 0, unborn: 0, strays: questions.strays}
    for q, (names, grades) in enumerate(all_gold):
        own_us = questions.time_us[q]
        time_us = int(touches.time_us[-1]) + 1 if own_us is None else own_us
        relevant = {name: grade for name, grade in zip(names, grades, strict=True) if grade > 0}
        known = [name for name in relevant if name in node_of]
        gold = [node_of[name] for name in known if born_us[node_of[name]] < time_us]
        excluded[unknown] += len(relevant) - len(known)
        excluded[unborn] += len(known) - len(gold)
        if not gold:
            excluded[no_gold if names else unjudged] += 1
            continue
        kept = [relevant[touches.nodes[node]] for node in gold]
        asked.add(
            time_us, clusters[questions.group[q]], [], [], gold=gold,
            exclude=elsewhere.get(questions.cues[q].scope, ()), row=-1,
            text=questions.texts[q], grades=kept, name=questions.ids[q],
        )  # fmt: skip
    return asked.finish(settings, tuple(clusters), excluded)


def _outside(memories: Memories | None, node_of: Mapping[str, int]) -> dict[str, list[int]]:
    """Scope → the documents of all other scopes; empty where there is but one."""
    if memories is None or len(memories.scopes) < 2:
        return {}
    nodes = np.array([node_of.get(name, -1) for name in memories.names])
    return {
        name: np.sort(nodes[(memories.scope != scope) & (nodes >= 0)]).tolist()
        for scope, name in enumerate(memories.scopes)
    }
