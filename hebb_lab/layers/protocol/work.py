"""The arms of a layers run: each is answered, judged, kept, and put into the run's folder."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError, MissingExtraError
from hebb_lab.evaluation import parse
from hebb_lab.evaluation.judge import judge
from hebb_lab.layers.protocol import keep
from hebb_lab.layers.protocol.bench import by_fold
from hebb_lab.layers.protocol.folds import folds_of
from hebb_lab.layers.protocol.said import asked_of, question_frame
from hebb_lab.layers.protocol.traces import trace_lines
from hebb_lab.layers.protocol.tuning import Pick, Search
from hebb_lab.runs import PER_QUERY_SCHEMA

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.layers.arms import LayerArm, Stack
    from hebb_lab.layers.protocol.bench import Answered, Bench
    from hebb_lab.layers.protocol.folds import Folds
    from hebb_lab.recall.cognitive.plan import Plan
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)
Told = Callable[[str, int, int], None]
RANKING_BYTES = 500_000_000  # of the answers that are held at once
QUESTIONS = "questions.parquet"


@dataclass(frozen=True)
class LayersWork:
    """Arms that recall, on every task.

    Args:
        prepared: the dataset.
        settings: of the run.
        tasks: name → task.
        bench: what answers.
        arms: in the order of tables.
        stack: what they vary.
    """

    prepared: Prepared
    settings: Settings
    tasks: Mapping[str, Task]
    bench: Bench
    arms: Sequence[LayerArm]
    stack: Stack
    columns: Mapping[str, Any] = field(default_factory=lambda: PER_QUERY_SCHEMA)

    @cached_property
    def rows(self) -> dict[str, NDArray[np.int64]]:
        """Task → places of its queries among the questions."""
        return {
            name: self.bench.exam.rows(task.queries.query_ids) for name, task in self.tasks.items()
        }

    def run(self, writer: RunWriter, progress: Told) -> None:
        """Run the arms that are not finished yet; what fails is kept, the others go on."""
        finished, total = writer.finished_arms(), len(self.arms)
        if finished:
            log.info("%d of %d arms were finished before", len(finished), total)
        pending = [arm for arm in self.arms if arm.name not in finished]
        plain = [arm for arm in pending if arm.method == "recall" and not arm.tuned]
        for arm in pending:
            if arm.method != "recall":
                keep.keep(self, arm, writer, partial(self.bench.floor, arm.method))
        for batch in self._batches(plain):
            done = len(writer.finished_arms())
            more = f" and {len(batch) - 1} more" if len(batch) > 1 else ""

            def told(scopes: int, name: str = f"{batch[0].name}{more}", done: int = done,
                     size: int = len(batch)) -> None:  # fmt: skip
                progress(name, done + size * scopes // max(len(self.bench.scopes), 1), total)

            told(0)
            keep.keep_all(self, batch, writer, told)
        self._run_tuned([arm for arm in pending if arm.tuned], writer, progress)
        progress("", total, total)

    def _batches(self, arms: Sequence[LayerArm]) -> list[list[LayerArm]]:
        """Arms that share direct search, as many as memory takes; one may lack its extra."""
        most = max(1, RANKING_BYTES // (8 * self.bench.depth * max(len(self.bench.exam), 1)))
        batches = []
        for seeder in dict.fromkeys(arm.plan.seeder for arm in arms):
            same = [arm for arm in arms if arm.plan.seeder == seeder]
            batches += [same[first : first + most] for first in range(0, len(same), most)]
        return batches

    def _run_tuned(self, arms: Sequence[LayerArm], writer: RunWriter, progress: Told) -> None:
        """Choose rules on the other scopes, and answer each scope by what the others chose."""
        if not arms:
            return
        try:
            folds = self.folds()
            picks = self.search(folds, progress).picks()
        except (InputError, MissingExtraError) as reason:
            log.info("%s skipped: %s", ", ".join(arm.name for arm in arms), reason)
            for arm in arms:
                writer.skip_arm(keep.describe(arm), str(reason))
            return
        except Exception as error:
            log.error("tuning failed: %s: %s", type(error).__name__, error)
            for arm in arms:
                writer.fail_arm(keep.describe(arm), error)
            return
        for arm in arms:
            own = [pick.of_first() for pick in picks] if arm.first_start else picks
            keep.keep(self, arm, writer, partial(self._mixed, arm, folds, own), own)

    def folds(self) -> Folds:
        """The questions in parts.

        Raises:
            InputError: there is only one.
        """
        bench, questions = self.bench, self.prepared.dataset.questions
        groups = [questions.group[i] for i in bench.exam.place.tolist()] if questions else []
        rng = np.random.default_rng([self.settings.seed, 0xF01D])
        names = [scope.name for scope in bench.scopes]
        return folds_of(names, bench.scope_of, groups, self.settings.cognitive.tuning.folds, rng)

    def search(self, folds: Folds, progress: Told) -> Search:
        """The search for rules that the settings ask for."""
        from hebb_lab.layers.arms.own import rules_of

        tuning = self.settings.cognitive.tuning
        grid = {name: list(values) for name, values in tuning.grid.items()}
        start = self.stack.full(rules=rules_of(tuning.start, self.stack))
        rng = np.random.default_rng([self.settings.seed, 0x7E57])
        return Search(start, grid, folds, self.scores, tuning.rounds, rng, progress, tuning.starts)

    def scores(self, plans: Sequence[Plan]) -> NDArray[np.float64]:
        """The metric of the tuning on the first task, [P, Q]; NaN where it asks nothing."""
        task = next(iter(self.tasks))
        measure = parse(self.settings.cognitive.tuning.metric)
        scores = np.full((len(plans), len(self.bench.exam)), np.nan)
        for first in range(0, len(plans), 32):
            for row, answered in enumerate(self.bench.answer(plans[first : first + 32]), first):
                ranking = keep.some(answered.ranking, self.rows[task])
                judged = judge(ranking, self.tasks[task].qrels, self.prepared.tokens)
                scores[row, self.rows[task]] = measure(judged)
        return scores

    def _mixed(self, arm: LayerArm, folds: Folds, picks: Sequence[Pick]) -> Answered:
        """Each fold's questions answered by the plan that the others chose."""
        plans = [arm.on(pick.plan) for pick in picks]
        distinct = list(dict.fromkeys(plans))
        answered = self.bench.answer(distinct)
        parts = [answered[distinct.index(plan)] for plan in plans]
        return by_fold(parts, folds.fold)

    def direct(self, arm: LayerArm, picks: Sequence[Pick] = ()) -> Answered:
        """What the arm's direct search gives alone."""
        if arm.tuned and picks:
            bare = [pick._replace(plan=replace(arm.on(pick.plan), layers=())) for pick in picks]
            return self._mixed(replace(arm, changed={}), self.folds(), bare)
        plan = replace(arm.plan, layers=())
        if plan not in self._direct:
            self._direct[plan] = self.bench.answer([plan])[0]
        return self._direct[plan]

    @cached_property
    def _direct(self) -> dict[Plan, Answered]:
        return {}

    def assemble(
        self, writer: RunWriter, result: Mapping[str, Any], files: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """result.json, per_query.parquet, run.trec, questions.parquet, traces.jsonl."""
        question_frame(self).write_parquet(writer.partial / QUESTIONS, compression="zstd")
        names = [arm.name for arm in self.arms]
        finished, wanted = writer.finished_arms(), self.settings.recall.traces
        done = [arm for arm in self.arms if arm.name in finished]
        traces = trace_lines(self.bench, done, wanted)
        more = {**files, "qrels.trec": keep.qrels(self), "traces.jsonl": traces}
        return writer.assemble({**result, **asked_of(self)}, names, more)
