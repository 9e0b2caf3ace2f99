"""Judging the answers of an arm, and keeping them, or why there are none."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import MissingExtraError
from hebb_lab.evaluation.judge import judge, tie_at_cut, tokens_at_cut
from hebb_lab.evaluation.leaderboard import per_query_frame
from hebb_lab.evaluation.trec import qrels_lines, run_lines
from hebb_lab.lifecycles.protocol.tuning import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hebb_lab.lifecycles.arms import MemoryArm
    from hebb_lab.lifecycles.protocol.papers import Sitting
    from hebb_lab.lifecycles.protocol.work import MemoryWork
    from hebb_lab.lifecycles.replay.sheet import Sheet
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)
CUT = 10


def describe(arm: MemoryArm) -> dict[str, Any]:
    """The arm's item of result.json, before it has run."""
    return {
        "arm": arm.name, "base": arm.base, "group": arm.group, "about": arm.about,
        "config_id": arm.config_id(), "changed": plain(arm.changed),
        "parameters": arm.parameters(), "ms_per_query": {}, "rankings": {},
        "bytes_per_memory": None, "failures": {}, "pick": None,
    }  # fmt: skip


def keep(
    work: MemoryWork, arm: MemoryArm, writer: RunWriter, sheet: Sheet, facts: Mapping[str, Any]
) -> None:
    """Judge an arm's answers at every task and horizon, and keep them with what they cost.

    Args:
        work: the run.
        arm: that answered.
        writer: of the run.
        sheet: its answers.
        facts: seconds (of all its answers, or None), bytes_per_memory, failures, pick.
    """
    entry, frames, lines = describe(arm), [], ""
    answers = sheet.ids.shape[0] * sheet.ids.shape[1]
    seconds = facts.get("seconds")
    for sitting in work.sittings:
        ranking = sheet.ranking(sitting.horizon, sitting.rows)
        queries, tokens = sitting.judged.queries, work.prepared.tokens
        frames.append(per_query_frame(
            sitting.name, arm.name, queries.query_ids, queries.cluster,
            judge(ranking, sitting.judged.qrels, tokens), tokens_at_cut(ranking, tokens, CUT),
            tie_at_cut(ranking, CUT), edges=None,
        ))  # fmt: skip
        if work.settings.evaluation.trec == "all" or (
            work.settings.evaluation.trec == "base" and arm.name == work.settings.base
        ):
            first = ranking.first(work.settings.evaluation.trec_depth)
            ids = trec_ids(sitting)
            lines += "".join(run_lines(first, ids, work.prepared.touches.nodes, arm.name))
        entry["rankings"][sitting.name] = ranking.sha256()
        if seconds is not None:
            entry["ms_per_query"][sitting.name] = round(1000 * seconds / max(answers, 1), 4)
    entry |= {name: facts[name] for name in ("bytes_per_memory", "failures", "pick")
              if name in facts}  # fmt: skip
    writer.write_arm(entry, pl.concat(frames), lines)


def give_up(arm: MemoryArm, writer: RunWriter, error: Exception) -> None:
    """Note an arm that cannot run here, or that failed; the others go on."""
    if isinstance(error, MissingExtraError):
        log.info("arm %s is skipped: %s", arm.name, error)
        writer.skip_arm(describe(arm), str(error))
    else:
        log.error("arm %s failed: %s: %s", arm.name, type(error).__name__, error)
        writer.fail_arm(describe(arm), error)


def trec_ids(sitting: Sitting) -> tuple[str, ...]:
    """Ids of questions in TREC files, SITTING:ID: each is asked at every horizon."""
    return tuple(f"{sitting.name}:{query}" for query in sitting.judged.queries.query_ids)


def qrels(work: MemoryWork) -> str:
    """The gold of all sittings, as TREC writes it."""
    nodes = work.prepared.touches.nodes
    return "".join(
        line
        for sitting in work.sittings
        for line in qrels_lines(sitting.judged.qrels, trec_ids(sitting), nodes)
    )
