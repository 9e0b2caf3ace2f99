"""Which event an edge's state is of, against looking at every event."""

import numpy as np
import torch
from hypothesis import given, settings

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.torch.as_of import facts_of
from tests.kernels.logs import case_of, window_lists

CPU = torch.device("cpu")
GATES = np.array([3, 10**9, 2])


@settings(deadline=None, max_examples=60)
@given(window_lists())
def test_the_newest_event_before_a_time_is_found_on_every_edge(windows):
    graph = case_of(windows, [DOCUMENTED]).graph
    facts = facts_of(graph, GATES, CPU)
    edges = len(graph.namespace)
    moments = sorted({w[0] + shift for w in windows for shift in (-1, 0, 1)})
    edge, time = (part.ravel() for part in np.meshgrid(np.arange(edges), moments))
    got = facts.newest_before(torch.from_numpy(edge), torch.from_numpy(time)).tolist()
    for e, t, m in zip(edge.tolist(), time.tolist(), got, strict=True):
        own = range(graph.event_ptr[e], graph.event_ptr[e + 1])
        assert m == max((i for i in own if graph.time[i] < t), default=-1)


@settings(deadline=None, max_examples=60)
@given(window_lists())
def test_gates_keep_events_out_and_penalties_teach_nothing(windows):
    graph = case_of(windows, [DOCUMENTED]).graph
    facts = facts_of(graph, GATES, CPU)
    event = torch.arange(len(graph.time))
    state, active = facts.admitted(event)
    active = state if active is None else active
    for m in event.tolist():
        own = range(graph.event_ptr[graph.edge_of[m]], m + 1)
        for k, gate in enumerate(GATES):
            seen = [i for i in own if graph.size[i] <= gate]
            taught = [i for i in seen if graph.strength[i] >= 0]
            column = k if state.shape[1] > 1 else 0
            assert state[m, column] == max(seen, default=-1)
            assert active[m, column if active.shape[1] > 1 else 0] == max(taught, default=-1)
