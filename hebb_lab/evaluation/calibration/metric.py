"""The metrics of probabilities by name, so that tables, configs and docs list the same ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from hebb_lab.errors import ConfigError
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

Better = Literal["lower", "higher", "nearer 1", "nearer 0"]
Compute = TypeVar("Compute", bound=Callable[..., float])


@dataclass(frozen=True)
class CalibrationMetric:
    """What the registry knows of a metric.

    Args:
        compute: function of (p [R], y [R]), or of (p, y, cell [R]) where it needs cells.
        label: as a table heads its column.
        better: which values are better.
        meaning: one line.
        needs_cells: whether it is computed in cells of recency × count × group.
    """

    compute: Callable[..., float]
    label: str
    better: Better
    meaning: str
    needs_cells: bool = False


CALIBRATION: Registry[CalibrationMetric] = Registry("calibration metric")


def calibration_metric(
    name: str, label: str, better: Better, meaning: str, needs_cells: bool = False
) -> Callable[[Compute], Compute]:
    """Register the decorated function under a name; the arguments are CalibrationMetric's."""

    def keep(compute: Compute) -> Compute:
        CALIBRATION.register(name)(CalibrationMetric(compute, label, better, meaning, needs_cells))
        return compute

    return keep


def calibration_scores(
    p: ArrayLike,
    y: ArrayLike,
    cell: ArrayLike | None = None,
    names: Iterable[str] | None = None,
) -> dict[str, float]:
    """Several metrics of the same rows.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.
        cell: [R] integers for RMSE(bins), see ``cells``.
        names: of metrics in CALIBRATION; None for all that can be computed (without cells, all
            but RMSE(bins)).

    Returns:
        Name → value; NaN where the rows do not determine it.

    Raises:
        ConfigError: for an unknown name, or a metric that needs cells without them.
        InputError: as ``probabilities.checked``.

    >>> scores = calibration_scores([0.2, 0.7], [False, True], names=["brier", "auc"])
    >>> {name: round(value, 3) for name, value in scores.items()}
    {'brier': 0.065, 'auc': 1.0}
    """
    if names is None:
        names = [n for n in CALIBRATION if cell is not None or not CALIBRATION[n].needs_cells]
    found: dict[str, float] = {}
    for name in names:
        metric = CALIBRATION[name]
        if metric.needs_cells and cell is None:
            raise ConfigError(f"{metric.label} needs the cell of each row", "Give it, see cells()")
        found[name] = metric.compute(p, y, cell) if metric.needs_cells else metric.compute(p, y)
    return found
