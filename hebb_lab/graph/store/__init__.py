"""The synapse store: the rules of the synapse layer in plain Python, the reference for kernels."""

from hebb_lab.graph.store.edges import DAY_US, days
from hebb_lab.graph.store.reading import NamespaceStats, StoreStats, namespace_factors
from hebb_lab.graph.store.spreading import Carry, EdgeTrace, Spread, explain, spread
from hebb_lab.graph.store.synapses import Pruned, SynapseStore

__all__ = [
    "DAY_US",
    "Carry",
    "EdgeTrace",
    "NamespaceStats",
    "Pruned",
    "Spread",
    "StoreStats",
    "SynapseStore",
    "days",
    "explain",
    "namespace_factors",
    "spread",
]
