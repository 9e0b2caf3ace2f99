"""What the launcher asks of CuPy and torch, with both played by doubles: no device is at work."""

import contextlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from hebb_lab import device as devices
from hebb_lab.kernels.cuda.launch import CupyLauncher, Shape
from hebb_lab.kernels.cuda.sources import text_of


class Kernel:
    """Needs 100 registers a thread and 5,000 bytes of shared memory a block."""

    max_threads_per_block, num_regs, shared_size_bytes = 640, 100, 5000

    def __init__(self, calls):
        self.calls = calls

    def __call__(self, grid, block, arguments):
        self.calls.append((grid, block, arguments))


@pytest.fixture
def machine(monkeypatch):
    """A CuPy and a torch that keep what they are told."""
    told = SimpleNamespace(calls=[], modules=[], streams=[])

    def module(code, options):
        told.modules.append((code, options))
        return SimpleNamespace(get_function=lambda name: Kernel(told.calls))

    def on_stream(stream):
        told.streams.append(stream.__cuda_stream__())
        return contextlib.nullcontext()

    cuda = SimpleNamespace(
        Device=lambda index: contextlib.nullcontext(),
        Stream=SimpleNamespace(from_external=on_stream),
    )
    cupy = SimpleNamespace(
        RawModule=module, from_dlpack=lambda tensor: ("passed", tensor), cuda=cuda
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(devices, "cupy_problem", lambda: None)
    monkeypatch.setattr(devices, "torch_problem", lambda: None)
    properties = SimpleNamespace(
        multi_processor_count=10, regs_per_multiprocessor=65536,
        shared_memory_per_multiprocessor=100_000, max_threads_per_multi_processor=2048,
    )  # fmt: skip
    for name, answer in {
        "current_device": 0, "get_device_name": "a device", "get_device_properties": properties,
        "current_stream": SimpleNamespace(cuda_stream=7), "mem_get_info": (100, 1000),
        "memory_reserved": 50, "memory_allocated": 20,
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, lambda *_, answer=answer: answer)
    return told


def test_as_many_blocks_as_registers_allow_side_by_side(machine):
    # 256 threads with 100 registers each: two blocks in 65,536 registers, on 10 multiprocessors
    assert CupyLauncher("float64").shape("spread", "spread") == Shape(256, 20)


def test_a_module_is_compiled_once_in_its_precision(machine):
    launcher = CupyLauncher("float32")
    for _ in range(2):
        launcher.launch("lists", "follow", Shape(256, 3), [])
    ((code, options),) = machine.modules
    assert code == text_of("lists")
    assert "-DREAL=float" in options
    assert launcher.name == "cuda:0 (a device)"


def test_tensors_go_by_dlpack_numbers_at_64_bits_and_nothing_as_null(machine):
    tensor, empty = torch.arange(3), torch.zeros(0)
    CupyLauncher("float64").launch("lists", "follow", Shape(64, 5),
                                   [tensor, empty, None, 4, 0.5])  # fmt: skip
    ((grid, block, arguments),) = machine.calls
    assert (grid, block, machine.streams) == ((5,), (64,), [(0, 7)])
    assert arguments[0] == ("passed", tensor)
    assert [type(each) for each in arguments[1:]] == [np.uint64, np.uint64, np.int64, np.float64]
    assert arguments[1:] == (0, 0, 4, 0.5)


def test_what_torch_keeps_unused_counts_as_free(machine):
    assert CupyLauncher("float64").free_bytes() == 130
