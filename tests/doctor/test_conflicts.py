import sys
from types import SimpleNamespace

import pytest

from hebb_lab.doctor.conflicts import find_conflicts


@pytest.fixture(autouse=True)
def _a_working_faiss(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", SimpleNamespace(__version__="1.15.1"))


def only(versions, torch_cuda=None, driver=None):
    (conflict,) = find_conflicts(versions, torch_cuda, driver)
    return conflict


def test_a_usual_environment_has_none():
    versions = {"torch": "2.13.0+cpu", "faiss-cpu": "1.15.1"}
    assert find_conflicts(versions, None, None) == []
    versions = {"torch": "2.13.0", "faiss-gpu": "1.15.1", "cupy-cuda13x": "14.2.0"}
    assert find_conflicts(versions, "13.0", "580.65.06") == []
    versions = {"torch": "2.10.0", "faiss-gpu": "1.15.1", "cupy-cuda12x": "14.2.0"}
    assert find_conflicts(versions, "12.8", "570.10") == []


def test_two_builds_of_faiss_are_both_removed_and_one_comes_back():
    conflict = only({"faiss-cpu": "1.15.1", "faiss-gpu": "1.15.1"})
    assert "overwrite" in conflict.problem
    assert "uninstall -y faiss-cpu faiss-gpu && " in conflict.cure
    assert conflict.cure.endswith("install faiss-cpu")


def test_with_a_gpu_the_build_that_comes_back_uses_it():
    versions = {"torch": "2.13.0", "faiss-cpu": "1.15.1", "faiss-gpu": "1.15.1"}
    assert only(versions, "13.0", "580.65.06").cure.endswith("install faiss-gpu")


def test_of_two_cupy_lines_the_one_of_torch_stays():
    versions = {"torch": "2.10.0", "cupy-cuda12x": "14.2.0", "cupy-cuda13x": "14.2.0"}
    assert only(versions, "12.8", "570.10").cure.endswith("install cupy-cuda12x")


def test_cupy_of_another_cuda_line_than_torch_is_replaced():
    conflict = only({"torch": "2.13.0", "cupy-cuda12x": "14.2.0"}, "13.0", "580.65.06")
    assert "CUDA 13.0" in conflict.problem
    assert conflict.cure.endswith("install cupy-cuda13x")


def test_a_cpu_build_of_torch_beside_a_driver_leaves_the_device_idle():
    conflict = only({"torch": "2.13.0+cpu"}, None, "580.65.06")
    assert "CPU build" in conflict.problem
    assert conflict.cure.endswith("install --force-reinstall torch==2.13.0")


@pytest.mark.parametrize("module", [SimpleNamespace(), None])
def test_a_faiss_that_counts_as_installed_but_is_empty_is_laid_anew(monkeypatch, module):
    monkeypatch.setitem(sys.modules, "faiss", module)
    conflict = only({"faiss-gpu": "1.15.1"})
    assert "broken" in conflict.problem
    assert conflict.cure.endswith("--force-reinstall --no-deps faiss-gpu")
