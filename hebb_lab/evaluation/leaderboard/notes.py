"""What must be said under a table so that its numbers are not misread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from hebb_lab.evaluation.leaderboard.arms import Arm
    from hebb_lab.evaluation.leaderboard.scores import TaskScores
    from hebb_lab.evaluation.paired import Comparison

_LISTED = 8  # arms named in one sentence
_WIDE = 0.01  # a tie band beyond which the order of equal scores can change a reading
_FEW = 10  # clusters; with 5 the percentile interval holds the mean in about 4 of 5 cases


def notes_of(
    arms: Mapping[str, Arm],
    scores: Sequence[TaskScores],
    excluded: Mapping[str, int],
    compared: Comparison | None,
) -> list[str]:
    """Sentences: size, exclusions, fitted, inert and failed arms, gaps, ties, short rankings.

    Args:
        arms: of the table.
        scores: of the arms that are ok, one entry per data set.
        excluded: reason → what was left out of the task for it: queries, windows, gold.
        compared: None when no arm is ok.
    """
    return [
        *_size(compared, len(scores), excluded),
        *_fitted(arms),
        *_ended(arms),
        *(_coverage(scores) if compared is not None else ()),
    ]


def _size(
    compared: Comparison | None, data_sets: int, excluded: Mapping[str, int]
) -> Iterator[str]:
    """How many queries and clusters, and what was left out."""
    if compared is not None:
        least = "" if data_sets == 1 else f" of {data_sets} data sets, none with fewer than"
        yield f"{compared.queries:,} queries{least or ' in'} {compared.clusters:,} clusters."
        if compared.clusters < 2:
            yield "Only one cluster: there is no interval and no test."
        elif compared.clusters < _FEW:
            yield f"Only {compared.clusters} clusters: intervals from so few are too short."
    left_out = {reason: count for reason, count in excluded.items() if count}
    if left_out:
        listed = ", ".join(f"{reason}: {count:,}" for reason, count in left_out.items())
        yield f"Left out: {listed}."


def _fitted(arms: Mapping[str, Arm]) -> Iterator[str]:
    """Which arms have half-lives that a run has fitted, and which those are."""
    found: dict[str, list[str]] = {}
    for name, arm in arms.items():
        if arm.fitted is not None:
            found.setdefault(arm.fitted, []).append(name)
    for said, names in found.items():
        yield f"Half-lives fitted by {said}: {_some(names)}."
    yield from _unidentified(arms)


def _unidentified(arms: Mapping[str, Arm]) -> Iterator[str]:
    """Which of these are none that the fitted log tells: such an arm is one of many."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, arm in arms.items():
        if arm.unidentified:
            found.setdefault(arm.unidentified, []).append(name)
    for said, names in found.items():
        yield (
            f"The fitted log does not identify a half-life of {_some(names)}, others fit it as"
            f" well: {'; '.join(said)}."
        )


def _ended(arms: Mapping[str, Arm]) -> Iterator[str]:
    """Which arms changed nothing, and which have no numbers."""
    inert = [f"{name} (as {arm.base})" for name, arm in arms.items() if arm.inert(arms)]
    if inert:
        yield f"Inert, every ranking is that of the base: {', '.join(inert)}."
    for name, arm in arms.items():
        if arm.status != "ok":
            reason = " ".join((arm.error or "no reason given").split())[:200].rstrip(". ")
            yield f"{name} {arm.status}: {reason}."
    lost = [
        f"{name} (to {arm.base})"
        for name, arm in arms.items()
        if arm.status == "ok" and arm.base is not None and arms[arm.base].status != "ok"
    ]
    if lost:
        yield f"No difference, the base has no result: {', '.join(lost)}."


def _coverage(scores: Sequence[TaskScores]) -> Iterator[str]:
    """Which arms lack queries, have ties at the cut, or return few nodes."""
    names = scores[0].arms
    missing = np.sum([part.missing for part in scores], axis=0)
    ties = np.mean([part.ties for part in scores], axis=0)
    returned = np.mean([part.returned for part in scores], axis=0)
    tables = (
        ("Queries missing from an arm, counted 0", missing, missing > 0, "{:,.0f}".format),
        ("Share of queries with a tie across the cut", ties, ties >= 0.01, "{:.1%}".format),
        ("Nodes returned per query, fewer than the cut of 10", returned, returned < 10, _below_ten),
    )
    for what, values, told, spelling in tables:
        if told.any():
            found = [f"{names[i]} {spelling(values[i])}" for i in np.flatnonzero(told)]
            yield f"{what}: {_some(found)}."


def tie_bands(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which arms' values hang on the order of equal scores, and by how much.

    Args:
        rows: in ROW_SCHEMA, under one measure.

    >>> row = {"metric": "R@10", "arm": "popularity", "tie_band": [0.25, 0.375]}
    >>> tie_bands([row, {**row, "arm": "bm25", "tie_band": [0.25, 0.25]}])
    ['Order of equal scores can move R@10 by more than 0.01: popularity 0.250 to 0.375.']
    """
    bands = [(row["arm"], *band) for row in rows if (band := row.get("tie_band"))]
    wide = [
        f"{arm} {low:.3f} to {high:.3f}" for arm, low, high in bands if round(high - low, 9) > _WIDE
    ]
    if not wide:
        return []
    metric = rows[0]["metric"]
    return [f"Order of equal scores can move {metric} by more than {_WIDE}: {_some(wide)}."]


def _some(found: Sequence[str]) -> str:
    """The first of a list, and how many more there are."""
    more = f" and {len(found) - _LISTED} more arms" if len(found) > _LISTED else ""
    return ", ".join(found[:_LISTED]) + more


def _below_ten(value: float) -> str:
    """With as many digits as it takes to be seen below ten.

    >>> _below_ten(8.0), _below_ten(9.97)
    ('8.0', '9.97')
    """
    texts = (f"{value:.{digits}f}" for digits in range(1, 17))
    return next(text for text in texts if float(text) < 10)
