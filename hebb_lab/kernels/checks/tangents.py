"""What replay with derivatives may not be started with; see ``graphs``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.checks.entries import REAL, all_good, check_kind
from hebb_lab.kernels.checks.graphs import check_graph, check_traces
from hebb_lab.kernels.parameters import FIXED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import GraphArrays
    from hebb_lab.kernels.parameters import TraceArrays


def check_tangents(
    graph: GraphArrays, traces: TraceArrays, half_life_days: Any, features: Any, backend: str
) -> None:
    """A graph, one trace of plain rules, and what hangs on each event.

    Raises:
        ConfigError: rules that give half-lives themselves, or a gradient that cannot flow.
        InputError: a graph that does not fit, half-lives or features of another shape, or of
            values that are none.
    """
    check_graph(graph)
    check_traces(graph, traces)
    _check_rules(traces)
    events = len(graph.time)
    days = _numbers("half-lives after the events", half_life_days, (events,))
    slopes = _numbers("features of the half-lives", features, (events, None))
    all_good(
        "half-lives after the events", "is not above 0", days > 0,
        "Give days above 0, or inf for no decay",
    )  # fmt: skip
    good = np.asarray(np.isfinite(slopes).all(axis=1))
    all_good("features of the half-lives", "is not finite", good, "Give finite ∂ ln h/∂θ")
    _check_gradients((*traces, half_life_days), features, backend)


def _check_rules(traces: TraceArrays) -> None:
    count = len(traces.learning_rate)
    if count != 1:
        raise ConfigError(
            f"{count} traces, and derivatives are of one",
            "Give the rules of one trace; a call each where there are several",
        )
    if (as_numpy(traces.half_life_mode) != FIXED).any() or as_numpy(traces.compounding).any():
        raise ConfigError(
            "half-lives that are given need rules that leave them so, and continuous decay",
            "Set rules.half_life=fixed and rules.decay_passes=continuous",
        )


def _numbers(what: str, given: Any, shape: tuple[int | None, ...]) -> NDArray[np.float64]:
    """As NumPy's, of that shape, wherever they are."""
    check_kind(what, given, REAL, shape)
    values: NDArray[np.float64] = as_numpy(given)
    check_kind(what, values, REAL, shape)
    return values


def _check_gradients(given: tuple[Any, ...], features: Any, backend: str) -> None:
    """Derivatives go forward with features, or gradients back through torch; never both."""
    if getattr(features, "requires_grad", False):
        raise ConfigError("features that require a gradient", "Give them as NumPy arrays")
    if not any(getattr(part, "requires_grad", False) for part in given):
        return
    if backend != "torch":
        raise ConfigError(
            f"half-lives or rules that require a gradient; runtime.backend={backend} carries none",
            "Set runtime.backend=torch, or give features",
        )
    if features.shape[1]:
        raise ConfigError(
            "half-lives or rules that require a gradient, and features beside them",
            "Give features of shape [M, 0], or numbers that require no gradient",
        )
