"""The reference back end, the decay sweep: every edge as of strictly before each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import GraphArrays, Snapshots
from hebb_lab.kernels.reference.replay import replay
from hebb_lab.kernels.reference.walk import trace_weight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.parameters import TraceArrays


def weights_at(graph: GraphArrays, traces: TraceArrays, time_us: NDArray[np.int64]) -> Snapshots:
    """What a walk at each time would read of each edge; see Backend.weights_at."""
    state = replay(graph, traces)
    shape = (len(time_us), len(graph.namespace), len(traces.learning_rate))
    found = Snapshots(np.zeros(shape), np.zeros(shape, np.bool_))
    for t, edge, k in np.ndindex(*shape):
        weight = trace_weight(k, edge, int(time_us[t]), graph, state, traces)
        if weight is not None:
            found.weight[t, edge, k], found.alive[t, edge, k] = weight, True
    return found
