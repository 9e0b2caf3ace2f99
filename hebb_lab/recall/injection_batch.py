"""Injection for all queries at once, on [Q, k] arrays; the meaning is ``recall.injection``.

House tie rule throughout: score as float32 descending, id descending. Sums are taken in float64
and rounded once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.rules import SynapseRules

Mode = Literal["budget_neutral", "additive"]


def inject_batch(
    host: Ranking,
    energies: Ranking,
    rules: SynapseRules,
    mode: Mode,
    k: int,
    seeds: NDArray[np.int32] | None = None,
    limit: int | None = None,
) -> Ranking:
    """Inject energies into the first k hits of each query.

    Args:
        host: [Q, kₕ] hits.
        energies: [Q, kₑ] nodes and their energies, best first, as scores.
        rules: boost, displace_max, displace_energy, displace_compares.
        mode: ``budget_neutral`` gives [Q, k], and as many hits as came in; ``additive`` gives
            [Q, k + limit].
        k: how many hits of the host count; more are cut, fewer are padded.
        seeds: [Q, s] ids, −1 for none; neither boosted nor added.
        limit: additive: at most so many are added; None: all kₑ.

    Where displacement does not compare, a node may stand below a hit that it outscores. Its score
    is then written as the next float32 below the row above it, so that tools that sort by score
    keep the order. A query without signal keeps its row byte for byte.

    Raises:
        ConfigError: another mode.
    """
    ids, scores = _first(host, k)
    energy, has_energy = _lookup(ids, energies)
    touched = has_energy & ~_isin(ids, seeds)
    raised = (scores.astype(np.float64) + rules.boost * energy).astype(np.float32)
    scores = np.where(touched, raised, scores)
    _sort_rows(ids, scores, np.any(touched, axis=1))
    fresh = (energies.ids >= 0) & ~_isin(energies.ids, ids) & ~_isin(energies.ids, seeds)
    if mode == "budget_neutral":
        return _displace(ids, scores, energies, fresh, rules)
    if mode == "additive":
        return _add(ids, scores, energies, fresh, rules, limit)
    raise ConfigError(f"unknown injection '{mode}'", "Use budget_neutral or additive")


def _displace(
    ids: NDArray[np.int32],
    scores: NDArray[np.float32],
    energies: Ranking,
    fresh: NDArray[np.bool_],
    rules: SynapseRules,
) -> Ranking:
    """One for one, from the last hit upwards; ids and scores are this function's to write."""
    strong = fresh & (energies.scores.astype(np.float64) >= rules.displace_energy)
    new_ids, new_scores = _compact(energies, strong, rules.displace_max, rules.boost)
    hits = (ids >= 0).sum(axis=1)  # [Q]
    rows = np.arange(len(ids))
    moving = np.ones(len(ids), bool)  # still displacing
    swaps = np.zeros(len(ids), np.int64)
    for j in range(new_ids.shape[1]):
        place = hits - 1 - j
        moving &= (new_ids[:, j] >= 0) & (place >= 1)
        if rules.displace_compares:
            moving &= new_scores[:, j] > scores[rows, np.maximum(place, 0)]
        swaps += moving
    for j in range(new_ids.shape[1]):
        mine = rows[j < swaps]
        place = (hits - swaps + j)[mine]
        ids[mine, place], scores[mine, place] = new_ids[mine, j], new_scores[mine, j]
    if rules.displace_compares:
        _sort_rows(ids, scores, swaps > 0)
    else:
        _lower_to_order(ids, scores, swaps > 0)
    return Ranking(ids, scores)


def _add(
    ids: NDArray[np.int32],
    scores: NDArray[np.float32],
    energies: Ranking,
    fresh: NDArray[np.bool_],
    rules: SynapseRules,
    limit: int | None,
) -> Ranking:
    width = energies.ids.shape[1] if limit is None else limit
    new_ids, new_scores = _compact(energies, fresh & (energies.scores > 0), width, rules.boost)
    ids = np.concatenate([ids, new_ids], axis=1)
    scores = np.concatenate([scores, new_scores], axis=1)
    _sort_rows(ids, scores, np.any(new_ids >= 0, axis=1))
    return Ranking(ids, scores)


def _first(host: Ranking, k: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Copies of the first k columns, padded with (−1, −inf)."""
    ids = np.full((len(host), k), -1, np.int32)
    scores = np.full((len(host), k), -np.inf, np.float32)
    width = min(k, host.ids.shape[1])
    ids[:, :width], scores[:, :width] = host.ids[:, :width], host.scores[:, :width]
    return ids, scores


def _compact(
    energies: Ranking, chosen: NDArray[np.bool_], width: int, boost: float
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The first ``width`` chosen nodes of each row, to the left, with score boost · energy."""
    ids = np.full((len(energies), width), -1, np.int32)
    scores = np.full((len(energies), width), -np.inf, np.float32)
    rank = np.cumsum(chosen, axis=1) - 1
    row, column = np.nonzero(chosen & (rank < width))
    ids[row, rank[row, column]] = energies.ids[row, column]
    value = boost * energies.scores[row, column].astype(np.float64)
    scores[row, rank[row, column]] = value.astype(np.float32)
    return ids, scores


def _keys(ids: NDArray[np.int32], stride: int) -> NDArray[np.int64]:
    """(row, id) as one number; −1 has numbers of its own."""
    return np.arange(len(ids), dtype=np.int64)[:, None] * stride + ids + 1


def _lookup(
    ids: NDArray[np.int32], energies: Ranking
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Energy of each hit in its own row, 0 where it has none, and whether it has one, [Q, k]."""
    if not energies.ids.size or not ids.size:
        return np.zeros(ids.shape), np.zeros(ids.shape, bool)
    stride = int(max(ids.max(), energies.ids.max())) + 2
    keys = _keys(energies.ids, stride).ravel()
    order = np.argsort(keys, kind="stable")
    wanted = _keys(ids, stride)
    place = order[np.searchsorted(keys, wanted, sorter=order).clip(max=len(keys) - 1)]
    found = (keys[place] == wanted) & (ids >= 0)
    return np.where(found, energies.scores.ravel()[place], 0.0).astype(np.float64), found


def _isin(ids: NDArray[np.int32], others: NDArray[np.int32] | None) -> NDArray[np.bool_]:
    """Whether each id stands in the same row of the others, [Q, k]; never for −1."""
    if others is None or not others.size or not ids.size:
        return np.zeros(ids.shape, bool)
    stride = int(max(ids.max(), others.max())) + 2
    return np.isin(_keys(ids, stride), _keys(others, stride)) & (ids >= 0)


def _sort_rows(
    ids: NDArray[np.int32], scores: NDArray[np.float32], which: NDArray[np.bool_]
) -> None:
    """Put some rows into house order, in place; empty places go last."""
    some = np.nonzero(which)[0]
    order = np.lexsort((-ids[some], -scores[some]), axis=1)
    ids[some] = np.take_along_axis(ids[some], order, axis=1)
    scores[some] = np.take_along_axis(scores[some], order, axis=1)


def _lower_to_order(
    ids: NDArray[np.int32], scores: NDArray[np.float32], which: NDArray[np.bool_]
) -> None:
    """Lower scores, in place, until each row is in house order as it stands."""
    for column in range(1, ids.shape[1]):
        above, here = scores[:, column - 1], scores[:, column]
        tied = (here == above) & (ids[:, column] > ids[:, column - 1])
        low = which & (ids[:, column] >= 0) & ((here > above) | tied)
        scores[low, column] = np.nextafter(above[low], np.float32(-np.inf))


def cut_to_tokens(ranking: Ranking, host: Ranking, tokens: NDArray[np.int32]) -> Ranking:
    """Cut each list to the tokens that the host list takes: the same budget for both.

    A list ends before the first node that would go over the budget.

    Args:
        ranking: [Q, k].
        host: [Q, kₕ], the list whose tokens are the budget.
        tokens: [N] what each node costs.
    """
    budget = np.where(host.ids >= 0, tokens[host.ids], 0).sum(axis=1)  # [Q]
    cost = np.cumsum(np.where(ranking.ids >= 0, tokens[ranking.ids], 0), axis=1)
    over = np.cumsum(cost > budget[:, None], axis=1) > 0
    return Ranking(
        np.where(over, np.int32(-1), ranking.ids).astype(np.int32),
        np.where(over, np.float32(-np.inf), ranking.scores).astype(np.float32),
    )
