"""Half-lives that a run has fitted, with all that stands behind them: half_lives.yaml as values."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.halflife.objectives.profile import is_identified

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "hebb_lab half-lives 1"
NAME = "half_lives.yaml"


@dataclass(frozen=True)
class GroupHalfLife:
    """The half-life of one group.

    Args:
        half_life: in the clock's units; None where the log does not identify one.
        low: end of the interval, None where it is open.
        high: the other end.
        events: re-activations behind it.
        verdict: empty, or why not to trust it.
    """

    half_life: float | None
    low: float | None
    high: float | None
    events: int
    verdict: str = ""

    @property
    def identified(self) -> bool:
        """Whether the log tells a half-life, and not only what it lies above or below."""
        return self.half_life is not None and is_identified(self.verdict)

    def words(self, unit: str = "days") -> str:
        """As a log says it.

        >>> GroupHalfLife(0.364, 0.28, None, 13033).words()
        '0.364 days [0.28, open], from 13,033 re-activations'
        """
        if self.half_life is None:
            return f"none ({self.verdict})"
        low, high = ("open" if end is None else f"{end:.3g}" for end in (self.low, self.high))
        said = f"{self.half_life:.3g} {unit} [{low}, {high}], from {self.events:,} re-activations"
        return f"{said} ({self.verdict})" if self.verdict else said


@dataclass(frozen=True)
class FitAt:
    """Half-lives fitted to what came strictly before a moment.

    Args:
        until_us: that moment in µs; None for the fit to the whole log.
        groups: name → half-life.
        fell_back: why the model failed there; then it has no groups.
    """

    until_us: int | None
    groups: Mapping[str, GroupHalfLife]
    fell_back: str | None = None


@dataclass(frozen=True)
class ModelHalfLives:
    """One model: its fit to the whole log, and one fit for each split, by time."""

    name: str
    final: FitAt
    splits: tuple[FitAt, ...] = ()


@dataclass(frozen=True)
class FittedHalfLives:
    """half_lives.yaml.

    Args:
        run: experiment and id.
        dataset_name: of the log that was fitted.
        dataset_sha256: of its content.
        commit: of the code.
        code_version: of the code that makes numbers.
        seed: of the run.
        clock: wall, active_days or sessions.
        unit: of the half-lives.
        activity: what exposure was counted in.
        group_by: namespace or folder.
        rules: the switches of the synapse layer that the half-lives were fitted under.
        default: the model to use where none is named; None where none has a half-life.
        models: name → half-lives.
        sha256: of the file's bytes.
    """

    run: str
    dataset_name: str
    dataset_sha256: str
    commit: str | None
    code_version: str
    seed: int
    clock: str
    unit: str
    activity: str
    group_by: str
    rules: Mapping[str, Any]
    default: str | None
    models: Mapping[str, ModelHalfLives]
    sha256: str

    def model(self, name: str | None = None) -> ModelHalfLives:
        """The model of that name, or the default one.

        Raises:
            ConfigError: a model without half-lives in this run, with the near ones; no default.
        """
        if name is None and self.default is None:
            verdicts = sorted(
                {
                    g.verdict.split(";")[0]
                    for m in self.models.values()
                    for g in m.final.groups.values()
                }
                - {""}
            )
            said = f" ({'; '.join(verdicts[:3])})" if verdicts else ""
            raise ConfigError(
                f"no learned model of {self.run} has a half-life that its log identifies{said}",
                "Fit a longer log, name another model with @PATH#MODEL, or use a fixed half-life",
            )
        wanted = str(self.default if name is None else name)
        if wanted not in self.models:
            near = difflib.get_close_matches(wanted, self.models, n=3)
            hint = f"Did you mean {' or '.join(map(repr, near))}? " if near else ""
            known = ", ".join(self.models) or "none"
            raise ConfigError(
                f"{self.run} has no half-lives of a model '{wanted}'", f"{hint}Known: {known}"
            )
        return self.models[wanted]
