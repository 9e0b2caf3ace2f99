import numpy as np
import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.state import State, nearest
from hebb_lab.memory.state.search.device import DeviceSearch
from tests.kernels.backends import without_device
from tests.memory.made import made_added

D = 8


def on_device(count, device="cpu"):
    added = made_added(count, dimensions=D)
    state = State(D)
    state.apply(Change(1, added=added))
    return state.to(device), added


def test_only_blocks_that_were_written_to_are_sent_again(monkeypatch):
    monkeypatch.setattr("hebb_lab.memory.state.vectors.BLOCK", 10)
    state, added = on_device(35)
    search = state.device_search
    search.follow(state)
    before = list(search._blocks)
    state.apply(Change(2, forgotten=added.ids[12:13]))
    assert [a is b for a, b in zip(before, search._blocks, strict=True)] == [
        True,
        False,
        True,
        True,
    ]


def test_what_is_forgotten_leaves_the_device_at_once():
    state, added = on_device(20)
    state.device_search.follow(state)
    state.apply(Change(2, forgotten=added.ids[3:4]))
    assert not state.device_search._blocks[0][3].any()


def test_a_device_holds_a_copy_and_not_the_memory_of_the_state():
    state, _ = on_device(20)
    state.device_search.follow(state)
    assert not np.shares_memory(
        state.device_search._blocks[0].numpy(), next(state.vectors.blocks())[1]
    )


def test_a_state_can_be_taken_back_from_the_device():
    state, _ = on_device(20)
    assert isinstance(state.device_search, DeviceSearch)
    assert state.to(None).device_search is None


@pytest.mark.gpu
@without_device()
def test_a_gpu_finds_what_the_processor_finds():
    state, _ = on_device(5000, "cuda")
    queries = np.random.default_rng(0).standard_normal((2000, D)).astype(np.float32)
    there = nearest(state, queries, 10, None, MemoryRules())
    here = nearest(state.to(None), queries, 10, None, MemoryRules())
    assert all((a == b).all() for a, b in zip(there, here, strict=True))
