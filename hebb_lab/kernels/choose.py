"""Which back end runs: chosen in one place, and said in one line of the log."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from hebb_lab.errors import ConfigError
from hebb_lab.kernels.backend import Backend, Kernels, Precision
from hebb_lab.registry import Registry

log = logging.getLogger(__name__)

Maker = Callable[[Precision, int, str], Kernels]
BACKENDS: Registry[Maker] = Registry("back end")
"""name → (precision, memory in bytes, device) → kernels."""


@BACKENDS.register("cpu")
def cpu(precision: Precision, memory_bytes: int, device: str) -> Kernels:
    """Compiled for the processor by numba, parallel over edges and over queries."""
    from hebb_lab.kernels.cpu.backend import kernels

    return kernels(precision, memory_bytes)


@BACKENDS.register("torch")
def torch(precision: Precision, memory_bytes: int, device: str) -> Kernels:
    """Tensors on any device, with gradients in half-lives, rates and gains."""
    from hebb_lab.kernels.torch.backend import kernels

    return kernels(precision, memory_bytes, device)


@BACKENDS.register("cuda")
def cuda(precision: Precision, memory_bytes: int, device: str) -> Kernels:
    """CUDA C++ through CuPy, on an NVIDIA GPU."""
    from hebb_lab.kernels.cuda.backend import kernels

    return kernels(precision, memory_bytes)


@BACKENDS.register("reference")
def reference(precision: Precision, memory_bytes: int, device: str) -> Kernels:
    """Plain loops in float64: the meaning. For tests and small logs."""
    from hebb_lab.kernels.reference.backend import kernels

    return kernels()


def backend_named(
    name: str, precision: Precision = "float64", memory_mb: int | None = None, device: str = "auto"
) -> Backend:
    """The back end of that name.

    Args:
        name: of BACKENDS.
        precision: of weights and energies; the reference knows float64 only.
        memory_mb: what a walk may take beside its input and result; None: a quarter of what the
            machine has.
        device: ``auto``, ``cpu`` or ``cuda``, for back ends that run on more than one.

    Raises:
        ConfigError: an unknown name, a precision that is none, a device it cannot run on.
        MissingExtraError: it needs a package that is not installed.
    """
    if precision not in ("float64", "float32"):
        raise ConfigError(f"unknown runtime.precision '{precision}'", "Use float64 or float32")
    if memory_mb is not None and memory_mb < 1:
        raise ConfigError(f"runtime.memory_mb={memory_mb}", "Give megabytes, or null")
    memory = _a_quarter() if memory_mb is None else memory_mb * 1_000_000
    return Backend(name, BACKENDS[name](precision, memory, device))


def choose_backend(
    backend: str = "auto",
    device: str = "auto",
    precision: Precision = "float64",
    memory_mb: int | None = None,
) -> Backend:
    """The back end of that name; ``auto`` takes the fastest that runs here and says so.

    Raises:
        ConfigError: an unknown name, or a device that no back end of this version runs on.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ConfigError(f"unknown runtime.device '{device}'", "Use auto, cpu or cuda")
    if device == "cuda":
        raise ConfigError(
            "runtime.device=cuda: replay and spreading have no CUDA back end in this version",
            "Set runtime.device=auto",
        )
    if backend == "auto":
        log.info("runtime.backend=auto: replay and spreading run on the processor (cpu)")
        backend = "cpu"
    return backend_named(backend, precision, memory_mb, device)


def _a_quarter() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
