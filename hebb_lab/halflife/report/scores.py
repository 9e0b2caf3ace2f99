"""The numbers of a half-life run: losses, calibration, and differences with their intervals."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.evaluation.calibration import (
    auc,
    calibration_scores,
    cells,
    log_losses,
    moving_block_interval,
)
from hebb_lab.halflife.protocol.settings import RATE
from hebb_lab.halflife.report.stored import days_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from hebb_lab.halflife.report.stored import Stored

PARTIAL = "partial-likelihood loss"
HEADLINE = ("log_loss", "brier", "rmse_bins", "ici", "slope")
"""Metrics at the first horizon; the others have the log loss alone."""
WITHIN = "AUC within checkpoints"
"""Pooled over checkpoints an AUC would also measure when much comes back, not which pair does."""
BLOCK_DAYS = 7


class Delta(NamedTuple):
    """Mean loss of a model minus that of a rival on the same rows; NaN ends for no interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Scores:
    """What the stored cases and rows come to.

    Args:
        values: model → metric → value; metrics are named as ``log loss@7d``.
        deltas: loss → rival → model → difference.
        reasons: loss → why it has no intervals; empty where it has.
        sizes: loss → cases or rows behind it.
    """

    values: dict[str, dict[str, float]]
    deltas: dict[str, dict[str, dict[str, Delta]]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    def delta(self, loss: str, rival: str, model: str) -> Delta | None:
        """The difference of a model to a rival; None for the rival itself or an absent one."""
        return self.deltas.get(loss, {}).get(rival, {}).get(model)


def at(metric: str, days: float) -> str:
    """Name of a metric at a horizon.

    >>> at("log_loss", 7.0)
    'log loss@7d'
    """
    spelled = {"log_loss": "log loss", "brier": "Brier", "auc": WITHIN, "rmse_bins": "RMSE(bins)"}
    return f"{spelled.get(metric, metric if metric != 'ici' else 'ICI')}@{days:g}d"


def scores_of(stored: Stored, resamples: int | None = None) -> Scores:
    """All numbers of a run, over the pooled cases and rows of its blocks.

    Args:
        stored: the run.
        resamples: of the intervals; the run's own when absent.
    """
    found = Scores({name: {} for name in stored.scored})
    losses = {PARTIAL: _columns(stored.cases, stored.scored)}
    days, whose = {PARTIAL: days_of(stored.cases)}, {PARTIAL: _own(stored, None)}
    for name in stored.scored:
        found.values[name][PARTIAL] = _mean(losses[PARTIAL][name])
    for place, horizon in enumerate(stored.horizons):
        rows = stored.rows_of(horizon)
        again = rows["again"].to_numpy()
        loss = at("log_loss", horizon)
        predicted = _columns(rows, stored.scored)
        losses[loss] = {name: log_losses(p, again) for name, p in predicted.items()}
        days[loss], whose[loss] = days_of(rows), _own(stored, horizon)
        if place == 0:
            _calibration(found, stored, rows, predicted, horizon)
        for name in stored.scored:
            found.values[name][loss] = _mean(losses[loss][name])
    for name in stored.scored:
        hits = stored.models[name]["hits"]
        found.values[name] |= {
            f"hit@{k}": np.nan if v is None else float(v) for k, v in hits.items()
        }
    for loss, by_model in losses.items():
        own = {name: by_model[name] for name in whose[loss]}
        _compare(found, stored, loss, own, days[loss], resamples)
    first = stored.horizons[0]
    if not found.sizes[PARTIAL]:
        found.reasons[PARTIAL] = "no case, for no re-activation has a live pair beside it"
    if not found.sizes[at("log_loss", first)]:
        found.reasons[at("log_loss", first)] = (
            f"no row, for no checkpoint of the scored blocks has {first:g} days of log after it"
        )
    return found


def _own(stored: Stored, days: float | None) -> list[str]:
    """What can be compared: models with a prediction of their own, and both rivals."""
    rivals = (stored.heuristic, RATE)
    return [n for n in stored.scored if n in rivals or not stored.replaced(n, days)]


def _columns(frame: pl.DataFrame, models: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    return {name: frame[name].to_numpy() for name in models}


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _calibration(
    found: Scores, stored: Stored, rows: pl.DataFrame, predicted: dict[str, NDArray[np.float64]],
    horizon: float,
) -> None:  # fmt: skip
    """The calibration metrics of the headline horizon."""
    cell = cells(rows["since_days"].to_numpy(), rows["count"].to_numpy(), rows["group"].to_numpy())
    again = rows["again"].to_numpy()
    for name in stored.scored:
        values = calibration_scores(predicted[name], again, cell, HEADLINE)
        found.values[name] |= {at(metric, horizon): value for metric, value in values.items()}
        found.values[name][at("auc", horizon)] = auc_within(
            predicted[name], again, rows["checkpoint"].to_numpy()
        )


def auc_within(
    p: NDArray[np.float64], again: NDArray[np.bool_], checkpoint: NDArray[np.int64]
) -> float:
    """Mean AUC over the checkpoints that have both outcomes, weighted by their rows.

    >>> p, again = np.array([0.1, 0.2, 0.8, 0.9]), np.array([True, False, False, True])
    >>> auc_within(p, again, np.array([1, 1, 2, 2])), auc_within(p, again, np.array([1, 2, 3, 4]))
    (0.5, nan)
    """
    order = np.argsort(checkpoint, kind="stable")
    cuts = np.flatnonzero(np.diff(checkpoint[order])) + 1
    found = [
        (auc(p[part], again[part]), len(part))
        for part in np.split(order, cuts)
        if again[part].any() and not again[part].all()
    ]
    if not found:
        return float("nan")
    values, rows = np.array(found).T
    return float(np.average(values, weights=rows))


def _compare(
    found: Scores, stored: Stored, loss: str, losses: dict[str, NDArray[np.float64]],
    days: NDArray[np.int64], resamples: int | None,
) -> None:  # fmt: skip
    """Differences to both rivals, by stretches of seven days; models share the draws."""
    found.sizes[loss] = len(days)
    settings = stored.result["settings"]
    found.deltas[loss] = {}
    for rival in dict.fromkeys((stored.heuristic, RATE)):
        others = [name for name in losses if name != rival]
        if rival not in losses or not others or not len(days):
            continue
        key = f"{stored.result['seed']}\n{loss}\n{rival}".encode()
        rng = np.random.default_rng(list(hashlib.sha256(key).digest()))
        difference = np.stack([losses[name] - losses[rival] for name in others])
        block = moving_block_interval(
            difference, days, rng, BLOCK_DAYS, resamples or settings["resamples"],
            settings["confidence"],
        )  # fmt: skip
        found.deltas[loss][rival] = {
            name: Delta(float(mean), float(low), float(high))
            for name, mean, (low, high) in zip(others, block.mean, block.interval, strict=True)
        }
        if block.reason:
            found.reasons[loss] = block.reason
