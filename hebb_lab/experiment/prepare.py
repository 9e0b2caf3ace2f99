"""A dataset made ready: put on one clock, cut into windows, turned into graphs."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.evaluation.query_set import Task, TaskSettings
from hebb_lab.evaluation.tasks import TASKS, TaskData
from hebb_lab.recall.tokens import tokens_of
from hebb_lab.records import CoActivations, Dataset
from hebb_lab.telemetry.touches import Touches, touches_of
from hebb_lab.telemetry.windows import co_activations, window_of_touch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.dataset_settings import DatasetSettings
    from hebb_lab.graph.temporal import TemporalGraph

log = logging.getLogger(__name__)

_WANTED = {  # what a task needs that most logs do not have
    "prompt_to_files": ", keep the prompts with dataset.keep_prompts=true",
    "question_to_evidence": ", give questions with their qrels (dataset=corpus)",
    "question_to_corrected_evidence": ", give questions with corrections (dataset=locomo)",
}


@dataclass(frozen=True)
class Prepared:
    """Everything that the arms read; all of it facts."""

    dataset: Dataset
    touches: Touches
    window_of: NDArray[np.int64]
    windows: CoActivations
    graph_max: int | None

    @cached_property
    def graph(self) -> TemporalGraph:
        """Co-activations of all windows up to graph_max nodes."""
        from hebb_lab.graph.temporal import co_activation_graph

        return co_activation_graph(self.windows, self.graph_max)

    @cached_property
    def transitions(self) -> TemporalGraph:
        """The directed twin."""
        from hebb_lab.graph.temporal import transition_graph

        return transition_graph(self.touches, self.window_of)

    @cached_property
    def born_us(self) -> NDArray[np.int64]:
        """Time of each node's first touch."""
        return self.touches.born_us()

    @cached_property
    def tokens(self) -> NDArray[np.int32]:
        """What injecting each node costs; of a corpus it is the document that is injected."""
        with_texts = self.dataset.questions is not None
        return tokens_of(self.touches.nodes, self.dataset.texts, with_texts)

    def task(self, name: str, settings: TaskSettings) -> Task:
        """Queries and gold of one task.

        Raises:
            ConfigError: unknown task. InputError: the log gives it no query.
        """
        data = TaskData(
            self.dataset.log, self.touches, self.windows, self.window_of, self.dataset.questions,
            self.dataset.memories,
        )  # fmt: skip
        task = TASKS[name](data, settings)
        if not len(task.queries):
            reasons = ", ".join(f"{count} × {why}" for why, count in task.excluded.items())
            raise InputError(
                f"task {name} has no query on this log ({reasons or 'no touches'})",
                f"Choose other tasks with dataset.tasks=[…]{_WANTED.get(name, '')}"
                ", or give a longer log",
                self.dataset.name,
            )
        return task

    def tasks(self, names: Sequence[str], settings: TaskSettings) -> dict[str, Task]:
        """The tasks that have a query; each of the others is a warning.

        Raises:
            ConfigError: unknown task. InputError: no task has a query.
        """
        made: dict[str, Task] = {}
        missing: list[InputError] = []
        for name in names:
            try:
                made[name] = self.task(name, settings)
            except InputError as error:
                missing.append(error)
        if not made:
            raise missing[0]
        for reason in missing:
            log.warning("%s", reason)
        return made


def prepare(
    dataset: Dataset, settings: DatasetSettings, *, learners: str = "ablation"
) -> Prepared:  # fmt: skip
    """Touches and windows of a dataset, with a warning for what makes its numbers weak.

    Args:
        dataset: as it was read.
        settings: how windows are cut.
        learners: the kind of run: arms of an ``ablation`` learn from the windows, some of them
            without a gate; models of a ``halflife`` run do; ``layers`` and ``memory`` learn from
            memories.

    Raises:
        InputError: no touch of a node of the kinds asked for, or no pair that recurs.
    """
    touches = touches_of(dataset.log, settings.windows.kinds)
    window_of = window_of_touch(touches, settings.windows.by, settings.windows.gap_minutes)
    windows = co_activations(touches, window_of)
    prepared = Prepared(dataset, touches, window_of, windows, settings.windows.graph_max)
    if learners not in ("layers", "memory"):
        _warn(prepared)
        _warn_of_large(prepared, settings.windows.teach_max, learners == "ablation")
    return prepared


def _warn(prepared: Prepared) -> None:
    asked = prepared.dataset.questions
    if asked is not None:
        _warn_of_corpus(prepared, len(set(asked.group)))
    elif len(prepared.touches.sessions) == 1:
        log.warning(
            "%s: one session only, so no interval and no test; give a log of several sessions",
            prepared.dataset.name,
        )
    if asked is None and prepared.graph.event_count == prepared.graph.edge_count:
        # a window of one session cannot be wider; a turn, or a gap, may cut it
        widest = len(prepared.windows) <= len(prepared.windows.sessions)
        log.warning(
            "%s: no pair of nodes is active together twice, so association has nothing to learn"
            " from; give a longer log, or %s",
            prepared.dataset.name,
            "finer windows: each session is a single window" if widest
            else "wider windows with dataset.windows.by=session",
        )  # fmt: skip


def _warn_of_large(prepared: Prepared, teach_max: int, with_arms: bool) -> None:
    """Windows that teach nobody, or only the arms without a gate; of models all have one."""
    sizes, graph_max = prepared.windows.sizes(), (with_arms and prepared.graph_max) or 2**62
    unseen, gated = int((sizes > graph_max).sum()), int((sizes > teach_max).sum())
    if unseen:
        log.warning(
            "%d of %d windows have more than windows.graph_max=%d nodes: no arm learns from them",
            unseen, len(sizes), graph_max,
        )  # fmt: skip
    if gated > unseen:
        log.warning(
            "%d of %d windows have more than windows.teach_max=%d nodes: %s; raise it, or cut finer"
            " windows", gated - unseen, len(sizes), teach_max,
            "the base and the arms that do not turn window_max off learn nothing from them"
            if with_arms else "no model learns from them",
        )  # fmt: skip


def _warn_of_corpus(prepared: Prepared, groups: int) -> None:
    """A document is written once, so a pair that is active together once is all there is."""
    if groups == 1:
        log.warning(
            "%s: all questions are of one group, so no interval and no test", prepared.dataset.name
        )
    large = (prepared.windows.sizes() > (prepared.graph_max or 2**62)).any()
    if prepared.graph.edge_count == 0 and not large:
        log.warning(
            "%s: no two documents are active together, so association has nothing to learn from;"
            " give documents a sessionId, or wider windows with dataset.windows.by=session",
            prepared.dataset.name,
        )
