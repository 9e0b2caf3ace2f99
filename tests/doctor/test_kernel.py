import numpy as np
import pytest

from hebb_lab.device import cupy_or_none
from hebb_lab.doctor import kernel


def test_the_compiled_loop_agrees_with_the_closed_formula():
    run = kernel.run_kernel("cpu")
    assert run.problem is None
    assert run.by == "numba"
    assert 0 < run.largest_error <= kernel.TOLERANCE  # two ways of rounding: never equal throughout


def test_a_wrong_kernel_is_found_out(monkeypatch):
    monkeypatch.setattr(kernel, "_run_numba", lambda days, strengths: np.zeros(len(days)))
    assert "differs from NumPy" in kernel.run_kernel("cpu").problem


def test_not_a_number_is_a_wrong_result(monkeypatch):
    monkeypatch.setattr(kernel, "_run_numba", lambda days, strengths: np.full(len(days), np.nan))
    assert "differs from NumPy" in kernel.run_kernel("cpu").problem


def test_a_compiler_that_fails_is_a_finding_of_one_line(monkeypatch):
    def fail(days, strengths):
        raise RuntimeError("no driver\nand more")

    monkeypatch.setattr(kernel, "_run_numba", fail)
    run = kernel.run_kernel("cpu")
    assert (run.problem, run.largest_error) == ("RuntimeError: no driver", None)


@pytest.mark.gpu
@pytest.mark.skipif(cupy_or_none() is None, reason="no CUDA device that CuPy can use")
def test_the_cuda_kernel_agrees_with_the_closed_formula():
    assert kernel.run_kernel("cuda").problem is None
