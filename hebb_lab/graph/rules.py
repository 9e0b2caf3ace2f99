"""The synapse layer's rules as data: every number and every deviation is a named switch.

Source: "Budget-Neutral Synaptic Recall" (NeuralMind), page and code; rules.md §1. Where page and
code disagree the page is the default here (`documented`) and `OBSERVED` lists what the code turns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from hebb_lab.errors import ConfigError


def _switch(default: Any, help_text: str, choices: tuple[str, ...] = ()) -> Any:
    return field(default=default, metadata={"help": help_text, "choices": choices})


@dataclass(frozen=True)
class SynapseRules:
    """One rule set of the synapse layer. The defaults are the documented rules."""

    # reinforcement
    learning_rate: float = _switch(0.30, "Δw of one co-activation at strength 1")
    strength_max: float = _switch(2.0, "a window's strength is clamped to [0, this]")
    weight_cap: float | None = _switch(1.0, "w = min(cap, w + Δw); null: no saturation")
    window_max: int | None = _switch(None, "windows with more nodes teach nothing; null: no gate")
    event_weight: str = _switch(
        "one", "Δw of each pair: as it is, or divided by n − 1", ("one", "inverse_size")
    )
    npmi_min: float | None = _switch(
        None, "a new edge is admitted only at NPMI ≥ this at that moment; null: every pair"
    )
    decay_before_reinforcement: bool = _switch(
        True, "the weight is decayed to the moment before Δw is added"
    )
    # half-life
    half_life: str = _switch(
        "learned",
        "one per namespace, learned per edge (documented: read at query time; observed: a"
        " function of the count, fixed at reinforcement), or no decay",
        ("fixed", "learned", "learned_observed", "none"),
    )
    half_life_personal_days: float = _switch(30.0, "default of personal, branches and all others")
    half_life_shared_days: float = _switch(60.0, "default of the shared namespace")
    half_life_ephemeral_days: float = _switch(1.0, "default of the ephemeral namespace")
    half_life_min_days: float = _switch(3.0, "lower bound of a learned half-life")
    half_life_max_days: float = _switch(120.0, "upper bound of a learned half-life")
    decay_shape: str = _switch(
        "exponential",
        "2^(−age/half-life); a power law (age + 1 d)^(−1/2) as a sum of exponentials; or the mean"
        " of two exponentials, half-life/8 and half-life × 4",
        ("exponential", "power_law", "two_time_scales"),
    )
    decay_passes: str = _switch(
        "continuous",
        "decay as of any moment, or by passes that each apply the whole age again",
        ("continuous", "compounding"),
    )
    pass_interval_days: float = _switch(1.0, "time between compounding passes")
    # potentiation and pruning
    potentiation: bool = _switch(True, "edges with enough reinforcements keep a floor")
    potentiation_count: int = _switch(5, "reinforcements from which the floor holds")
    potentiation_floor: float = _switch(0.20, "the floor")
    floor_lifts: bool = _switch(False, "the floor also raises an edge that was weakened below it")
    ephemeral_floor: bool = _switch(True, "the floor holds in the ephemeral namespace too")
    prune_below: float = _switch(0.01, "a weaker edge is gone, its count starts anew; 0: never")
    # reading
    read_branch: float = _switch(1.0, "merged read: weight of the active branch's namespace")
    read_personal: float = _switch(0.8, "merged read: weight of the personal namespace")
    read_shared: float = _switch(0.5, "merged read: weight of the shared namespace")
    # spreading
    hops: int = _switch(2, "how far energy travels")
    spread_decay: float = _switch(0.6, "factor per hop")
    hub_degree: int | None = _switch(50, "senders above it × √(this/degree); null: no hub factor")
    normalisation: str = _switch(
        "none", "weights as they are, or divided by the sender's sum", ("none", "source_row")
    )
    frontier: int | None = _switch(None, "only the best so many nodes send on; null: all")
    # injection
    boost: float = _switch(0.3, "score += boost × energy for nodes already in the list")
    displace_max: int = _switch(2, "at most so many absent nodes displace the weakest hits")
    displace_energy: float = _switch(0.15, "an absent node needs this energy")
    displace_compares: bool = _switch(
        False, "an absent node displaces only a hit that scores lower than boost × its energy"
    )
    seed_hits: int | None = _switch(
        3, "a question without nodes in view: its first so many hits are seeds; null: all"
    )

    def __post_init__(self) -> None:
        for part in fields(self):
            choices = part.metadata["choices"]
            value = getattr(self, part.name)
            if choices and value not in choices:
                raise ConfigError(
                    f"rules.{part.name}={value!r} is not a choice", f"Use one of {choices}"
                )
        if self.hops < 1 or self.pass_interval_days <= 0:
            raise ConfigError("rules.hops and rules.pass_interval_days must be positive", "Mend it")
        for name in ("personal", "shared", "ephemeral", "min", "max"):
            if not getattr(self, f"half_life_{name}_days") > 0:
                raise ConfigError(
                    f"rules.half_life_{name}_days must be positive",
                    "Give days, or half_life=none for no decay",
                )

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> SynapseRules:
        """Rules from a config; an unknown name is an error that lists the names.

        Raises:
            ConfigError: an unknown switch, a wrong choice, a bad number.
        """
        known = {part.name: str(part.type) for part in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise ConfigError(
                    f"unknown switch rules.{name}", f"Known: {', '.join(sorted(known))}"
                )
            _check(name, known[name], value)
        return cls(**dict(values))

    def change(self, **switches: Any) -> SynapseRules:
        """The same rules with some switches set otherwise."""
        return SynapseRules.from_mapping({**asdict(self), **switches})

    def half_life_default_days(self, namespace: str) -> float:
        """Default half-life of a namespace, days (rules.md §1)."""
        if namespace == "shared":
            return self.half_life_shared_days
        if namespace == "ephemeral":
            return self.half_life_ephemeral_days
        return self.half_life_personal_days


def _check(name: str, kind: str, value: Any) -> None:
    """Refuse a value of the wrong type, a negative number and one that is not finite."""
    if value is None and "None" in kind:
        return
    allowed: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,)}
    types = allowed.get(kind.split()[0], (str,))
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ConfigError(f"rules.{name}={value!r} is not of type {kind}", "Give such a value")
    bad = isinstance(value, float) and not math.isfinite(value)
    if bad or (isinstance(value, int | float) and value < 0 and name != "npmi_min"):
        raise ConfigError(f"rules.{name}={value!r} is no number from 0 up", "Give such a number")


DOCUMENTED = SynapseRules()
OBSERVED = replace(
    DOCUMENTED,
    half_life="learned_observed",
    decay_before_reinforcement=False,
    decay_passes="compounding",
    floor_lifts=True,
    ephemeral_floor=False,
)
"""What the shipped code does (v3.3.0); each difference to DOCUMENTED is one switch."""


def switch_table() -> str:
    """The switches as a Markdown table, for the docs: name, documented, observed, meaning."""
    rows = ["| switch | documented | observed | meaning |", "|---|---|---|---|"]
    for part in fields(SynapseRules):
        pair = [_shown(getattr(rules, part.name)) for rules in (DOCUMENTED, OBSERVED)]
        observed = "" if pair[0] == pair[1] else f"**{pair[1]}**"
        choices = f" ({', '.join(part.metadata['choices'])})" if part.metadata["choices"] else ""
        meaning = part.metadata["help"] + choices
        rows.append(f"| `{part.name}` | {pair[0]} | {observed} | {meaning} |")
    return "\n".join(rows)


def _shown(value: Any) -> str:
    return (
        "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    )
