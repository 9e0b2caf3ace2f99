"""The synapse layer's rules as data: every number and every deviation is a named switch.

Source: "Budget-Neutral Synaptic Recall" (NeuralMind), page and code; rules.md §1. Where page and
code disagree the page is the default here (`documented`) and `OBSERVED` lists what the code turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.graph.switches import check_choices, checked, row, switch


@dataclass(frozen=True)
class SynapseRules:
    """One rule set of the synapse layer. The defaults are the documented rules."""

    # reinforcement
    learning_rate: float = switch(0.30, "Δw of one co-activation at strength 1")
    strength_max: float = switch(2.0, "a window's strength is clamped to [0, this]")
    weight_cap: float | None = switch(1.0, "w = min(cap, w + Δw); null: no saturation")
    window_max: int | None = switch(None, "windows with more nodes teach nothing; null: no gate")
    event_weight: str = switch(
        "one", "Δw of each pair: as it is, or divided by n − 1", ("one", "inverse_size")
    )
    npmi_min: float | None = switch(
        None,
        "a new edge is admitted only at NPMI ≥ this at that moment; null: every pair",
        signed=True,
    )
    decay_before_reinforcement: bool = switch(
        True, "the weight is decayed to the moment before Δw is added"
    )
    # half-life
    half_life: str = switch(
        "learned",
        "one per namespace, learned per edge (documented: read at query time; observed: a"
        " function of the count, fixed at reinforcement), or no decay",
        ("fixed", "learned", "learned_observed", "none"),
    )
    half_life_personal_days: float = switch(30.0, "default of personal, branches and all others")
    half_life_shared_days: float = switch(60.0, "default of the shared namespace")
    half_life_ephemeral_days: float = switch(1.0, "default of the ephemeral namespace")
    half_life_min_days: float = switch(3.0, "lower bound of a learned half-life")
    half_life_max_days: float = switch(120.0, "upper bound of a learned half-life")
    decay_shape: str = switch(
        "exponential",
        "2^(−age/half-life); a power law (age + 1 d)^(−1/2) as a sum of exponentials; or the mean"
        " of two exponentials, half-life/8 and half-life × 4",
        ("exponential", "power_law", "two_time_scales"),
    )
    decay_passes: str = switch(
        "continuous",
        "decay as of any moment, or by passes that each apply the whole age again",
        ("continuous", "compounding"),
    )
    pass_interval_days: float = switch(1.0, "time between compounding passes")
    # potentiation and pruning
    potentiation: bool = switch(True, "edges with enough reinforcements keep a floor")
    potentiation_count: int = switch(5, "reinforcements from which the floor holds")
    potentiation_floor: float = switch(0.20, "the floor")
    floor_lifts: bool = switch(False, "the floor also raises an edge that was weakened below it")
    ephemeral_floor: bool = switch(True, "the floor holds in the ephemeral namespace too")
    prune_below: float = switch(0.01, "a weaker edge is gone, its count starts anew; 0: never")
    # reading
    read_branch: float = switch(1.0, "merged read: weight of the active branch's namespace")
    read_personal: float = switch(0.8, "merged read: weight of the personal namespace")
    read_shared: float = switch(0.5, "merged read: weight of the shared namespace")
    # spreading
    hops: int = switch(2, "how far energy travels")
    spread_decay: float = switch(0.6, "factor per hop")
    hub_degree: int | None = switch(50, "senders above it × √(this/degree); null: no hub factor")
    normalisation: str = switch(
        "none", "weights as they are, or divided by the sender's sum", ("none", "source_row")
    )
    frontier: int | None = switch(None, "only the best so many nodes send on; null: all")
    # injection
    boost: float = switch(0.3, "score += boost × energy for nodes already in the list")
    displace_max: int = switch(2, "at most so many absent nodes displace the weakest hits")
    displace_energy: float = switch(0.15, "an absent node needs this energy")
    displace_compares: bool = switch(
        False, "an absent node displaces only a hit that scores lower than boost × its energy"
    )
    seed_hits: int | None = switch(
        3, "a question without nodes in view: its first so many hits are seeds; null: all"
    )

    def __post_init__(self) -> None:
        check_choices(self, "rules")
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
        return cls(**checked(cls, values, "rules"))

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
    rows += [
        row(part, getattr(DOCUMENTED, part.name), getattr(OBSERVED, part.name))
        for part in fields(SynapseRules)
    ]
    return "\n".join(rows)
