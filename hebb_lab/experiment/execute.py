"""One run from settings to folder: read, prepare, ask, run the arms, report."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hebb_lab.evaluation.trec import qrels_lines
from hebb_lab.experiment.ablation import run_arms
from hebb_lab.experiment.arms import Arm, arms_of
from hebb_lab.experiment.checks import check
from hebb_lab.experiment.prepare import Prepared, load, prepare
from hebb_lab.experiment.progress import Progress
from hebb_lab.experiment.tracing import trace_lines
from hebb_lab.experiment.workshop import Workshop
from hebb_lab.kernels.choose import as_precision, choose_backend
from hebb_lab.places import place
from hebb_lab.recall.embedders import chosen_embedder
from hebb_lab.runs import (
    RunWriter,
    as_json,
    code_version,
    commit,
    describe,
    read_run,
    run_id,
    status,
)
from hebb_lab.runs.rebuild import write_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.kernels.backend import Backend

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """Where a run stands and how it ended: ``ok``, ``failed_arms``, or ``found`` finished."""

    folder: Path
    status: str


def execute(settings: Settings, config: Mapping[str, Any]) -> Outcome:
    """Run an experiment, or find it finished.

    Args:
        settings: the typed config.
        config: the same as resolved plain values, kept in the run folder.

    Raises:
        HebbLabError: what the user must mend, before any arm has run.
    """
    start = time.monotonic()
    arms = arms_of(settings)
    check(settings, arms)
    runtime = settings.runtime
    backend = choose_backend(
        runtime.backend, runtime.device, as_precision(runtime.precision), runtime.memory_mb
    )
    _use_threads(settings.runtime.threads)
    with Progress(settings.runtime.progress) as progress:
        dataset = load(settings.dataset, progress.reading)
        sha256 = dataset.sha256()
        name = run_id(_asked(settings, config), sha256, code_version())
        folder = place(settings.paths.runs) / settings.experiment / name
        if status(folder) == "ok":
            log.info("%s is finished: nothing to do (delete it to run it again)", folder)
            return Outcome(folder, "found")
        prepared = prepare(dataset, settings.dataset)
        tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
        shop = Workshop(prepared, settings, arms, backend)
        with RunWriter(folder, config) as writer, _log_to(writer.log_path, backend.chosen):
            for sentence in dataset.log.report.sentences():
                log.info("%s", sentence)
            for warning in dataset.log.report.warnings:
                log.warning("%s", warning)
            run_arms(shop, tasks, arms, writer, progress.arms)
            result = _result(settings, prepared, tasks, name, sha256)
            files = _files(settings, shop, tasks, time.monotonic() - start, backend)
            finished = writer.finished_arms()
            done = [arm for arm in arms if arm.name in finished]
            files["traces.jsonl"] = "".join(trace_lines(shop, tasks, done))
            stored = writer.assemble(result, [arm.name for arm in arms], files)
            progress.note("leaderboard and figures")
            write_run(read_run(writer.partial), writer.partial)
            folder = writer.publish()
    return Outcome(folder, stored["status"])


def _asked(settings: Settings, config: Mapping[str, Any]) -> dict[str, Any]:
    """The config as it counts for the run's id.

    ``auto`` stands for the embedder that is there; of the runtime, the precision can move a number.
    """
    embedder = chosen_embedder(settings.recall.embedder)
    return {**config, "embedder": embedder, "precision": settings.runtime.precision}


def _use_threads(threads: int | None) -> None:
    if threads is not None:
        import torch
        from numba import config, set_num_threads

        most: int = config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
        set_num_threads(min(threads, most))
        torch.set_num_threads(threads)


@contextmanager
def _log_to(path: Path, said_before: str) -> Iterator[None]:
    """Copy what hebb_lab logs into the run folder, beginning with what was said already."""
    handler = logging.FileHandler(path, mode="a", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("hebb_lab")
    handler.handle(logger.makeRecord(log.name, logging.INFO, "", 0, said_before, (), None))
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


def _result(
    settings: Settings, prepared: Prepared, tasks: Mapping[str, Task], name: str, sha256: str
) -> dict[str, Any]:
    """result.json without status and arms."""
    log_, touches, evaluation = prepared.dataset.log, prepared.touches, settings.evaluation
    sha, _ = commit()
    return {
        "experiment": settings.experiment,
        "run_id": name,
        "base": settings.base,
        "dataset": {
            "name": prepared.dataset.name,
            "sha256": sha256,
            "events": log_.events.height,
            "touches": len(touches),
            "sessions": len(touches.sessions),
            "nodes": len(touches.nodes),
            "windows": len(prepared.windows),
            "graph_bytes": prepared.graph.byte_count(),
            "window_first": log_.report.first_time_us,
            "window_last": log_.report.last_time_us,
        },
        "tasks": [_task(task_name, task, settings) for task_name, task in tasks.items()],
        "tasks_without_queries": [t for t in settings.dataset.tasks if t not in tasks],
        "metrics": list(evaluation.measures),
        "seed": settings.seed,
        "commit": sha,
        "attribution": _attribution(settings),
        "statistics": {
            "resamples": evaluation.resamples,
            "flips": evaluation.flips,
            "interval": evaluation.interval,
        },
    }


def _task(name: str, task: Task, settings: Settings) -> dict[str, Any]:
    headlines = settings.evaluation.headlines.get(name, settings.evaluation.headline)
    return {
        "task": name,
        "n": len(task.queries),
        "clusters": len(set(task.queries.cluster.tolist())),
        "excluded": dict(task.excluded),
        "headline": headlines[0],
        "headlines": list(headlines),
    }


def _attribution(settings: Settings) -> dict[str, Any] | None:
    """Which arms hold which parts; the effects are computed from per-query scores by the report."""
    if settings.attribution.kind == "none":
        return None
    arms: Sequence[Arm] = [arm for arm in arms_of(settings) if arm.parts is not None]
    return {
        "kind": settings.attribution.kind,
        "parts": list(settings.attribution.use or settings.attribution.parts),
        "sets": {arm.name: list(arm.parts or ()) for arm in arms},
    }


def _files(
    settings: Settings, shop: Workshop, tasks: Mapping[str, Task], wall: float, backend: Backend
) -> dict[str, str]:
    """env.json, report.json and qrels.trec."""
    prepared = shop.prepared
    nodes = prepared.touches.nodes
    qrels = "".join(
        line
        for task in tasks.values()
        for line in qrels_lines(task.qrels, task.queries.query_ids, nodes)
    )
    environment = describe(
        backend.kernels.device, {"run": settings.seed, "dataset": settings.dataset.seed}, wall,
        backend=backend.name, precision=backend.kernels.precision,
    )  # fmt: skip
    return {
        "env.json": as_json(environment),
        "report.json": as_json(prepared.dataset.log.report.as_dict()),
        "qrels.trec": qrels,
    }
