"""What is there to run on. Nothing heavy is imported before a function is called."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from functools import cache
from typing import Any

GPU_EXTRA = "pip install 'hebb_lab[gpu]'"


def cupy_or_none() -> Any:
    """CuPy where it can run kernels, else None."""
    # Not only ImportError: a CUDA library that is missing or of another line raises other types.
    try:
        import cupy

        return cupy if cupy.cuda.is_available() else None
    except Exception:
        return None


def faiss_gpus() -> int:
    """How many GPUs FAISS can use; 0 without FAISS and for its builds without CUDA."""
    try:
        import faiss

        # faiss-cpu has get_num_gpus too; only builds with CUDA have the resources.
        return int(faiss.get_num_gpus()) if hasattr(faiss, "StandardGpuResources") else 0
    except Exception:
        return 0


def has_cuda() -> bool:
    """Whether torch can use a CUDA device."""
    import torch

    return torch.cuda.is_available()


@cache
def cuda_driver() -> Any:
    """NVIDIA's driver library, ready to be asked, or None: no library of Python's is needed."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        driver = ctypes.CDLL(name)
        return driver if driver.cuInit(0) == 0 else None
    except (OSError, AttributeError):
        return None


def cuda_devices() -> int:
    """How many CUDA devices the driver shows to this process."""
    driver, count = cuda_driver(), ctypes.c_int(0)
    if driver is None or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


def cupy_problem() -> tuple[str, str] | None:
    """(why CuPy cannot run kernels on a CUDA device, the cure), or None where it can."""
    if cuda_devices() == 0:
        return _NO_DEVICE
    if importlib.util.find_spec("cupy") is None:
        return "CuPy is not installed", f"Install the extra: {GPU_EXTRA}"
    if cupy_or_none() is None:
        return "CuPy cannot use the CUDA device", "python -m hebb_lab.doctor says what is wrong"
    return None


def torch_problem() -> tuple[str, str] | None:
    """(why torch cannot use a CUDA device, the cure), or None where it can."""
    if cuda_devices() == 0:
        return _NO_DEVICE
    import torch

    if torch.version.cuda is None:
        return "torch is a CPU build", "python -m hebb_lab.doctor says how to get the other"
    if not torch.cuda.is_available():
        return "torch cannot use the CUDA device", "python -m hebb_lab.doctor says what is wrong"
    return None


def cuda_problem() -> tuple[str, str] | None:
    """(why the back end ``cuda`` cannot run, the cure): it needs CuPy and torch on one device."""
    return cupy_problem() or torch_problem()


_NO_DEVICE = (
    "no CUDA device",
    "Set runtime.device=auto, or run where an NVIDIA GPU and its driver are",
)


def memory_bytes(device: str) -> int:
    """Memory of ``cpu``, all that the machine has, or of the first CUDA device; 4 GB if not known.

    Raises:
        ValueError: another name.
    """
    if device not in ("cpu", "cuda"):
        raise ValueError(f"unknown device '{device}'")
    return (_memory_of_machine() if device == "cpu" else _memory_of_cuda()) or 4_000_000_000


def _memory_of_machine() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        return None


def _memory_of_cuda() -> int | None:
    driver, size, device = cuda_driver(), ctypes.c_size_t(0), ctypes.c_int(0)
    if driver is None or driver.cuDeviceGet(ctypes.byref(device), 0) != 0:
        return None
    if driver.cuDeviceTotalMem_v2(ctypes.byref(size), device) != 0:
        return None
    return size.value
