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
from hebb_lab.experiment.methods import method_of
from hebb_lab.experiment.workshop import Workshop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.arms import Arm
    from hebb_lab.records import Ranking
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)
CUT = 10  # nodes injected where a leaderboard reports tokens and ties


def run_arms(
    shop: Workshop,
    tasks: Mapping[str, Task],
    arms: Sequence[Arm],
    writer: RunWriter,
    progress: Callable[[str, int, int], None] | None = None,
) -> None:
    """Run the arms that are not finished yet; a failing arm keeps its traceback, the others go on.

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
    for done, arm in enumerate(arms):
        if progress:
            progress(arm.name, done, len(arms))
        if arm.name in finished:
            continue
        entry = describe(arm)
        try:
            frames, kept = _run_arm(shop, tasks, arm, entry)
            writer.write_arm(entry, pl.concat(frames), _trec(shop, tasks, arm, kept))
        except MissingExtraError as reason:
            log.info("arm %s is skipped: %s", arm.name, reason)
            writer.skip_arm(entry, str(reason))
        except Exception as error:
            log.error("arm %s failed: %s: %s", arm.name, type(error).__name__, error)
            writer.fail_arm(entry, error)
    if progress:
        progress("", len(arms), len(arms))


def describe(arm: Arm) -> dict[str, Any]:
    """The arm's item of result.json, before it has run."""
    return {
        "arm": arm.name, "base": arm.base, "group": arm.group, "about": arm.about,
        "config_id": arm.config_id(), "changed": dict(arm.changed),
        "parameters": arm.parameters(), "ms_per_query": {}, "rankings": {},
        "bytes_per_memory": None,
    }  # fmt: skip


def _run_arm(
    shop: Workshop, tasks: Mapping[str, Task], arm: Arm, entry: dict[str, Any]
) -> tuple[list[pl.DataFrame], dict[str, Ranking]]:
    """Rank, time and judge one arm on all tasks; times and hashes go into its entry."""
    method, frames = method_of(arm.method), []
    kept: dict[str, Ranking] = {}
    for name, task in tasks.items():
        method(shop, task.head(1), arm)  # compiles, replays and indexes before the clock runs
        shop.forget_hits()
        start = time.perf_counter()
        ranking, edges, memory_bytes = method(shop, task, arm)
        elapsed = time.perf_counter() - start
        assert_ranked(ranking)
        if memory_bytes is not None:
            memories = len(shop.prepared.touches.nodes)
            entry["bytes_per_memory"] = round(memory_bytes / memories, 1)
        entry["ms_per_query"][name] = round(elapsed * 1000 / max(len(task.queries), 1), 4)
        entry["rankings"][name] = ranking.sha256()
        judged = judge(ranking, task.qrels, shop.prepared.tokens)
        frames.append(
            per_query_frame(
                name, arm.name, task.queries.query_ids, task.queries.cluster, judged,
                tokens_at_cut(ranking, shop.prepared.tokens, CUT), tie_at_cut(ranking, CUT),
                edges=edges,
            )
        )  # fmt: skip
        kept[name] = ranking
    return frames, kept


def _trec(shop: Workshop, tasks: Mapping[str, Task], arm: Arm, kept: Mapping[str, Ranking]) -> str:
    """The arm's lines of run.trec, where the settings want them."""
    wanted = shop.settings.evaluation.trec
    if wanted == "none" or (wanted == "base" and arm.name != shop.settings.base):
        return ""
    nodes = shop.prepared.touches.nodes
    return "".join(
        line
        for name, ranking in kept.items()
        for line in run_lines(
            ranking.first(shop.settings.evaluation.trec_depth),
            tasks[name].queries.query_ids,
            nodes,
            arm.name,
        )
    )
