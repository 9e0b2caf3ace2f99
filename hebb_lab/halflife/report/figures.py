"""The figures of a half-life run, by name, from its stored files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.evaluation.calibration import calibration_curve, ici
from hebb_lab.halflife.protocol.plain import number
from hebb_lab.halflife.protocol.settings import RATE
from hebb_lab.halflife.report.scores import PARTIAL, at
from hebb_lab.halflife.report.stored import GROUPS
from hebb_lab.halflife.report.words import ends_of
from hebb_lab.plots.half_lives import (
    calibration,
    forest,
    half_life_count,
    loss_half_life,
    posteriors,
    survival,
)
from hebb_lab.plots.half_lives.lanes import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from hebb_lab.halflife.report.board import Board
    from hebb_lab.halflife.report.macro import Macro
    from hebb_lab.halflife.report.scores import Delta


BINS, MOST_GROUPS = 20, 12
"""Bins of the strip that counts rows; namespaces that one figure shows."""


def of_board(board: Board) -> Iterator[tuple[str, Figure]]:
    """(name, figure) of all that a run has something to show in."""
    yield from _forests(board)
    yield from _calibrations(board)
    yield from _survival(board)
    for model, shown in board.stored.curves["models"].items():
        yield from _profiles(board, model, shown)
        yield from _posteriors(board, model, shown)
    yield from _counts(board)


def _forests(board: Board) -> Iterator[tuple[str, Figure]]:
    """Both losses against both rivals."""
    days = board.stored.horizons[0]
    for name, loss, words in (
        ("forest_log_loss", at("log_loss", days), f"{days:g}-day log loss"),
        ("forest_partial_likelihood", PARTIAL, "partial-likelihood loss"),
    ):
        if board.stored.scored and board.scores.sizes.get(loss):
            scores = [_score(board, loss, model) for model in board.stored.models]
            level = round(100 * board.stored.result["settings"]["confidence"])
            about = f"{board.stored.run.dataset['name']} · n = {board.scores.sizes[loss]:,}"
            heuristic = board.stored.heuristic
            silent = board.scores.reasons.get(loss, "")
            many = 4 if loss == PARTIAL else board.stored.decimals(days)
            yield name, forest.draw(scores, words, about, heuristic, RATE, level, silent, many)


def _score(board: Board, loss: str, model: str) -> forest.Score:
    entry = board.stored.models[model]
    value = board.scores.values.get(model, {}).get(loss)
    to = [board.scores.delta(loss, rival, model) for rival in (board.stored.heuristic, RATE)]
    all_fell = board.stored.replaced(model, None if loss == PARTIAL else board.stored.horizons[0])
    return forest.Score(
        model, GROUPS[entry["kind"]], value, _difference(to[0]), _difference(to[1]), all_fell,
        board.stored.fades(model),
    )  # fmt: skip


def macro_forest(found: Macro) -> Figure:
    """Mean differences over projects, each counting the same."""
    first = found.boards[0].stored
    rivals = (first.heuristic, RATE)
    scores = [
        forest.Score(
            model, GROUPS[first.models[model]["kind"]], found.mean(model),
            _difference(found.delta(rivals[0], model)), _difference(found.delta(rivals[1], model)),
        )
        for model in found.models
    ]  # fmt: skip
    level = round(100 * first.result["settings"]["confidence"])
    about = f"mean of {len(found.boards)} projects"
    return forest.draw(scores, found.loss, about, *rivals, level, found.silent, found.decimals)


def _difference(delta: Delta | None) -> forest.Difference | None:
    return None if delta is None else forest.Difference(*delta)


def _calibrations(board: Board) -> Iterator[tuple[str, Figure]]:
    for place, days in enumerate(board.stored.horizons):
        rows = board.stored.rows_of(days)
        if not rows.height or not board.stored.scored:
            continue
        again = rows["again"].to_numpy()
        models = [
            _calibration(name, rows[name].to_numpy(), again, with_ici=place == 0)
            for name in board.stored.scored
        ]
        about = f"{board.stored.run.dataset['name']} · n = {rows.height:,} rows"
        yield f"calibration_{days:g}d", calibration.draw(models, days, about)


def _calibration(
    model: str, p: NDArray[np.float64], again: NDArray[np.bool_], *, with_ici: bool
) -> calibration.Calibration:
    curve = calibration_curve(p, again)
    low, high = max(float(p.min()), 1e-4), max(float(p.max()), 2e-4)
    edges = np.geomspace(low, high, BINS + 1) if high > low * 1.01 else np.array([0.0, 1.0])
    rows, _ = np.histogram(np.clip(p, edges[0], edges[-1]), edges)
    return calibration.Calibration(
        model, curve.predicted, curve.observed, curve.interval[:, 0], curve.interval[:, 1], edges,
        rows.astype(np.int64), ici(p, again) if with_ici else None,
    )  # fmt: skip


def _survival(board: Board) -> Iterator[tuple[str, Figure]]:
    curves = board.stored.curves
    seen, spells = curves["observed"], curves["spells"]
    if not seen["days"] or not spells:
        return
    observed = survival.Observed(
        _array(seen["days"]), _array(seen["survival"]), _array(seen["low"]), _array(seen["high"]),
        np.array(seen["at_risk"], np.int64), number(seen["watched_days"]),
    )  # fmt: skip
    times = _array(curves["times"])
    predicted = [
        survival.Predicted(name, times, _array(curves["models"][name]["survival"]) / spells)
        for name in board.stored.scored
    ]
    known = [line for line in predicted if np.isfinite(line.survival).any()]
    about = f"{board.stored.run.dataset['name']} · n = {seen['spells']:,} activations"
    yield "survival", survival.draw(observed, known, about)


def _profiles(board: Board, model: str, shown: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    curves = _largest(shown.get("curves") or {})
    if curves:
        profiles = [
            loss_half_life.Profile(_estimate(group, c), _array(c["half_lives"]), _array(c["loss"]))
            for group, c in curves.items()
        ]
        about = _of_model(board, model)
        if _pooled(shown):  # the table and the posteriors tell the shared estimates
            about += f" · each {board.stored.result['settings']['group_by']} by itself"
        yield (
            f"loss_half_life_{model}",
            loss_half_life.draw(profiles, "partial-likelihood loss", about),
        )


def _posteriors(board: Board, model: str, shown: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    pooled = _largest(_pooled(shown))
    if pooled:
        ridges = [
            posteriors.Posterior(
                _estimate(group, p), _array(p["half_lives"]), _array(p["posterior"]),
                _array(p["prior"]), _alone(p.get("value_alone")),
            )
            for group, p in pooled.items()
        ]  # fmt: skip
        yield f"posteriors_{model}", posteriors.draw(ridges, _of_model(board, model))


def _pooled(shown: Mapping[str, Any]) -> dict[str, Any]:
    """The posteriors of groups that share a prior; of fewer than three groups none do."""
    found = shown.get("posteriors") or {}
    return {group: p for group, p in found.items() if p["prior"] is not None}


def _alone(value: float | None) -> float | None:
    return None if value is None else float(value)


def _largest(groups: Mapping[str, Any]) -> dict[str, Any]:
    """The groups with most re-activations, in their own order."""
    most = sorted(groups, key=lambda name: -groups[name]["events"])[:MOST_GROUPS]
    return {name: groups[name] for name in groups if name in most}


def _estimate(group: str, told: Mapping[str, Any]) -> Estimate:
    return Estimate(group, number(told["value"]), ends_of(told), int(told["events"]))


def _of_model(board: Board, model: str) -> str:
    """Heading of what one model says of all namespaces."""
    events = board.stored.result["reactivations"]
    name = board.stored.run.dataset["name"]
    return f"{name} · {model} · n = {events:,} re-activations{_clock(board)}"


def _clock(board: Board) -> str:
    """What days stand for on another clock than wall time."""
    unit = board.stored.unit
    return "" if unit == "days" else f" · days stand for {unit}"


def _counts(board: Board) -> Iterator[tuple[str, Figure]]:
    """Half-life by count: models whose half-life depends on it, and single pairs."""
    shown = board.stored.curves["models"]
    curves = [
        _by_count(name, parts["counts"])
        for name, parts in shown.items()
        if (parts.get("counts") or {}).get("count")
    ]
    levels = [
        half_life_count.Level(h.group, h.value)
        for h in board.half_lives.get("namespace_defaults", ())
        if math.isfinite(h.value)
    ]
    cloud = None
    for parts in shown.values():
        edges = parts.get("edges")
        if edges and edges["count"]:
            cloud = half_life_count.cloud_of(np.array(edges["count"]), _array(edges["half_life"]))
    if curves or cloud is not None:
        name, pairs = board.stored.run.dataset["name"], board.stored.result["pairs"]
        about = f"{name} · n = {pairs:,} pairs{_clock(board)}"
        drawn = [name for name in shown if shown[name].get("counts") or shown[name].get("edges")]
        untold = [name for name in drawn if not any(h.told for h in board.half_lives[name])]
        if untold:
            about += f" · not identifiable: {', '.join(untold)}"
        yield "half_life_count", half_life_count.draw(curves, levels[:MOST_GROUPS], cloud, about)


def _by_count(model: str, parts: Mapping[str, Any]) -> half_life_count.ModelCurve:
    """What a model says at each count, with its interval where it has one."""
    low, high = (_array(parts[key]) if key in parts else None for key in ("low", "high"))
    count, days = np.array(parts["count"], np.float64), _array(parts["half_life"])
    return half_life_count.ModelCurve(model, count, days, low, high)


def _array(values: Sequence[float | None]) -> NDArray[np.float64]:
    """Numbers, NaN for null."""
    return np.array([number(value) for value in values], np.float64)
