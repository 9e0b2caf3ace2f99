"""Rules whose half-lives come from a fit, and then change as the fit learns more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hebb_lab.experiment.arms.references import Split, fit_of, is_reference
from hebb_lab.graph.rules import SynapseRules

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hebb_lab.experiment.arms.references import Fit


@dataclass(frozen=True)
class RulesInTime:
    """A rule set, and half-lives that replace its own, if a run has fitted them.

    Args:
        plain: the rules with their own half-lives.
        fit: the half-lives that stand in their place wherever something decays.
    """

    plain: SynapseRules
    fit: Fit | None = None

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> RulesInTime:
        """Rules from a config; a reference to a run is stronger than days of half-lives beside it.

        Raises:
            ConfigError: an unknown switch, a wrong choice, a fit that cannot be used.
            InputError: no half-life run where the reference points.
        """
        reference = values.get("half_life")
        if not is_reference(reference):
            return cls(SynapseRules.from_mapping(values))
        return cls(
            SynapseRules.from_mapping({**values, "half_life": "fixed"}), fit_of(str(reference))
        )

    def change(self, **switches: Any) -> RulesInTime:
        """The same rules with some switches set otherwise.

        Days that are set here replace fitted ones.

        Raises:
            as ``from_mapping``.
        """
        reference, fit = switches.get("half_life"), self.fit
        if is_reference(reference):
            switches, fit = {**switches, "half_life": "fixed"}, fit_of(str(reference))
        return RulesInTime(self.plain.change(**switches), _without(fit, switches))

    @property
    def used(self) -> Fit | None:
        """The fit, where anything decays."""
        return None if self.plain.half_life == "none" else self.fit

    def last(self) -> SynapseRules:
        """The rules with the half-lives that were fitted to the whole log."""
        return self.plain if self.used is None else self.plain.change(**self.used.final)

    def schedule(self) -> tuple[tuple[int, SynapseRules], ...]:
        """(from_us, rules) of the fits to parts of the log, those that say the same only once."""
        made: list[tuple[int, SynapseRules]] = []
        for split in self.used.splits if self.used else ():
            rules = self.plain.change(**split.switches)
            if not made or made[-1][1] != rules:
                made.append((split.until_us, rules))
        return tuple(made)


def _without(fit: Fit | None, names: Collection[str]) -> Fit | None:
    """A fit without some switches; None where that leaves no half-life."""
    if fit is None or not fit.final.keys() & set(names):
        return fit

    def kept(switches: Mapping[str, float]) -> dict[str, float]:
        return {name: days for name, days in switches.items() if name not in names}

    left = (Split(until_us, kept(switches)) for until_us, switches in fit.splits)
    splits, final = tuple(split for split in left if split.switches), kept(fit.final)
    return replace(fit, final=final, splits=splits) if final else None
