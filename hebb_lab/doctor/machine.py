"""Facts of the machine: processor, memory, and the CUDA devices as each library sees them."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
from typing import Any

from hebb_lab.device import cupy_or_none, faiss_gpus


def machine() -> dict[str, Any]:
    """Python, platform, cores that this process may use, and memory in bytes (None: not known)."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": platform.machine(),
        "cores": _cores(),
        "memory_bytes": _memory("SC_PHYS_PAGES"),
        "memory_free_bytes": _memory("SC_AVPHYS_PAGES"),
    }


def devices() -> dict[str, Any]:
    """The CUDA devices: what torch was built for, what it sees, and what CuPy and FAISS see."""
    found: dict[str, Any] = {
        "driver": nvidia_driver(),
        "torch_built_for_cuda": None,
        "torch_gpus": [],
        "cupy": cupy_or_none() is not None,
        "faiss": importlib.util.find_spec("faiss") is not None,
        "faiss_gpus": faiss_gpus(),
    }
    try:
        import torch
    except Exception:  # a broken torch is reported among the packages
        return found
    found["torch_built_for_cuda"] = torch.version.cuda
    if torch.cuda.is_available():
        count = torch.cuda.device_count()
        found["torch_gpus"] = [torch.cuda.get_device_name(index) for index in range(count)]
    return found


def nvidia_driver() -> str | None:
    """The version of the NVIDIA driver, None where there is none or it does not answer."""
    command = shutil.which("nvidia-smi")
    if command is None:
        return None
    query = [command, "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, check=True, text=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter(answer.stdout.split()), None)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory(pages: str) -> int | None:
    try:
        return os.sysconf(pages) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Windows, and macOS for free pages
        return None
