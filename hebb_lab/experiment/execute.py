"""One run from settings to folder: read, prepare, ask, run the arms, report."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hebb_lab.evaluation.trec import qrels_lines
from hebb_lab.experiment.ablation import run_arms
from hebb_lab.experiment.arms import Arm, arms_of
from hebb_lab.experiment.arms.answerable import answerable, on_dataset
from hebb_lab.experiment.arms.notes import log_notes
from hebb_lab.experiment.arms.references import by_content
from hebb_lab.experiment.checks import check
from hebb_lab.experiment.load import load
from hebb_lab.experiment.prepare import Prepared, prepare
from hebb_lab.experiment.progress import Progress, log_to
from hebb_lab.experiment.tracing import trace_lines
from hebb_lab.experiment.workshop import Workshop
from hebb_lab.kernels.choose import as_precision, choose_backend
from hebb_lab.kinds import KINDS, Outcome, Work, write_run
from hebb_lab.places import place
from hebb_lab.recall.embedders import chosen_embedder
from hebb_lab.runs import (
    PER_QUERY_SCHEMA,
    RunWriter,
    as_json,
    code_version,
    commit,
    describe,
    read_run,
    run_id,
    status,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.kernels.backend import Backend

log = logging.getLogger(__name__)


def execute(settings: Settings, config: Mapping[str, Any]) -> Outcome:
    """Run an experiment of any kind, or find it finished.

    Args:
        settings: the typed config.
        config: the same as resolved plain values, kept in the run folder.

    Raises:
        HebbLabError: what the user must mend, before any arm has run.
    """
    return KINDS[settings.kind].execute(settings, config)


def execute_ablation(settings: Settings, config: Mapping[str, Any]) -> Outcome:
    """``execute`` for an ablation."""
    arms = arms_of(settings)
    check(settings, arms)

    def begin(prepared: Prepared, backend: Backend) -> Work:
        there = on_dataset(arms, prepared.dataset)
        tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
        return _Ablation(Workshop(prepared, settings, there, backend), answerable(tasks, there))

    # ``auto`` stands for the embedder that is there; of a half-life run counts what it has fitted
    embedder = chosen_embedder(settings.recall.embedder)
    return conduct(settings, config, {**by_content(config), "embedder": embedder}, begin)


def conduct(
    settings: Settings, config: Mapping[str, Any], asked: Mapping[str, Any],
    begin: Callable[[Prepared, Backend], Work],
) -> Outcome:  # fmt: skip
    """Read and prepare the dataset, do the work, write the folder; or find it finished.

    Args:
        settings: checked.
        config: as plain values, kept in the run folder.
        asked: the config as it counts for the run's id.
        begin: gives the work on the prepared dataset.
    """
    start = time.monotonic()
    runtime = settings.runtime
    backend = choose_backend(
        runtime.backend, runtime.device, as_precision(runtime.precision), runtime.memory_mb
    )
    _use_threads(runtime.threads)
    with Progress(runtime.progress) as progress:
        dataset = load(settings.dataset, progress.reading)
        sha256 = dataset.sha256()
        # of the runtime, the precision can move a number
        name = run_id({**asked, "precision": runtime.precision}, sha256, code_version())
        folder = place(settings.paths.runs) / settings.experiment / name
        if status(folder) == "ok":
            log.info("%s is finished: nothing to do (delete it to run it again)", folder)
            return Outcome(folder, "found")
        prepared = prepare(dataset, settings.dataset, learners=settings.kind)
        work = begin(prepared, backend)
        with (
            RunWriter(folder, config, work.columns) as writer,
            log_to(writer.log_path, backend.chosen),
        ):
            for sentence in dataset.log.report.sentences():
                log.info("%s", sentence)
            for warning in dataset.log.report.warnings:
                log.warning("%s", warning)
            work.run(writer, progress.arms)
            result = _result(settings, prepared, name, sha256)
            files = _files(settings, prepared, time.monotonic() - start, backend)
            stored = work.assemble(writer, result, files)
            progress.note("leaderboard and figures")
            write_run(read_run(writer.partial), writer.partial)
            folder = writer.publish()
    return Outcome(folder, stored["status"])


def _use_threads(threads: int | None) -> None:
    if threads is not None:
        import torch
        from numba import config, set_num_threads

        most: int = config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
        set_num_threads(min(threads, most))
        torch.set_num_threads(threads)


def _result(settings: Settings, prepared: Prepared, name: str, sha256: str) -> dict[str, Any]:
    """What result.json says of a run of any kind."""
    log_, touches = prepared.dataset.log, prepared.touches
    sha, _ = commit()
    return {
        "experiment": settings.experiment,
        "kind": settings.kind,
        "run_id": name,
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
        "seed": settings.seed,
        "commit": sha,
    }


def _files(settings: Settings, prepared: Prepared, wall: float, backend: Backend) -> dict[str, str]:
    """env.json and report.json."""
    environment = describe(
        backend.kernels.device, {"run": settings.seed, "dataset": settings.dataset.seed}, wall,
        backend=backend.name, precision=backend.kernels.precision,
    )  # fmt: skip
    return {
        "env.json": as_json(environment),
        "report.json": as_json(prepared.dataset.log.report.as_dict()),
    }


@dataclass(frozen=True)
class _Ablation:
    """Arms that rank, on every task."""

    shop: Workshop
    tasks: Mapping[str, Task]
    columns: Mapping[str, Any] = field(default_factory=lambda: PER_QUERY_SCHEMA)

    def run(self, writer: RunWriter, progress: Callable[[str, int, int], None]) -> None:
        log_notes(self.shop.arms, self.shop.prepared.dataset)
        run_arms(self.shop, self.tasks, self.shop.arms, writer, progress)

    def assemble(
        self, writer: RunWriter, result: Mapping[str, Any], files: Mapping[str, str]
    ) -> Mapping[str, Any]:
        finished, arms = writer.finished_arms(), self.shop.arms
        done = [arm for arm in arms if arm.name in finished]
        more = {
            **files,
            "qrels.trec": self._qrels(),
            "traces.jsonl": "".join(trace_lines(self.shop, self.tasks, done)),
        }
        return writer.assemble({**result, **self._asked()}, [arm.name for arm in arms], more)

    def _qrels(self) -> str:
        nodes = self.shop.prepared.touches.nodes
        return "".join(
            line
            for task in self.tasks.values()
            for line in qrels_lines(task.qrels, task.queries.query_ids, nodes)
        )

    def _asked(self) -> dict[str, Any]:
        """What was asked, for result.json."""
        settings = self.shop.settings
        evaluation = settings.evaluation
        return {
            "base": settings.base,
            "tasks": [task_entry(name, task, settings) for name, task in self.tasks.items()],
            "tasks_without_queries": [t for t in settings.dataset.tasks if t not in self.tasks],
            "metrics": list(evaluation.measures),
            "attribution": _attribution(settings, self.shop.arms),
            "statistics": {
                "resamples": evaluation.resamples,
                "flips": evaluation.flips,
                "interval": evaluation.interval,
            },
        }


def task_entry(name: str, task: Task, settings: Settings) -> dict[str, Any]:
    """A task's item of result.json."""
    headlines = settings.evaluation.headlines.get(name, settings.evaluation.headline)
    return {
        "task": name,
        "n": len(task.queries),
        "clusters": len(set(task.queries.cluster.tolist())),
        "excluded": dict(task.excluded),
        "headline": headlines[0],
        "headlines": list(headlines),
    }


def _attribution(settings: Settings, arms: Sequence[Arm]) -> dict[str, Any] | None:
    """Which arms hold which parts; the effects are computed from per-query scores by the report."""
    if settings.attribution.kind == "none":
        return None
    return {
        "kind": settings.attribution.kind,
        "parts": list(settings.attribution.use or settings.attribution.parts),
        "sets": {arm.name: list(arm.parts) for arm in arms if arm.parts is not None},
    }
