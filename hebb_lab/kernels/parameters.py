"""Rule sets as arrays: what the kernels read. C configurations, K exponential traces.

A configuration with one exponential is one trace. A mixture (power law, two time scales) is
several traces, each a store with the same rules and its own half-life, whose weights are averaged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.rules import SynapseRules

HALF_LIFE_MODES = ("fixed", "learned", "learned_observed", "none")
FIXED, LEARNED, LEARNED_OBSERVED, NONE = range(4)
NEVER = np.iinfo(np.int64).max
LEAST_DAYS = 1e-15  # a shorter half-life too leaves nothing of a weight after one µs


class TraceArrays(NamedTuple):
    """[K] one entry a trace, [K, S] one a trace and namespace: all that replay reads."""

    learning_rate: NDArray[np.float64]
    strength_max: NDArray[np.float64]
    weight_cap: NDArray[np.float64]
    window_max: NDArray[np.int64]
    inverse_size: NDArray[np.bool_]
    npmi_min: NDArray[np.float64]
    decay_before: NDArray[np.bool_]
    half_life_mode: NDArray[np.int64]
    default_days: NDArray[np.float64]  # [K, S]
    low_days: NDArray[np.float64]  # [K, S]
    high_days: NDArray[np.float64]
    compounding: NDArray[np.bool_]
    interval_us: NDArray[np.int64]
    potentiation_count: NDArray[np.int64]
    floor: NDArray[np.float64]
    floor_holds: NDArray[np.bool_]  # [K, S]
    floor_lifts: NDArray[np.bool_]
    prune_below: NDArray[np.float64]


class ReadArrays(NamedTuple):
    """[C] one entry a configuration: all that spreading reads."""

    trace_first: NDArray[np.int64]  # traces of configuration c: [trace_first[c]:trace_stop[c]]
    trace_stop: NDArray[np.int64]
    mix: NDArray[np.float64]  # [K], sums to 1 over the traces of a configuration
    read_weight: NDArray[np.float64]  # [C, S]
    hops: NDArray[np.int64]
    spread_decay: NDArray[np.float64]
    hub_degree: NDArray[np.float64]
    source_row: NDArray[np.bool_]
    frontier: NDArray[np.int64]

    def some(self, configs: Sequence[int]) -> ReadArrays:
        """Some of the configurations; their traces stay where they are."""
        at = np.asarray(configs, np.int64)
        parts = {name: part[at] for name, part in self._asdict().items() if name != "mix"}
        return ReadArrays(mix=self.mix, **parts)


def rule_arrays(
    rules: Sequence[SynapseRules], namespaces: Sequence[str], branch: str | None = None
) -> tuple[TraceArrays, ReadArrays]:
    """C rule sets as arrays.

    Args:
        rules: the C configurations.
        namespaces: the S names.
        branch: the active branch's namespace, read at ``read_branch``; others than it, personal
            and shared are invisible (neuralmind.md §1.8).

    Raises:
        ConfigError: a mixture without a fixed half-life.
    """
    traces: list[tuple[SynapseRules, float | None]] = []
    mix: list[float] = []
    counts = []
    for rule in rules:
        parts = _traces_of(rule)
        counts.append(len(parts))
        traces += [(rule, days) for _, days in parts]
        mix += [weight for weight, _ in parts]
    pointer = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return _trace_arrays(traces, namespaces), ReadArrays(
        trace_first=pointer[:-1],
        trace_stop=pointer[1:],
        mix=np.array(mix),
        read_weight=np.array([[_read(r, name, branch) for name in namespaces] for r in rules]),
        hops=np.array([r.hops for r in rules]),
        spread_decay=np.array([r.spread_decay for r in rules]),
        hub_degree=np.array([np.inf if r.hub_degree is None else r.hub_degree for r in rules]),
        source_row=np.array([r.normalisation == "source_row" for r in rules]),
        frontier=np.array([NEVER if r.frontier is None else r.frontier for r in rules]),
    )


def _trace_arrays(
    traces: list[tuple[SynapseRules, float | None]], namespaces: Sequence[str]
) -> TraceArrays:
    rules = [rule for rule, _ in traces]
    days = [[own or r.half_life_default_days(n) for n in namespaces] for r, own in traces]
    low = [[_low_days(r, name) for name in namespaces] for r in rules]
    holds = [[r.ephemeral_floor or n != "ephemeral" for n in namespaces] for r in rules]
    return TraceArrays(
        learning_rate=np.array([r.learning_rate for r in rules]),
        strength_max=np.array([r.strength_max for r in rules]),
        weight_cap=np.array([np.inf if r.weight_cap is None else r.weight_cap for r in rules]),
        window_max=np.array([NEVER if r.window_max is None else r.window_max for r in rules]),
        inverse_size=np.array([r.event_weight == "inverse_size" for r in rules]),
        npmi_min=np.array([-np.inf if r.npmi_min is None else r.npmi_min for r in rules]),
        decay_before=np.array([r.decay_before_reinforcement for r in rules]),
        half_life_mode=np.array([HALF_LIFE_MODES.index(r.half_life) for r in rules]),
        default_days=np.array(days, dtype=np.float64).reshape(len(rules), len(namespaces)),
        low_days=np.array(low, dtype=np.float64).reshape(len(rules), len(namespaces)),
        high_days=np.array([r.half_life_max_days for r in rules]),
        compounding=np.array([r.decay_passes == "compounding" for r in rules]),
        interval_us=np.array([round(r.pass_interval_days * 86_400e6) for r in rules]),
        potentiation_count=np.array(
            [r.potentiation_count if r.potentiation else NEVER for r in rules]
        ),
        floor=np.array([r.potentiation_floor for r in rules]),
        floor_holds=np.array(holds, dtype=np.bool_).reshape(len(rules), len(namespaces)),
        floor_lifts=np.array([r.floor_lifts for r in rules]),
        prune_below=np.array([r.prune_below for r in rules]),
    )


def _low_days(rule: SynapseRules, namespace: str) -> float:
    """Lower bound of a learned half-life; the shipped code keeps shared at its default at least.

    Source: neuralmind.md §1.6.
    """
    if rule.half_life == "learned_observed" and namespace == "shared":
        return max(rule.half_life_min_days, rule.half_life_shared_days)
    return rule.half_life_min_days


def _traces_of(rule: SynapseRules) -> list[tuple[float, float | None]]:
    """(mixing weight, half-life in days or the rule's own) of each trace."""
    if rule.decay_shape == "exponential":
        return [(1.0, None)]
    if rule.half_life != "fixed":
        raise ConfigError(
            f"rules.decay_shape={rule.decay_shape} goes with rules.half_life=fixed only",
            "Set rules.half_life=fixed",
        )
    if rule.decay_shape == "two_time_scales":
        return [(0.5, rule.half_life_personal_days / 8), (0.5, rule.half_life_personal_days * 4)]
    return list(power_law_traces())


def power_law_traces() -> tuple[tuple[float, float], ...]:
    """(weight, half-life in days) of the exponentials that make (age/1 d + 1)^(−1/2).

    Eight half-lives, log-spaced from 0.1 to 1,600 d; weights by non-negative least squares on
    relative error at 400 log-spaced ages from 0.01 to 365 d, scaled to sum 1 (fitting.md §1.4);
    the weight of the shortest is 0. Solved once, here in full precision: the solver takes a third
    of a second to import, and its last bit need not be the same everywhere.
    """
    return (
        (0.1790189326681646, 0.3986470631277377),
        (0.3348212088404876, 1.589194809403705),
        (0.23129577859617662, 6.335278435066317),
        (0.12518066014627643, 25.25540142235678),
        (0.06628861585390645, 100.67991605134623),
        (0.022743071136280227, 401.35752849816316),
        (0.040651732758707995, 1600.0),
    )


def _read(rule: SynapseRules, namespace: str, branch: str | None) -> float:
    if namespace == branch:
        return rule.read_branch
    return {"personal": rule.read_personal, "shared": rule.read_shared}.get(namespace, 0.0)
