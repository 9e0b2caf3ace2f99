"""A layers experiment from settings to run folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation import parse
from hebb_lab.experiment import checks
from hebb_lab.layers.arms import arms_of, stack_of
from hebb_lab.layers.arms.choose import check_tuning
from hebb_lab.layers.arms.own import STARTS, known
from hebb_lab.layers.protocol.bench import Bench
from hebb_lab.layers.protocol.pipelines import pipeline_maker
from hebb_lab.layers.protocol.scopes import exam_of, scopes_of
from hebb_lab.layers.protocol.work import LayersWork
from hebb_lab.recall.embedders import chosen_embedder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.kinds import Outcome, Work


def execute_layers(settings: Settings, config: Mapping[str, Any]) -> Outcome:
    """Run a layers experiment, or find it finished.

    Raises:
        HebbLabError: what the user must mend; a dataset without questions among it.
    """
    from hebb_lab.experiment.execute import conduct

    check(settings)
    embedder = chosen_embedder(settings.recall.embedder)

    def begin(prepared: Prepared, backend: Backend) -> Work:
        return begun(prepared, settings)

    return conduct(settings, config, {**config, "embedder": embedder}, begin)


def check(settings: Settings) -> None:
    """Refuse what no run could be made of.

    Raises:
        ConfigError: an unknown name or a number out of its range.
    """
    from hebb_lab.recall.cognitive.direct import SEEDERS
    from hebb_lab.recall.cognitive.scoring.profiles import PROFILES

    checks.check(settings, ())
    asked = settings.cognitive
    arms = arms_of(asked, settings.recall.embedder)
    for arm in arms:
        SEEDERS[arm.plan.seeder]
        if arm.plan.profile not in (None, "own"):
            known(f"the profile of arm {arm.name}", arm.plan.profile, (*PROFILES, "own"))
    _can_search(stack_of(asked, settings.recall.embedder).seeder, settings.recall.embedder)
    known("base", settings.base, [arm.name for arm in arms])
    tuning = asked.tuning
    if tuning.start is not None:
        known("cognitive.tuning.start", tuning.start, tuple(STARTS))
    parse(tuning.metric)
    check_tuning(tuning)


def _can_search(seeder: str, embedder: str | None) -> None:
    """Refuse a stack whose direct search cannot run here: every arm would be skipped."""
    from hebb_lab.recall.cognitive.direct import WITHOUT_WORDS

    by_vectors = {*WITHOUT_WORDS, *WITHOUT_WORDS.values()}
    if seeder in by_vectors and chosen_embedder(embedder) is None:
        raise ConfigError(
            f"cognitive.seeder={seeder} needs vectors, and there is no embedder",
            "Install the extra embed (python -m hebb_lab.doctor says how), or choose"
            " recall.embedder=hashing or cognitive.seeder=bm25",
        )


def begun(prepared: Prepared, settings: Settings) -> LayersWork:
    """The experiment on a prepared dataset.

    Raises:
        InputError: no memories, or no question that can be asked.
    """
    asked, recall = settings.cognitive, settings.recall
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    exam = exam_of(prepared.dataset, tasks)
    scopes = scopes_of(prepared, exam, asked)
    bench = Bench(exam, scopes, pipeline_maker(settings), recall.depth, settings.seed)
    arms = tuple(arms_of(asked, recall.embedder))
    return LayersWork(prepared, settings, tasks, bench, arms, stack_of(asked, recall.embedder))
