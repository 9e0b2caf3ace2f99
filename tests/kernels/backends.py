"""The back ends that the conformance suite holds to `reference`."""

from __future__ import annotations

import pytest

from hebb_lab.kernels.backend import Backend
from hebb_lab.kernels.choose import backend_named

REFERENCE = "reference"
FAST = ["cpu", "cpu float32"]
"""Names for `made`: a back end of the registry, and a precision where it is not float64."""


def made(name: str, memory_mb: int | None = 500) -> Backend:
    """The back end of that name."""
    kind, _, precision = name.partition(" ")
    return backend_named(kind, precision or "float64", memory_mb)


def tolerance(name: str) -> float:
    """Relative difference to the reference that a precision may make."""
    return 1e-5 if "float32" in name else 1e-12


def without_device() -> pytest.MarkDecorator:
    """Skips a test, counted with the reason, where there is no CUDA device."""
    import torch

    return pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
