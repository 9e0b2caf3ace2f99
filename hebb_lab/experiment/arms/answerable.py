"""Which fit a query may use: only what was learned strictly before it, on the log that was fitted.

Prequential honesty: parameters fitted to a whole log must not answer the questions of that log. A
half-life run stores one fit for each split; on its own log an arm answers every query by the newest
one that ended strictly before, and queries before the first are asked of no arm.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.experiment.arms.references import SWITCHES
from hebb_lab.halflife.facts.clock import DAY_US

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.arms.arm import Arm
    from hebb_lab.experiment.arms.references import Fit
    from hebb_lab.records import Dataset

log = logging.getLogger(__name__)
REASON = "before the first fit of half-lives"


def on_dataset(arms: Sequence[Arm], dataset: Dataset) -> list[Arm]:
    """The arms as they run on a log: by schedule on the log that was fitted, else by the final fit.

    Args:
        arms: of a config.
        dataset: what they run on.

    Raises:
        ConfigError: the log was fitted only as a whole, so no query of it has an honest answer.
        InputError: a fit to a part of a log ends at a moment that cannot be one of that log.
    """
    if all(arm.fit is None for arm in arms):
        return list(arms)
    sha256 = dataset.sha256()
    for fit in {arm.fit.title: arm.fit for arm in arms if arm.fit is not None}.values():
        _check_moments(fit, dataset, sha256)
    return [arm if arm.fit is None else _on_dataset(arm, arm.fit, sha256) for arm in arms]


def _check_moments(fit: Fit, dataset: Dataset, sha256: str) -> None:
    """Refuse fits to parts of a log that end at a moment which that log does not reach.

    The log's own times decide; of a log that is not at hand it is only taken as known that it was
    not written on the first day of 1970.
    """
    least, most, ends = DAY_US, None, f"no log begins before {DAY_US}"
    if fit.dataset_sha256 == sha256:
        times = dataset.log.events["time_us"].to_numpy()
        least, most = int(times.min()), int(times.max())
        ends = f"its log goes from {least} to {most}"
    for split in fit.splits:
        if split.until_us < least or (most is not None and split.until_us > most):
            raise InputError(
                f"{fit.title}: a fit to what came before until_us={split.until_us}, and {ends} µs",
                "Mend until_us in half_lives.yaml, or copy the file again from the run's folder",
            )


def _on_dataset(arm: Arm, fit: Fit, sha256: str) -> Arm:
    if fit.dataset_sha256 != sha256:
        return replace(arm, schedule=())
    if not arm.schedule:
        raise ConfigError(
            f"arm {arm.name}: {fit.title} stores no half-lives of an earlier part of this very"
            " log, and those of the whole log would answer questions that they were fitted to",
            "Fit with more halflife.blocks, or on another log",
        )
    return replace(arm, rules=arm.schedule[-1][1])


def days_of(arm: Arm) -> str:
    """The fitted half-lives of an arm in words: ``personal 0.36 days``, ``0.31 to 0.5 days``."""
    said = []
    for name, switch in SWITCHES.items():
        if arm.fit is not None and switch in arm.fit.final:
            days = [getattr(rules, switch) for rules in arm.all_rules()]
            least, most = f"{min(days):.3g}", f"{max(days):.3g}"
            said.append(f"{name} {least if least == most else f'{least} to {most}'} days")
    fits = f" in {len(arm.schedule)} fits" if arm.schedule else ""
    return ", ".join(said) + fits


def answerable(tasks: Mapping[str, Task], arms: Sequence[Arm]) -> dict[str, Task]:
    """The tasks without the queries that some arm has no fit for: all arms answer the same.

    Raises:
        InputError: no query is left in any task.
    """
    starts = [arm.schedule[0][0] for arm in arms if arm.schedule]
    if not starts:
        return dict(tasks)
    kept = {}
    for name, task in tasks.items():
        first = int(np.searchsorted(task.queries.time_us, max(starts), side="right"))
        excluded = {**task.excluded, REASON: first} if first else task.excluded
        if first < len(task.queries):
            later = task.part(first, len(task.queries))
            kept[name] = replace(later, excluded=excluded)
        else:
            log.warning("task %s has no query after the first fit of half-lives", name)
    if not kept:
        raise InputError(
            "every query comes before the first fit of half-lives",
            "Fit with more halflife.blocks, so that the first one ends earlier",
        )
    return kept


def parts(arm: Arm, task: Task) -> Iterator[tuple[Arm, Task]]:
    """(the arm under one rule set, the queries that are answered so), in time order.

    Queries at or before the first fit must be gone (``answerable``).
    """
    if not arm.schedule:
        yield arm, task
        return
    begins = [from_us for from_us, _ in arm.schedule]
    bounds = np.searchsorted(task.queries.time_us, begins, side="right").tolist()
    if bounds[0]:
        raise ValueError(f"{bounds[0]} queries come before the first fit of arm {arm.name}")
    bounds.append(len(task.queries))
    for (_, rules), first, stop in zip(arm.schedule, bounds[:-1], bounds[1:], strict=True):
        if first < stop:
            yield replace(arm, rules=rules, schedule=()), task.part(first, stop)
