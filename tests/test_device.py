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
