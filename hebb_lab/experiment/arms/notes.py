"""What a log and a leaderboard say of the fitted half-lives that the arms of a run use."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from hebb_lab.experiment.arms.entries import FITTED
from hebb_lab.experiment.arms.references import REPLAYED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hebb_lab.experiment.arms.arm import Arm
    from hebb_lab.experiment.arms.references import Doubt, Fit
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
            for sentence in _warnings(fit, own):
                log.warning("%s", sentence)
            _log_moment(fit, own, dataset.name, fit.dataset_sha256 == sha256)


def unidentified(arm: Arm) -> list[str]:
    """A phrase for each group whose half-life in an arm is none that the log tells.

    Args:
        arm: as it runs on a dataset.

    Returns:
        such as ``personal, 868 days: not identifiable above 4.4 days on this log``.
    """
    return list(_phrases(doubts_of(arm), arm.fit))


def doubts_of(arm: Arm) -> list[Doubt]:
    """The doubts of those fits that answer the queries of an arm."""
    fit = arm.fit
    if fit is None:
        return []
    used: dict[int | None, Mapping[str, float]] = {None: fit.final}
    if arm.schedule:
        used = {split.until_us: split.switches for split in fit.splits}
    return [doubt for doubt in fit.doubts if doubt.switch in used.get(doubt.until_us, ())]


def _phrases(doubts: Iterable[Doubt], fit: Fit | None) -> Iterable[str]:
    """One for each group: how long, in how many fits, and the verdict of the newest."""
    for found in _by_group(doubts).values():
        days = [doubt.days for doubt in found]
        least, most = f"{min(days):.3g}", f"{max(days):.3g}"
        said = f"{found[-1].group}, {least if least == most else f'{least} to {most}'} days"
        if found[-1].until_us is not None and fit is not None:
            said += f" in {len(found)} of {len(fit.splits)} fits, the newest of which says"
        yield f"{said}: {found[-1].verdict}"


def _by_group(doubts: Iterable[Doubt]) -> dict[str, list[Doubt]]:
    found: dict[str, list[Doubt]] = {}
    for doubt in doubts:
        found.setdefault(doubt.group, []).append(doubt)
    return found


def _warnings(fit: Fit, arms: Sequence[Arm]) -> Iterable[str]:
    """One for each group whose half-life is none that the log tells, with the cure."""
    doubts = dict.fromkeys(doubt for arm in arms for doubt in doubts_of(arm))
    groups = _by_group(doubts)
    for phrase, found in zip(_phrases(doubts, fit), groups.values(), strict=True):
        others = [n for n in found[0].others if all(n in doubt.others for doubt in found)]
        fixed = "use a fixed half-life (rules.half_life=fixed)"
        cure = f"Name a model that is identifiable there (@PATH#{' or #'.join(others)}), or {fixed}"
        yield (
            f"{fit.title}: a half-life that the fitted log does not identify is used: {phrase}."
            f" {cure if others else fixed.capitalize()}"
        )


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
    log.warning(
        "%s was fitted to another log (%s) than this one (%s): its final half-lives answer all"
        " queries, as far as half-lives carry over",
        fit.title, fit.dataset_name, name,
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
