"""What a log says of the fitted half-lives that the arms of a run use."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from hebb_lab.experiment.arms.entries import FITTED
from hebb_lab.experiment.arms.references import REPLAYED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hebb_lab.experiment.arms.arm import Arm
    from hebb_lab.experiment.arms.references import Fit
    from hebb_lab.records import Dataset

log = logging.getLogger(__name__)


def log_notes(arms: Sequence[Arm], dataset: Dataset) -> None:
    """Say everything that there is to know of the fitted half-lives of arms on a dataset.

    Args:
        arms: as they run on it.
        dataset: the log.
    """
    users: dict[str, list[Arm]] = {}
    for arm in arms:
        if arm.fit is not None:
            users.setdefault(arm.fit.title, []).append(arm)
    if not users:
        return
    sha256 = dataset.sha256()
    for own in users.values():
        fit = own[0].fit
        if fit is not None:
            for sentence in (*fit.sentences, *_use(fit, own), *_other_rules(fit, own)):
                log.info("%s", sentence)
            _log_moment(fit, own, dataset.name, fit.dataset_sha256 == sha256)


def _use(fit: Fit, arms: Sequence[Arm]) -> Iterable[str]:
    """Which arms have them."""
    for arm in arms:
        if arm.name == FITTED and arm.base is not None:
            yield (
                f"arm {FITTED} was added: {arm.base} with the half-lives of {fit.title};"
                f" {arm.base} says its own and keeps it"
            )
    others = [arm.name for arm in arms if arm.name != FITTED]
    if others:
        yield f"{fit.title}: whatever their names say, its half-lives hold in {', '.join(others)}"


def _log_moment(fit: Fit, arms: Sequence[Arm], name: str, same: bool) -> None:
    """Which fit answers which query."""
    if same:
        log.info(
            "%s was fitted to this log: each query is answered by the newest of %d fits that ended"
            " strictly before it; earlier queries are asked of no arm",
            fit.title, max(len(arm.schedule) for arm in arms),
        )  # fmt: skip
        return
    log.info(
        "%s was fitted to another log (%s): its final half-lives answer all queries",
        fit.title, fit.dataset_name,
    )  # fmt: skip
    if fit.dataset_name == name:
        log.warning(
            "%s: that log had this one's name. If it is the same log, grown or read otherwise, the"
            " half-lives were fitted to some of these very queries: fit again before you compare",
            fit.title,
        )


def _other_rules(fit: Fit, arms: Sequence[Arm]) -> Iterable[str]:
    """Arms whose weights are made otherwise than those that the half-lives were fitted to."""
    found: dict[str, list[str]] = {}
    for arm in arms:
        differing = [
            f"{name}={getattr(arm.rules, name)} (fitted under {fit.rules[name]})"
            for name in REPLAYED
            if name in fit.rules and fit.rules[name] != getattr(arm.rules, name)
        ]
        if differing:
            found.setdefault(", ".join(differing), []).append(arm.name)
    for said, names in found.items():
        yield f"{fit.title}: other rules in {', '.join(names)}: {said}"
