"""What a world is like: every number of the process, with presets."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.graph.rules import DOCUMENTED, SynapseRules
from hebb_lab.records import LAWS

MONDAY_US = 1_767_571_200_000_000  # 2026-01-05T00:00:00Z
ACTIVITIES = ("flat", "sessions", "vacations")


@dataclass(frozen=True)
class WorldParameters:
    """A world of edges that are born, come again, and are forgotten (fitting.md §3.5).

    λ(t) = A(t) · z · (base_rate + gain · signal(t)) per day from an edge's birth on; see
    ``records.EdgeTruth`` for the signal of each law.

    Args:
        edges: number of edges, dealt out to the namespaces in turn; each has two nodes of its own.
        days: length of the log.
        start_us: midnight of the first day, µs since 1970, a Monday.
        activity: A(t): ``flat``; ``sessions``, of one to two hours on work days; ``vacations``,
            such sessions and three weeks of silence in each eight. Its mean is 1.
        law: how the rate falls after an event, one of ``records.LAWS``.
        namespaces: names.
        half_life_days: median half-life of each namespace; its default where the half-life is
            learned. Not read by the laws ``none`` and ``power_law``.
        half_life_sigma: log-normal spread of the half-life from edge to edge (natural log); law
            ``exponential`` only.
        base_rate: μ, events a day without any memory; above 0.
        gain: β, events a day that a signal of 1 adds.
        frailty_shape: z of each edge is gamma with this shape and mean 1; null: 1 for all.
        power_exponent: d of the power law.
        power_offset_days: τ of the power law.
        birth_share: births are uniform in activity over this first share of the log.
        rules: the store's numbers: learning rate, cap, floor, pruning, bounds of a learned
            half-life. Decay is continuous and comes before reinforcement; the half-lives are
            those above.
    """

    edges: int = 20_000
    days: float = 180.0
    start_us: int = MONDAY_US
    activity: str = "flat"
    law: str = "exponential"
    namespaces: tuple[str, ...] = ("personal", "shared", "ephemeral")
    half_life_days: tuple[float, ...] = (20.0, 60.0, 4.0)
    half_life_sigma: float = 0.0
    base_rate: float = 0.01
    gain: float = 0.1
    frailty_shape: float | None = None
    power_exponent: float = 0.5
    power_offset_days: float = 0.5
    birth_share: float = 0.5
    rules: SynapseRules = DOCUMENTED

    def validate(self) -> None:
        """Refuse what cannot be simulated.

        Raises:
            ConfigError: a number out of range, an unknown law or activity, namespaces that do not
                fit their half-lives, rules that the process does not have, a power law in which
                an event brings one or more others, so that their number has no bound.
        """
        for name, choices in (("law", LAWS), ("activity", ACTIVITIES)):
            if getattr(self, name) not in choices:
                raise ConfigError(
                    f"dataset.{name}={getattr(self, name)!r} is not a choice",
                    f"Use one of {', '.join(choices)}",
                )
        self._check_numbers()
        _check_namespaces(self.namespaces, self.half_life_days)
        if self.rules.weight_cap is None:
            raise ConfigError(
                "a world without rules.weight_cap would have rates without bound", "Give a cap"
            )
        for name in UNCHANGED:
            if getattr(self.rules, name) != getattr(DOCUMENTED, name):
                raise ConfigError(
                    f"a world has no rules.{name}={getattr(self.rules, name)!r}",
                    f"Leave it at {getattr(DOCUMENTED, name)!r}",
                )

    def _check_numbers(self) -> None:
        for name in POSITIVE:
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ConfigError(f"dataset.{name}={value} is not positive", "Give more than 0")
        for name in ("half_life_sigma", "gain"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ConfigError(
                    f"dataset.{name}={getattr(self, name)} is no number from 0 up", "Give one"
                )
        if self.birth_share > 1:
            raise ConfigError(f"dataset.birth_share={self.birth_share} is no share", "Give ≤ 1")
        if self.law == "power_law" and self.brought() >= 1:
            raise ConfigError(
                f"an event brings {self.brought():.2g} others in {self.days:g} days: events would"
                " beget events without end",
                "Lower dataset.gain or dataset.days, or raise dataset.power_exponent",
            )

    def brought(self) -> float:
        """Events that one event brings over the whole log by a power law: β ∫ (s + τ)^−d ds."""
        power, offset = 1 - self.power_exponent, self.power_offset_days
        if power == 0:
            return self.gain * math.log((self.days + offset) / offset)
        return float(self.gain * ((self.days + offset) ** power - offset**power) / power)


UNCHANGED = (
    "decay_before_reinforcement", "decay_passes", "decay_shape", "floor_lifts", "npmi_min",
    "window_max",
)  # fmt: skip
POSITIVE = (
    "edges", "days", "base_rate", "frailty_shape", "power_exponent", "power_offset_days",
    "birth_share",
)  # fmt: skip


def _check_namespaces(names: tuple[str, ...], half_life_days: tuple[float, ...]) -> None:
    if not names or len(set(names)) < len(names) or not all(names):
        raise ConfigError(
            f"dataset.namespaces={names} are no distinct names", "Give each namespace a name"
        )
    if len(half_life_days) != len(names):
        raise ConfigError(
            f"{len(half_life_days)} half-lives for {len(names)} namespaces",
            "Give dataset.half_life_days one number a namespace",
        )
    for days in half_life_days:
        if not 0 < days < math.inf:
            raise ConfigError(
                f"a half-life of {days} days is not positive",
                "Give days, or dataset.law=none for no decay",
            )


_HALF_LIVES = WorldParameters(half_life_sigma=0.5, base_rate=0.006, gain=0.08)
PRESETS: Mapping[str, WorldParameters] = {
    "half_lives": _HALF_LIVES,
    "frailty": WorldParameters(law="none", base_rate=0.06, gain=0.0, frailty_shape=0.6),
    "power_law": WorldParameters(law="power_law", base_rate=0.004, gain=0.025),
    "heuristic": WorldParameters(
        law="learned_observed", half_life_days=(30.0, 60.0, 1.0), base_rate=0.0045, gain=0.06
    ),
    "half_lives_frailty": dataclasses.replace(
        _HALF_LIVES, base_rate=0.012, gain=0.07, frailty_shape=2.5
    ),
    "shared": WorldParameters(
        namespaces=("personal",), half_life_days=(20.0,), base_rate=0.005, gain=0.08
    ),
    "tiny": dataclasses.replace(_HALF_LIVES, edges=200, days=90.0),
}
"""half_lives: three namespaces, a half-life for each edge; frailty: rates differ, nothing decays;
power_law: ACT-R; heuristic: the half-life follows from the count; half_lives_frailty: both;
shared: one half-life of 20 days; tiny: a small half_lives, for tests.

Rates are such that the log loss of a constant (7 days, checkpoints from day 120) is near that of
fitting.md §3.5: at seed 5 it is 0.44, 0.58, 0.27, 0.37, 0.49; there 0.44, 0.59, 0.27, 0.37, 0.51.
An edge of shared has three re-activations (§3.6)."""


def parameters_from(preset: str = "half_lives", **changes: Any) -> WorldParameters:
    """A preset with changes.

    Raises:
        ConfigError: for a preset or a parameter that does not exist.

    >>> parameters_from("frailty", edges=5).edges
    5
    """
    if preset not in PRESETS:
        raise ConfigError(f"unknown dataset.preset '{preset}'", f"Use one of {', '.join(PRESETS)}")
    known = [field.name for field in dataclasses.fields(WorldParameters)]
    for name in changes:
        if name not in known:
            raise ConfigError(f"a world has no parameter '{name}'", f"Known: {', '.join(known)}")
    for name in ("namespaces", "half_life_days"):
        if name in changes:
            changes[name] = tuple(changes[name])
    return dataclasses.replace(PRESETS[preset], **changes)
