"""The loop of an ablation: every arm on every task, kept one by one, none lost."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import MissingExtraError
from hebb_lab.evaluation.judge import assert_ranked, judge, tie_at_cut, tokens_at_cut
from hebb_lab.evaluation.leaderboard import per_query_frame
from hebb_lab.evaluation.trec import run_lines
from hebb_lab.experiment.arms.answerable import days_of
from hebb_lab.experiment.arms.notes import unidentified
from hebb_lab.experiment.methods import in_parts, spread_together, walks_with
from hebb_lab.experiment.workshop import Workshop

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.methods import Answer
    from hebb_lab.records import Ranking
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)
CUT = 10  # nodes injected where a leaderboard reports tokens and ties
RANKING_BYTES = 500_000_000  # of the rankings of arms that walk together, one task at a time


def run_arms(
    shop: Workshop,
    tasks: Mapping[str, Task],
    arms: Sequence[Arm],
    writer: RunWriter,
    progress: Callable[[str, int, int], None] | None = None,
) -> None:
    """Run the arms that are not finished yet; a failing arm keeps its traceback, the others go on.

    Arms that one walk can serve run together; where that fails, each runs alone.

    Args:
        shop: what the arms share.
        tasks: name → task.
        arms: in the order of the leaderboard.
        writer: keeps each arm as soon as it is done.
        progress: told (arm, done, of how many) before each arm and at the end.
    """
    finished = writer.finished_arms()
    if finished:
        log.info("%d of %d arms were finished before", len(finished), len(arms))
    pending = [arm for arm in arms if arm.name not in finished]
    while pending:
        batch = _together(shop, tasks, pending)
        if progress:
            more = f" and {len(batch) - 1} more" if len(batch) > 1 else ""
            progress(f"{batch[0].name}{more}", len(arms) - len(pending), len(arms))
        if len(batch) == 1 or not _kept_together(shop, tasks, batch, writer):
            for arm in batch:
                _keep(shop, tasks, arm, writer)
        pending = [arm for arm in pending if arm not in batch]
    if progress:
        progress("", len(arms), len(arms))


def _together(shop: Workshop, tasks: Mapping[str, Task], pending: Sequence[Arm]) -> list[Arm]:
    """The first arm and those that one walk can serve with it, as many as memory takes."""
    largest = max(len(task.queries) for task in tasks.values())
    most = max(1, RANKING_BYTES // (8 * shop.settings.recall.depth * largest))

    def common(arm: Arm) -> list[Hashable]:
        return [walks_with(shop, task, arm) for task in tasks.values()]

    first, *others = pending
    wanted = common(first)
    if None in wanted:
        return [first]
    return [first, *(arm for arm in others if common(arm) == wanted)][:most]


def _kept_together(
    shop: Workshop, tasks: Mapping[str, Task], arms: Sequence[Arm], writer: RunWriter
) -> bool:
    """Run several arms and keep them; whether none of them failed."""
    entries = [describe(arm) for arm in arms]
    try:
        done = _run_arms(shop, tasks, arms, entries)
    except Exception as error:
        log.warning(
            "%d arms that walk together failed (%s: %s); now each alone",
            len(arms), type(error).__name__, error,
        )  # fmt: skip
        return False
    for entry, (frames, lines) in zip(entries, done, strict=True):
        writer.write_arm(entry, pl.concat(frames), lines)
    return True


def _keep(shop: Workshop, tasks: Mapping[str, Task], arm: Arm, writer: RunWriter) -> None:
    """Run one arm, and keep it or what it failed of."""
    entry = describe(arm)
    try:
        ((frames, lines),) = _run_arms(shop, tasks, [arm], [entry])
        writer.write_arm(entry, pl.concat(frames), lines)
    except MissingExtraError as reason:
        log.info("arm %s is skipped: %s", arm.name, reason)
        writer.skip_arm(entry, str(reason))
    except Exception as error:
        log.error("arm %s failed: %s: %s", arm.name, type(error).__name__, error)
        writer.fail_arm(entry, error)


def describe(arm: Arm) -> dict[str, Any]:
    """The arm's item of result.json, before it has run."""
    return {
        "arm": arm.name, "base": arm.base, "group": arm.group, "about": arm.about,
        "config_id": arm.config_id(), "changed": dict(arm.changed),
        "parameters": arm.parameters(), "ms_per_query": {}, "rankings": {},
        "bytes_per_memory": None,
        **({} if arm.fit is None else {"fitted": f"{arm.fit.title} ({days_of(arm)})"}),
        **({"unidentified": doubts} if (doubts := unidentified(arm)) else {}),
    }  # fmt: skip


def _run_arms(
    shop: Workshop, tasks: Mapping[str, Task], arms: Sequence[Arm],
    entries: Sequence[dict[str, Any]],
) -> list[tuple[list[pl.DataFrame], str]]:  # fmt: skip
    """(rows, lines of run.trec) of each arm, all of which one call can rank.

    Times and hashes go into their entries; an arm's time is its share of the call's. Rankings are
    held for one task at a time.
    """
    done: list[tuple[list[pl.DataFrame], str]] = [([], "") for _ in arms]
    for name, task in tasks.items():
        _rank(shop, task.head(1), arms)  # compiles, replays and indexes before the clock runs
        shop.forget_hits()
        start = time.perf_counter()
        answers = _rank(shop, task, arms)
        elapsed = (time.perf_counter() - start) / len(arms)
        for place, (arm, entry, answer) in enumerate(zip(arms, entries, answers, strict=True)):
            frames, lines = done[place]
            frames.append(_judged(shop, name, task, arm, answer))
            done[place] = (frames, lines + _trec(shop, task, arm, answer.ranking))
            if answer.memory_bytes is not None:
                memories = len(shop.prepared.touches.nodes)
                entry["bytes_per_memory"] = round(answer.memory_bytes / memories, 1)
            entry["ms_per_query"][name] = round(elapsed * 1000 / max(len(task.queries), 1), 4)
            entry["arms_in_walk"] = len(arms)
            entry["rankings"][name] = answer.ranking.sha256()
    return done


def _rank(shop: Workshop, task: Task, arms: Sequence[Arm]) -> list[Answer]:
    if len(arms) == 1:
        return [in_parts(shop, task, arms[0])]
    return spread_together(shop, task, arms)


def _judged(shop: Workshop, name: str, task: Task, arm: Arm, answer: Answer) -> pl.DataFrame:
    """The arm's rows of per_query.parquet."""
    ranking, tokens = answer.ranking, shop.prepared.tokens
    assert_ranked(ranking)
    return per_query_frame(
        name, arm.name, task.queries.query_ids, task.queries.cluster,
        judge(ranking, task.qrels, tokens), tokens_at_cut(ranking, tokens, CUT),
        tie_at_cut(ranking, CUT), edges=answer.edges,
    )  # fmt: skip


def _trec(shop: Workshop, task: Task, arm: Arm, ranking: Ranking) -> str:
    """The arm's lines of run.trec, where the settings want them."""
    wanted = shop.settings.evaluation.trec
    if wanted == "none" or (wanted == "base" and arm.name != shop.settings.base):
        return ""
    first = ranking.first(shop.settings.evaluation.trec_depth)
    nodes = shop.prepared.touches.nodes
    return "".join(run_lines(first, task.queries.query_ids, nodes, arm.name))
