"""`@PATH` and `@PATH#MODEL` for a half-life: what a half-life run has fitted, as switches."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.errors import ConfigError
from hebb_lab.halflife.export import read_half_lives

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hebb_lab.halflife.export import FitAt, FittedHalfLives, ModelHalfLives

SWITCHES = {
    "personal": "half_life_personal_days",
    "shared": "half_life_shared_days",
    "ephemeral": "half_life_ephemeral_days",
}
"""Namespaces that the rules have a half-life for; all others take that of personal."""
REPLAYED = (
    "learning_rate", "strength_max", "weight_cap", "event_weight", "npmi_min",
    "decay_before_reinforcement", "decay_shape", "decay_passes", "pass_interval_days",
    "potentiation", "potentiation_count", "potentiation_floor", "floor_lifts", "ephemeral_floor",
    "prune_below",
)  # fmt: skip
"""Switches, beside the half-lives, on which a weight depends."""


class Split(NamedTuple):
    """Half-lives of what came strictly before ``until_us``, as switches."""

    until_us: int
    switches: Mapping[str, float]


class Doubt(NamedTuple):
    """A half-life that a fit has and the log does not tell.

    switch, group, days: which and how long. verdict: what the log tells instead. until_us: as of
    Split; None for the fit to the whole log. others: models that have one there which is told.
    """

    switch: str
    group: str
    days: float
    verdict: str
    until_us: int | None
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fit:
    """What one model of one run has fitted, as switches of the rules.

    Args:
        run: experiment and id of the half-life run.
        model: the model.
        dataset_name: of the log that it was fitted to.
        dataset_sha256: of that log's content.
        sha256: of half_lives.yaml.
        final: half-lives fitted to the whole log.
        splits: half-lives fitted to what came before each of some moments, by time.
        rules: the switches that it was fitted under.
        sentences: what there is to say of it.
        doubts: half-lives among them that the log does not tell.
    """

    run: str
    model: str
    dataset_name: str
    dataset_sha256: str
    sha256: str
    final: Mapping[str, float]
    splits: tuple[Split, ...]
    rules: Mapping[str, Any]
    sentences: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def title(self) -> str:
        """As a legend says it."""
        return f"{self.model} of {self.run}"

    def named(self) -> dict[str, str]:
        """Run, model and hash, for result.json."""
        return {"run": self.run, "model": self.model, "sha256": self.sha256}


def is_reference(value: Any) -> bool:
    """Whether a setting names a half-life run."""
    return isinstance(value, str) and value.startswith("@")


def split_reference(reference: str) -> tuple[str, str | None]:
    """(path, model or None) of a reference; a # in a folder's name is part of the path.

    >>> split_reference("@runs/halflife/0123#frailty"), split_reference("@runs #2/halflife/0123")
    (('runs/halflife/0123', 'frailty'), ('runs #2/halflife/0123', None))
    """
    text = reference.removeprefix("@")
    path, mark, model = text.rpartition("#")
    return (path, model) if mark and "/" not in model and "\\" not in model else (text, None)


def fit_of(reference: str) -> Fit:
    """The half-lives that a reference names.

    Raises:
        InputError: no half-life run lies there, or its file is damaged.
        ConfigError: no path; an unknown model; half-lives that the rules have no place for.
    """
    path, name = split_reference(reference)
    if not path or name == "":
        raise ConfigError(
            f"rules.half_life={reference!r} names no half-life run",
            "Give @PATH to the run's folder, or @PATH#MODEL",
        )
    fitted = read_half_lives(path)
    _check(reference, fitted)
    model = fitted.model(name)
    final = _switches(model.final)
    if not final:
        raise ConfigError(*_none(fitted, model))
    splits = tuple(
        Split(fit.until_us or 0, switches) for fit in model.splits if (switches := _switches(fit))
    )
    return Fit(
        fitted.run, model.name, fitted.dataset_name, fitted.dataset_sha256, fitted.sha256, final,
        splits, fitted.rules, tuple(_sentences(fitted, model.name)),
        tuple(_doubts(fitted, model.name)),
    )  # fmt: skip


def _check(reference: str, fitted: FittedHalfLives) -> None:
    """Refuse half-lives that the rules have no place for."""
    if fitted.clock != "wall":
        raise ConfigError(
            f"rules.half_life={reference}: its half-lives are counted in {fitted.unit}, and the"
            " rules fade in days of wall time",
            "Fit with halflife.clock=wall",
        )
    if fitted.group_by != "namespace":
        raise ConfigError(
            f"rules.half_life={reference}: its half-lives are those of each {fitted.group_by}, and"
            " the rules have one for each namespace",
            "Fit with halflife.group_by=namespace",
        )


def _none(fitted: FittedHalfLives, model: ModelHalfLives) -> tuple[str, str]:
    """(problem, cure) where a model has no half-life that the rules have a switch for."""
    has = [name for name, group in model.final.groups.items() if group.half_life is not None]
    near = (difflib.get_close_matches(name, SWITCHES, n=1) for name in has)
    meant = sorted({name for found in near for name in found})
    others = [name for name, other in fitted.models.items() if _switches(other.final)]
    hint = f"Did you mean {' or '.join(meant)}? " if meant else ""
    another = f"; models with one of these: {', '.join(others)} (@PATH#MODEL)" if others else ""
    return (
        f"{model.name} of {fitted.run} has no half-life of a namespace that the rules know"
        f" (it has {', '.join(has) or 'none'})",
        f"{hint}The rules know {', '.join(SWITCHES)}{another}",
    )


def _switches(fit: FitAt) -> dict[str, float]:
    """Switches of the namespaces that have a half-life in a fit."""
    valued = {name: group.half_life for name, group in fit.groups.items()}
    return {
        switch: days for name, switch in SWITCHES.items() if (days := valued.get(name)) is not None
    }


def _sentences(fitted: FittedHalfLives, name: str) -> Iterable[str]:
    """What a log should say of a fit: each half-life, what has none, where there is no fit."""
    model = fitted.models[name]
    title = f"{name} of {fitted.run}"
    for group, found in model.final.groups.items():
        yield f"{title}: {group}: {found.words(fitted.unit)}"
        if group not in SWITCHES:
            yield f"{title}: the rules have no half-life for {group}: it takes that of personal"
    missing = [
        each for each in SWITCHES if (g := model.final.groups.get(each)) is None or not g.half_life
    ]
    if missing:
        yield f"{title}: no half-life of {', '.join(missing)}: the rules' own stays"
    for number, split in enumerate(model.splits, start=1):
        if not _switches(split):
            why = split.fell_back or "no half-life of a namespace is identifiable there"
            yield f"{title}: fit {number} of {len(model.splits)} is none: {why}"


def _doubts(fitted: FittedHalfLives, name: str) -> Iterable[Doubt]:
    """Half-lives of a model that the rules take and the log does not tell."""
    model = fitted.models[name]
    for fit in (model.final, *model.splits):
        for group, switch in SWITCHES.items():
            found = fit.groups.get(group)
            if found is not None and found.half_life is not None and not found.identified:
                others = tuple(
                    other.name
                    for other in fitted.models.values()
                    for at in (other.final, *other.splits)
                    if at.until_us == fit.until_us and group in at.groups
                    if at.groups[group].identified
                )
                yield Doubt(switch, group, found.half_life, found.verdict, fit.until_us, others)


def by_content(values: Any) -> Any:
    """A config whose references say what they hold, not where it lies: for the run's id."""
    if isinstance(values, Mapping):
        return {
            key: _content(item) if key == "half_life" and is_reference(item) else by_content(item)
            for key, item in values.items()
        }
    return [by_content(item) for item in values] if isinstance(values, list) else values


def _content(reference: str) -> str:
    fit = fit_of(reference)
    return f"@{fit.sha256}#{fit.model}"
