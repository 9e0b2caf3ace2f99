import sys
from types import SimpleNamespace

import pytest

from hebb_lab import device


def test_without_cupy_there_is_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert device.cupy_or_none() is None


def test_cupy_without_a_device_is_none(monkeypatch):
    cupy = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert device.cupy_or_none() is None


def test_cupy_whose_libraries_do_not_load_is_none(monkeypatch):
    def fail():
        raise OSError("libcudart.so.13: cannot open shared object file")

    monkeypatch.setitem(
        sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(is_available=fail))
    )
    assert device.cupy_or_none() is None


def test_cupy_with_a_device_is_handed_over(monkeypatch):
    cupy = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: True))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert device.cupy_or_none() is cupy


@pytest.mark.parametrize(
    ("faiss", "gpus"),
    [
        (None, 0),  # not installed
        (SimpleNamespace(), 0),  # emptied by removing the other build
        (SimpleNamespace(get_num_gpus=lambda: 2), 0),  # faiss-cpu: counts, but cannot use them
        (SimpleNamespace(get_num_gpus=lambda: 2, StandardGpuResources=object), 2),
    ],
)
def test_only_a_cuda_build_of_faiss_has_gpus(monkeypatch, faiss, gpus):
    monkeypatch.setitem(sys.modules, "faiss", faiss)
    assert device.faiss_gpus() == gpus


def test_cuda_is_what_torch_says(monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device.has_cuda()


class Driver:
    """NVIDIA's driver library, as far as it is asked."""

    def __init__(self, count=1, memory=80 * 2**30, failure=0):
        self.count, self.memory, self.failure = count, memory, failure

    def cuDeviceGetCount(self, count):
        count._obj.value = self.count
        return self.failure

    def cuDeviceGet(self, device, index):
        return 0 if index < self.count else 101

    def cuDeviceTotalMem_v2(self, size, device):
        size._obj.value = self.memory
        return self.failure


@pytest.fixture
def driver(monkeypatch):
    def set_up(found):
        monkeypatch.setattr(device, "cuda_driver", lambda: found)

    return set_up


@pytest.mark.parametrize(
    ("found", "count"), [(None, 0), (Driver(0), 0), (Driver(2), 2), (Driver(2, failure=3), 0)]
)
def test_the_driver_counts_the_devices(driver, found, count):
    driver(found)
    assert device.cuda_devices() == count


def test_a_machine_without_the_driver_has_no_device(monkeypatch):
    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(device.ctypes, "CDLL", missing)
    device.cuda_driver.cache_clear()
    try:
        assert device.cuda_devices() == 0
    finally:
        device.cuda_driver.cache_clear()


def test_without_a_device_nothing_else_is_looked_for(driver, monkeypatch):
    driver(None)
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert device.cupy_problem()[0] == device.torch_problem()[0] == "no CUDA device"


@pytest.mark.parametrize(
    ("installed", "works", "said"),
    [
        (False, False, "CuPy is not installed"),
        (True, False, "CuPy cannot use the CUDA device"),
        (True, True, None),
    ],
)
def test_what_keeps_cupy_from_running_has_a_cure(driver, monkeypatch, installed, works, said):
    driver(Driver())
    monkeypatch.setattr(device.importlib.util, "find_spec", lambda name: installed or None)
    monkeypatch.setattr(device, "cupy_or_none", lambda: works or None)
    problem = device.cupy_problem()
    assert (problem and problem[0]) == said
    assert problem is None or problem[1]


@pytest.mark.parametrize(
    ("built_for", "works", "said"),
    [
        (None, False, "torch is a CPU build"),
        ("13.0", False, "torch cannot use the CUDA device"),
        ("13.0", True, None),
    ],
)
def test_what_keeps_torch_from_the_device_has_a_cure(driver, monkeypatch, built_for, works, said):
    torch = pytest.importorskip("torch")
    driver(Driver())
    monkeypatch.setattr(torch.version, "cuda", built_for)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: works)
    problem = device.torch_problem()
    assert (problem and problem[0]) == said
    assert problem is None or problem[1]


def test_the_cuda_back_end_needs_both_and_names_the_first_that_is_missing(monkeypatch):
    for cupy, torch, said in [
        (None, None, None), (None, ("t", ""), ("t", "")), (("c", ""), ("t", ""), ("c", "")),
    ]:  # fmt: skip
        monkeypatch.setattr(device, "cupy_problem", lambda cupy=cupy: cupy)
        monkeypatch.setattr(device, "torch_problem", lambda torch=torch: torch)
        assert device.cuda_problem() == said


def test_memory_is_that_of_the_device(driver):
    driver(Driver(memory=80 * 2**30))
    assert device.memory_bytes("cuda") == 80 * 2**30
    assert device.memory_bytes("cpu") > 10**8
    with pytest.raises(ValueError, match="unknown device 'tpu'"):
        device.memory_bytes("tpu")


@pytest.mark.parametrize("found", [None, Driver(0), Driver(failure=3)])
def test_memory_that_is_not_known_is_4_gigabytes(driver, found):
    driver(found)
    assert device.memory_bytes("cuda") == 4_000_000_000
