"""Graph layers by name: which facts each learns from, and under which rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.graph.synapse import SynapseLayer
    from hebb_lab.graph.temporal import TemporalGraph
    from hebb_lab.kernels.backend import Backend


class Facts(Protocol):
    """What layers learn from."""

    @property
    def graph(self) -> TemporalGraph:
        """Co-activations."""

    @property
    def transitions(self) -> TemporalGraph:
        """The directed twin: a then b."""


Layer = Callable[["Facts", "Sequence[SynapseRules]", "Backend", "str | None"], "SynapseLayer"]
LAYERS: Registry[Layer] = Registry("layer")
"""name → (facts, C rule sets, back end, active branch's namespace) → the layer, learned."""


@LAYERS.register("synapse")
def synapse(
    facts: Facts, rules: Sequence[SynapseRules], backend: Backend, branch: str | None = None
) -> SynapseLayer:
    """What was active together, under the rules as they are."""
    from hebb_lab.graph.synapse import SynapseLayer

    return SynapseLayer.learn(facts.graph, rules, backend, branch)


@LAYERS.register("transitions")
def transitions(
    facts: Facts, rules: Sequence[SynapseRules], backend: Backend, branch: str | None = None
) -> SynapseLayer:
    """What followed what, in one direction: Δw 1, cap 100, pruned below 0.5, no floor, one hop.

    Half-lives are those of the rules; a weight is read as its share of all that follows the
    sender. (Directed transitions and their next-likely, the synapse layer's page.)
    """
    from hebb_lab.graph.synapse import SynapseLayer

    return SynapseLayer.learn(
        facts.transitions, [_of_transitions(each) for each in rules], backend, branch
    )


def _of_transitions(rules: SynapseRules) -> SynapseRules:
    return rules.change(
        learning_rate=1.0, strength_max=5.0, weight_cap=100.0, prune_below=0.5,
        potentiation=False, half_life="none" if rules.half_life == "none" else "fixed",
        decay_shape="exponential", window_max=None, npmi_min=None, hops=1,
        hub_degree=None, normalisation="source_row", event_weight="one",
    )  # fmt: skip
