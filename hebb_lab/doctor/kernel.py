"""One real kernel run: compiled here, run here, and held against a closed formula in NumPy."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

TOLERANCE = 1e-12
EDGES, EVENTS, HALF_LIFE_DAYS = 1000, 8, 7.0

CUDA_SOURCE = r"""
extern "C" __global__ void decayed_sums(
    const double* days, const double* strengths, double half_life, int edges, int events,
    double* weights
) {
    int edge = blockDim.x * blockIdx.x + threadIdx.x;
    if (edge >= edges) return;
    double weight = 0.0, last = 0.0;
    for (int event = edge * events; event < (edge + 1) * events; ++event) {
        weight = weight * exp2(-(days[event] - last) / half_life) + strengths[event];
        last = days[event];
    }
    weights[edge] = weight;
}
"""


@dataclass(frozen=True)
class KernelRun:
    """How the kernel fared.

    Args:
        device: ``cpu`` or ``cuda``.
        by: what compiled it.
        seconds: compiling and running.
        largest_error: largest |kernel - NumPy|; None when it did not run.
        problem: why it cannot be relied on, None when it can.
    """

    device: str
    by: str
    seconds: float
    largest_error: float | None
    problem: str | None


def run_kernel(device: str) -> KernelRun:
    """Compile and run the replay of decaying edges on a device, and compare.

    Between two events an edge's weight halves every h days; each event adds its strength:
    wᵢ = wᵢ₋₁ · 2^(-(tᵢ - tᵢ₋₁)/h) + sᵢ. The closed formula is Σᵢ sᵢ · 2^(-(t_last - tᵢ)/h).

    Args:
        device: ``cpu`` (numba) or ``cuda`` (CuPy).
    """
    by, run = {"cpu": ("numba", _run_numba), "cuda": ("cupy", _run_cupy)}[device]
    days, strengths = _events()
    began = time.perf_counter()
    try:
        weights = run(days, strengths)
    except Exception as error:  # whatever a compiler or driver raises is the finding
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return KernelRun(device, by, time.perf_counter() - began, None, reason)
    seconds = time.perf_counter() - began
    largest = float(np.abs(weights - _closed_form(days, strengths)).max())
    # Written so that a NaN is a problem too.
    problem = None if largest <= TOLERANCE else f"differs from NumPy by {largest:.2g}"
    return KernelRun(device, by, seconds, largest, problem)


def _events() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Times in days, ascending, and strengths: [EDGES, EVENTS] float64 each."""
    random = np.random.default_rng(0)
    days = np.sort(random.uniform(0, 60, (EDGES, EVENTS)), axis=1)
    return days, random.uniform(0, 1, (EDGES, EVENTS))


def _closed_form(days: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    ages = days[:, -1:] - days
    weights: NDArray[np.float64] = (strengths * np.exp2(-ages / HALF_LIFE_DAYS)).sum(axis=1)
    return weights


def _decayed_sums(days: Any, strengths: Any, half_life: float, weights: Any) -> None:
    """The loop that numba compiles."""
    for edge in range(days.shape[0]):
        weight, last = 0.0, 0.0
        for event in range(days.shape[1]):
            gap = days[edge, event] - last
            weight = weight * 2.0 ** (-gap / half_life) + strengths[edge, event]
            last = days[edge, event]
        weights[edge] = weight


def _run_numba(days: NDArray[np.float64], strengths: NDArray[np.float64]) -> Any:
    import numba

    compiled: Callable[..., None] = numba.njit(_decayed_sums)
    weights = np.zeros(len(days))
    compiled(days, strengths, HALF_LIFE_DAYS, weights)
    return weights


def _run_cupy(days: NDArray[np.float64], strengths: NDArray[np.float64]) -> Any:
    import cupy

    edges, events = days.shape
    weights = cupy.zeros(edges)
    threads = 128
    cupy.RawKernel(CUDA_SOURCE, "decayed_sums")(
        (-(-edges // threads),),
        (threads,),
        (
            cupy.asarray(days), cupy.asarray(strengths), np.float64(HALF_LIFE_DAYS),
            np.int32(edges), np.int32(events), weights,
        ),
    )  # fmt: skip
    return cupy.asnumpy(weights)
