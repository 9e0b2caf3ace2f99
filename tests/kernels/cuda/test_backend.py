"""What is missing is named with its cure; blocks follow device and memory."""

import numpy as np
import pytest

from hebb_lab import device as devices
from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.cuda.backend import kernels_on
from hebb_lab.kernels.cuda.launch import Shape, staying_blocks
from tests.kernels.backends import HOST, made
from tests.kernels.cuda.host.build import compiler
from tests.kernels.cuda.host.launch import HostLauncher
from tests.kernels.logs import case_of, hub

needs_compiler = pytest.mark.skipif(compiler() is None, reason="no g++ to build the kernels with")


def test_without_a_device_the_cure_is_the_automatic_choice(monkeypatch):
    monkeypatch.setattr(devices, "cuda_devices", lambda: 0)
    with pytest.raises(ConfigError, match=r"no CUDA device\. Set runtime\.backend=auto"):
        backend_named("cuda")


def test_without_cupy_the_cure_is_the_extra(monkeypatch):
    monkeypatch.setattr(devices, "cuda_devices", lambda: 1)
    monkeypatch.setattr(devices.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"CuPy is not installed.*hebb_lab\[gpu\]"):
        backend_named("cuda")


class Device:
    """Holds 8 blocks of 128 threads at once, and has so many bytes free."""

    def __init__(self, free):
        self.free = free

    def shape(self, module, kernel):
        return Shape(128, 8)

    def free_bytes(self):
        return self.free


@pytest.mark.parametrize(
    ("tasks", "each", "memory", "free", "blocks"),
    [
        (100, 10, 10**6, 10**6, 8),  # what the device holds
        (3, 10, 10**6, 10**6, 3),  # no more than there are tasks
        (100, 10, 50, 10**6, 5),  # what the budget holds
        (100, 10, 10**6, 20, 2),  # what is free
        (100, 10, 1, 1, 1),  # one at least
    ],
)
def test_as_many_blocks_stay_as_tasks_device_and_memory_allow(tasks, each, memory, free, blocks):
    shape = staying_blocks(Device(free), "m", "k", tasks, each, memory)
    assert shape == Shape(128, blocks)


@needs_compiler
def test_a_state_stays_where_the_kernels_read_it():
    backend, case = made(HOST), case_of(hub(), [], 75)
    placed = backend.place(case.graph)
    assert placed.time.data_ptr() == case.graph.time.__array_interface__["data"][0], "no copy"


@needs_compiler
def test_arguments_of_another_width_are_found_before_a_launch():
    launcher = HostLauncher("float64")
    with pytest.raises(AssertionError, match="follow"):
        launcher.launch("lists", "follow", Shape(1, 1), [None, None, None, 1, 2.0])


@needs_compiler
@pytest.mark.parametrize("threads", [1, 2, 5, 16])
def test_the_width_of_a_block_changes_nothing_but_the_order_of_sums(threads):
    kernels = kernels_on(HostLauncher("float64", threads), 10**7)
    rng = np.random.default_rng(threads)
    ids = np.concatenate([np.sort(rng.choice(900, n, replace=False)) for n in (0, 1, 300, 700)])
    pointer = np.array([0, 0, 1, 301, 1001])
    values = rng.integers(-3, 4, (2, 1001)).astype(np.float64)
    got = kernels.segment_top_k(values, ids.astype(np.int32), pointer, 40)
    want = made("reference").segment_top_k(values, ids.astype(np.int32), pointer, 40)
    np.testing.assert_array_equal(got, want)
