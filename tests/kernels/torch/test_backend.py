"""The torch back end as a whole: where it runs, and what it does in float32 and on a GPU."""

import numpy as np
import pytest
import torch

from hebb_lab.errors import ConfigError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import Found, on_host, query_arrays
from hebb_lab.kernels.backend import Backend
from hebb_lab.kernels.torch import recall
from hebb_lab.kernels.torch.backend import kernels
from hebb_lab.kernels.torch.decay import half_lives
from hebb_lab.kernels.torch.rules import trace_rules
from tests.kernels.backends import without_device
from tests.kernels.comparing import assert_same_found
from tests.kernels.logs import DAY_US, START_US, case_of, hub, queries_at


def test_cuda_without_a_device_is_refused_with_the_cure(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="no CUDA device") as refusal:
        kernels("float64", 10**6, "cuda")
    assert "runtime.device=cpu" in str(refusal.value)


def test_auto_takes_the_processor_where_there_is_no_device(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert kernels("float32", 10**6, "auto").device == "cpu"


def test_states_have_the_precision_asked_for():
    case = case_of(hub(), [DOCUMENTED], 75)
    for precision, dtype in (("float64", torch.float64), ("float32", torch.float32)):
        made = Backend("torch", kernels(precision, 10**8, "cpu"))
        assert made.replay(made.place(case.graph), case.traces).weight.dtype == dtype


def test_placed_arrays_are_tensors_that_share_memory_on_the_processor():
    graph = case_of(hub(), [DOCUMENTED], 75).graph
    placed = kernels("float64", 10**8, "cpu").place(graph)
    assert isinstance(placed.time, torch.Tensor)
    assert placed.time.data_ptr() == graph.time.ctypes.data


def test_rules_that_agree_take_one_column_and_one_row():
    case = case_of(hub(), [DOCUMENTED, DOCUMENTED.change(learning_rate=0.1)], 75)
    rules = trace_rules(case.traces, torch.device("cpu"), torch.float64)
    assert rules.learning_rate.shape == (1, 2)
    assert rules.prune_below.shape == (1, 1)
    assert rules.default_days.shape == (4, 1)
    age = half_lives(
        rules.of(torch.tensor([0])), torch.ones((1, 2), dtype=torch.int32), None,
        torch.zeros((1, 1), dtype=torch.float64),
    )  # fmt: skip
    assert age.tolist() == [[0.0, 0.0]]


def test_a_node_that_rounding_hides_is_found_by_widening(monkeypatch):
    """The float32 products are spoiled so that the best node comes last among them."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(400, 8)).astype(np.float32)
    vectors[7:300] = vectors[7]  # more equal products than a first search fetches
    asked = vectors[7:8] * 2
    nothing = Found(
        np.full((1, 1, 0), -1, np.int32), np.zeros((1, 1, 0), np.float32), np.zeros((1, 1), int)
    )
    queries = query_arrays(queries_at([START_US], [(0, 1.0)], 400, exclude=[299, 298]))
    found = recall.recall(
        vectors, asked, nothing, np.zeros(1), queries, 3, device=torch.device("cpu"),
        memory_bytes=10**8,
    )  # fmt: skip
    assert found.ids[0, 0].tolist() == [297, 296, 295]


@pytest.mark.gpu
@without_device()
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_device_finds_what_the_processor_finds(precision):
    rules = [DOCUMENTED, OBSERVED, DOCUMENTED.change(half_life="fixed", hops=3)]
    case = case_of(hub(), rules, 75)
    times = [START_US + i * 3 * DAY_US for i in range(20)]
    queries = query_arrays(queries_at(times, [(0, 1.0), (3, 0.6)], 75))
    found = []
    for device in ("cpu", "cuda"):
        made = Backend("torch", kernels(precision, 10**8, device))
        graph = made.place(case.graph)
        state = made.replay(graph, case.traces, True)
        walks = (made.spread, made.personalised_pagerank)
        found.append((
            on_host(state), on_host(made.weights_at(graph, case.traces, np.array(times))),
            *(walk(graph, state, case.traces, case.reads, queries, 12) for walk in walks),
        ))  # fmt: skip
    for one, other in zip(*(part[:2] for part in found), strict=True):
        for left, right in zip(one, other, strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-12)
    for one, other in zip(*(part[2:] for part in found), strict=True):
        assert_same_found(one, other, "torch float32", edges=False)
