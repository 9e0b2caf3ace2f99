"""Which back end runs: chosen in one place, and said in one line of the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from hebb_lab import device as devices
from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.kernels.backend import Backend, Kernels, Precision
from hebb_lab.registry import Registry

log = logging.getLogger(__name__)

Maker = Callable[[Precision, int, str], Kernels]
BACKENDS: Registry[Maker] = Registry("back end")
"""name → (precision, memory in bytes, device) → kernels."""

DEVICES = ("auto", "cpu", "cuda")
PRECISIONS: tuple[Precision, ...] = ("float64", "float32")
RUNS_ON = {"cpu": ("cpu",), "torch": ("cpu", "cuda"), "cuda": ("cuda",), "reference": ("cpu",)}
"""name → the devices that it can run on."""


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
        memory_mb: what a walk may take beside its input and result; None: a quarter of the memory
            of the device it runs on.
        device: ``auto``, ``cpu`` or ``cuda``, for back ends that run on more than one; auto takes
            a CUDA device where there is one.

    Raises:
        ConfigError: an unknown name, a precision that is none, a device it cannot run on.
        MissingExtraError: it needs a package that is not installed.
    """
    make = BACKENDS[name]
    _check(device, precision, memory_mb)
    where = _device_of(name, device)
    if name == "reference" and precision != "float64":
        raise ConfigError(
            f"runtime.backend=reference computes in float64, not in {precision}",
            "Set runtime.precision=float64, or choose another back end",
        )
    return Backend(name, make(precision, budget_bytes(memory_mb, where), where))


def choose_backend(
    backend: str = "auto",
    device: str = "auto",
    precision: Precision = "float64",
    memory_mb: int | None = None,
) -> Backend:
    """The back end that a run asks for; ``auto`` takes the fastest that runs here.

    auto is ``cuda`` where CuPy, torch and a device are, else ``cpu``; with device=cuda it is
    ``cuda``, else ``torch``. One line of the log says what runs and why.

    Raises:
        ConfigError: an unknown name, settings that contradict each other, a device that is not
            there.
        MissingExtraError: it needs a package that is not installed.
    """
    _check(device, precision, memory_mb)
    name, why = _automatic(device) if backend == "auto" else (backend, _as_asked(backend, device))
    made = backend_named(name, precision, memory_mb, device)
    where = "cuda" if made.kernels.device.startswith("cuda") else "cpu"
    megabytes = f"{budget_bytes(memory_mb, where) // 1_000_000:,}"
    kernels = f"{name} on {made.kernels.device}, {made.kernels.precision}"
    made = replace(made, chosen=f"kernels: {kernels}, at most {megabytes} MB at a time ({why})")
    log.info("%s", made.chosen)
    return made


def cannot_run(name: str) -> str | None:
    """Why a back end cannot run on this machine; None where it can."""
    if name != "cuda":
        return None
    problem = devices.cuda_problem()
    return problem[0] if problem else None


def budget_bytes(memory_mb: int | None, device: str) -> int:
    """What a walk may take on ``cpu`` or ``cuda``: as asked, or a quarter of the device's memory.

    >>> budget_bytes(500, "cpu")
    500000000
    """
    return devices.memory_bytes(device) // 4 if memory_mb is None else memory_mb * 1_000_000


def as_precision(name: str) -> Precision:
    """The precision of that name.

    Raises:
        ConfigError: there is none.
    """
    for known in PRECISIONS:
        if name == known:
            return known
    raise ConfigError(f"unknown runtime.precision '{name}'", f"Use {' or '.join(PRECISIONS)}")


def _check(device: str, precision: str, memory_mb: int | None) -> None:
    if device not in DEVICES:
        raise ConfigError(f"unknown runtime.device '{device}'", "Use auto, cpu or cuda")
    as_precision(precision)
    if memory_mb is not None and memory_mb < 1:
        raise ConfigError(f"runtime.memory_mb={memory_mb} is too small", "Give 1 or more, or null")


def _automatic(device: str) -> tuple[str, str]:
    """(name, why) of the back end that ``auto`` stands for."""
    if device == "cpu":
        return "cpu", "auto takes cpu: runtime.device=cpu"
    problem = devices.cuda_problem()
    if problem is None:
        return "cuda", "auto takes cuda: CuPy and torch have a device"
    if device == "auto":
        return "cpu", f"auto falls back to cpu: {problem[0]}"
    if devices.torch_problem() is None:
        return "torch", f"auto falls back to torch: {problem[0]}"
    raise _refusal("runtime.device=cuda cannot run here", problem)


def _as_asked(backend: str, device: str) -> str:
    missing = devices.torch_problem() if (backend, device) == ("torch", "auto") else None
    return f"as asked; auto falls back to cpu: {missing[0]}" if missing else "as asked"


def _device_of(name: str, device: str) -> str:
    """``cpu`` or ``cuda``: where a back end runs.

    Raises:
        ConfigError: it cannot run on the device, or the device is not there.
        MissingExtraError: it needs a package that is not installed.
    """
    places = RUNS_ON[name]
    if device != "auto" and device not in places:
        raise ConfigError(
            f"runtime.backend={name} does not run on runtime.device={device}",
            f"Set runtime.device={places[0]}, or runtime.backend=auto",
        )
    if "cuda" not in places or device == "cpu":
        return "cpu"
    problem = devices.cuda_problem() if name == "cuda" else devices.torch_problem()
    if problem is None:
        return "cuda"
    if device == "auto" and "cpu" in places:
        return "cpu"
    if name == "cuda":
        problem = problem[0], problem[1].replace("runtime.device=auto", "runtime.backend=auto")
    raise _refusal(f"runtime.backend={name} cannot run on a CUDA device", problem)


def _refusal(what: str, problem: tuple[str, str]) -> ConfigError | MissingExtraError:
    reason, cure = problem
    kind = MissingExtraError if "not installed" in reason else ConfigError
    return kind(f"{what}: {reason}", cure)
