"""Judging the answers of arms, and keeping them, or why there are none."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import MissingExtraError
from hebb_lab.evaluation.judge import judge, tie_at_cut, tokens_at_cut
from hebb_lab.evaluation.leaderboard import per_query_frame
from hebb_lab.evaluation.trec import qrels_lines, run_lines
from hebb_lab.layers.arms.own import TUNED
from hebb_lab.layers.arms.standard import FULL
from hebb_lab.layers.protocol.facts import CUT, facts_of
from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.layers.arms import LayerArm
    from hebb_lab.layers.protocol.bench import Answered
    from hebb_lab.layers.protocol.tuning import Pick
    from hebb_lab.layers.protocol.work import LayersWork
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)


def describe(arm: LayerArm) -> dict[str, Any]:
    """The arm's item of result.json, before it has run."""
    return {
        "arm": arm.name, "base": arm.base, "group": arm.group, "about": arm.about,
        "config_id": arm.config_id(), "changed": dict(arm.changed),
        "parameters": arm.parameters(), "ms_per_query": {}, "rankings": {},
        "bytes_per_memory": None, "expansion_rate": {}, "candidate_rate": {},
        "added": {}, "layers": [], "picks": [],
    }  # fmt: skip


def keep_all(
    work: LayersWork, arms: Sequence[LayerArm], writer: RunWriter, told: Callable[[int], None]
) -> None:
    """Run arms together and keep them; where that fails, each runs alone."""
    try:
        work.bench.answer([arms[0].plan])  # reads, compiles and indexes before the clock runs
        start = time.perf_counter()
        answers = work.bench.answer([arm.plan for arm in arms], told)
        seconds = (time.perf_counter() - start) / len(arms)
        kept = [_judged(work, arm, a, seconds, ()) for arm, a in zip(arms, answers, strict=True)]
    except Exception as error:
        if len(arms) == 1 or isinstance(error, MissingExtraError):
            for arm in arms:
                _give_up(arm, writer, error)
            return
        log.warning(
            "%d arms that run together failed (%s: %s); now each alone",
            len(arms), type(error).__name__, error,
        )  # fmt: skip
        for arm in arms:
            keep_all(work, [arm], writer, told)
        return
    for entry, frame, lines in kept:
        writer.write_arm({**entry, "arms_in_walk": len(arms)}, frame, lines)


def keep(
    work: LayersWork, arm: LayerArm, writer: RunWriter, answer: Callable[[], Answered],
    picks: Sequence[Pick] = (),
) -> None:  # fmt: skip
    """Run one arm and keep it, or what it failed of."""
    try:
        start = time.perf_counter()
        answered = answer()
        seconds = time.perf_counter() - start
        entry, frame, lines = _judged(work, arm, answered, seconds, picks)
    except Exception as error:
        _give_up(arm, writer, error)
        return
    writer.write_arm({**entry, "arms_in_walk": 1}, frame, lines)


def _give_up(arm: LayerArm, writer: RunWriter, error: Exception) -> None:
    if isinstance(error, MissingExtraError):
        log.info("arm %s is skipped: %s", arm.name, error)
        writer.skip_arm(describe(arm), str(error))
    else:
        log.error("arm %s failed: %s: %s", arm.name, type(error).__name__, error)
        writer.fail_arm(describe(arm), error)


def _judged(
    work: LayersWork, arm: LayerArm, answered: Answered, seconds: float, picks: Sequence[Pick]
) -> tuple[dict[str, Any], pl.DataFrame, str]:
    """(entry, rows of per_query.parquet, lines of run.trec) of an arm's answers."""
    entry, frames, lines = describe(arm), [], ""
    for name, task in work.tasks.items():
        ranking = some(answered.ranking, work.rows[name])
        frames.append(_frame(work, name, task, arm, ranking))
        lines += _trec(work, name, task, arm, ranking)
        entry["rankings"][name] = ranking.sha256()
        entry["ms_per_query"][name] = round(seconds * 1000 / max(len(work.bench.exam), 1), 4)
    memories = sum(len(scope.memories) for scope in work.bench.scopes)
    held = sum(use.bytes for use in answered.uses)
    entry["bytes_per_memory"] = round(held / max(memories, 1), 1)
    if arm.method == "recall":
        direct = work.direct(arm, picks).ranking
        entry |= facts_of(answered, direct, work.tasks, work.rows)
    entry["picks"] = [_pick(pick) for pick in picks]
    return entry, pl.concat(frames), lines


def _pick(pick: Pick) -> dict[str, Any]:
    """What a fold chose, and what the search reached from each start, as result.json keeps it."""
    return {
        "fold": pick.fold, "changed": _changed(pick.changed), "start": _number(pick.start),
        "chosen": _number(pick.chosen), "begin": pick.begin,
        "tops": [
            {"begin": top.begin, "changed": _changed(top.changed), "others": _number(top.others),
             "own": _number(top.own)}
            for top in pick.tops
        ],
    }  # fmt: skip


def _changed(changed: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _plain(value) for key, value in changed.items()}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _number(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def some(ranking: Ranking, rows: NDArray[np.int64]) -> Ranking:
    """The answers to some of the questions."""
    return Ranking(ranking.ids[rows], ranking.scores[rows])


def _frame(
    work: LayersWork, name: str, task: Task, arm: LayerArm, ranking: Ranking
) -> pl.DataFrame:
    tokens = work.prepared.tokens
    return per_query_frame(
        name, arm.name, task.queries.query_ids, task.queries.cluster,
        judge(ranking, task.qrels, tokens), tokens_at_cut(ranking, tokens, CUT),
        tie_at_cut(ranking, CUT), edges=None,
    )  # fmt: skip


def _trec(work: LayersWork, name: str, task: Task, arm: LayerArm, ranking: Ranking) -> str:
    """The arm's lines of run.trec, where the settings want them; ``base`` has the main arms."""
    evaluation = work.settings.evaluation
    main = (work.settings.base, FULL, TUNED)
    if evaluation.trec == "none" or (evaluation.trec == "base" and arm.name not in main):
        return ""
    nodes = work.prepared.touches.nodes
    first = ranking.first(evaluation.trec_depth)
    return "".join(run_lines(first, trec_ids(work, name, task), nodes, arm.name))


def trec_ids(work: LayersWork, name: str, task: Task) -> tuple[str, ...]:
    """Ids of a task's questions in TREC files: TASK:ID where several tasks ask the same ones."""
    asked = [each.queries.query_ids for each in work.tasks.values()]
    own = task.queries.query_ids
    if sum(map(len, asked)) == len({query for ids in asked for query in ids}):
        return own
    return tuple(f"{name}:{query}" for query in own)


def qrels(work: LayersWork) -> str:
    """The gold of all tasks, as TREC writes it."""
    nodes = work.prepared.touches.nodes
    return "".join(
        line
        for name, task in work.tasks.items()
        for line in qrels_lines(task.qrels, trec_ids(work, name, task), nodes)
    )
