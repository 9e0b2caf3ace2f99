"""The back ends that the conformance suite holds to `reference`."""

from __future__ import annotations

import pytest

from hebb_lab.kernels.backend import Backend
from hebb_lab.kernels.choose import backend_named

REFERENCE = "reference"
HOST = "cuda host"


def without_device() -> pytest.MarkDecorator:
    """Skips a test, counted with the reason, where there is no CUDA device."""
    import torch

    return pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


FAST = [
    "cpu", "cpu float32", "torch", "torch float32", HOST, f"{HOST} float32",
    *(pytest.param(name, marks=[pytest.mark.gpu, without_device()])
      for name in ("cuda", "cuda float32")),
]  # fmt: skip
"""Names for `made`: a back end of the registry, and a precision where it is not float64.

`cuda host` is the CUDA kernels' text built by g++ and run on the processor: no GPU is at work.
"""


def made(name: str, memory_mb: int | None = 500) -> Backend:
    """The back end of that name."""
    if name.startswith(HOST):
        return _on_host(name, memory_mb)
    kind, _, precision = name.partition(" ")
    return backend_named(kind, precision or "float64", memory_mb)


def _on_host(name: str, memory_mb: int | None) -> Backend:
    from hebb_lab.kernels.cuda.backend import kernels_on
    from tests.kernels.cuda.host.build import compiler
    from tests.kernels.cuda.host.launch import HostLauncher

    if compiler() is None:
        pytest.skip("no g++ to build the CUDA kernels' text for the processor with")
    launcher = HostLauncher("float32" if name.endswith("float32") else "float64")
    return Backend(name, kernels_on(launcher, (memory_mb or 500) * 1_000_000))


def tolerance(name: str) -> float:
    """Relative difference to the reference that a precision may make."""
    return 1e-5 if "float32" in name else 1e-12
