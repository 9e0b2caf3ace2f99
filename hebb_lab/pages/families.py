"""Arms against their bases, tested as the families that the questions of a run make.

The leaderboard corrects over all arms of a task; with a hundred of them and ten conversations no
sign-flip test could ever tell one from chance. Each table here answers one question, so Holm's
correction runs over the arms of the table, and over those alone whose score differs from their
base's somewhere: the others cannot be rejected whatever the signs (Tarone, Biometrics 1990).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from hebb_lab.evaluation.attribution import effects
from hebb_lab.evaluation.bootstrap import Resampling
from hebb_lab.evaluation.leaderboard.scores import score_task
from hebb_lab.evaluation.paired import compare, holm, sign_flip_test
from hebb_lab.evaluation.spec import parse
from hebb_lab.runs.effects import effects_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.evaluation.leaderboard import Settings
    from hebb_lab.pages.stored import StoredRun

LEVEL = 0.05
SAID = {
    "better": "helps",
    "worse": "harms",
    "not shown": "no effect shown",
    "no change": "changes nothing",
}
"""Verdict of an arm or a layer → words; other verdicts stand for themselves."""


class Standing(NamedTuple):
    """An arm against its base, or a layer's Shapley value against 0, under one metric.

    value: the difference; None where it was not measured.
    interval: 95 %, clusters resampled; None where there is one cluster.
    p: sign flips of clusters, Holm over the family; None where it is not tested.
    verdict: better, worse, not shown, no change, or why there is none.
    """

    value: float | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    verdict: str = "not measured"


def smallest_p(clusters: int) -> float:
    """The least that a two-sided sign-flip test can give, Holm left out: 2 / 2^clusters.

    >>> smallest_p(4), smallest_p(6)
    (0.125, 0.03125)
    """
    return min(1.0, 2.0 ** (1 - clusters))


def too_few(clusters: int) -> str:
    """That no test can tell anything from chance, where so; else empty.

    >>> too_few(4)
    '4 clusters: no test can tell anything from chance here (smallest p 0.125)'
    >>> too_few(10)
    ''
    """
    least = smallest_p(clusters)
    if least < LEVEL:
        return ""
    many = f"{clusters} cluster{'s' if clusters != 1 else ''}"
    return f"{many}: no test can tell anything from chance here (smallest p {least:.3g})"


def standings(
    stored: StoredRun, settings: Settings, task: str, arms: Sequence[str], metric: str
) -> dict[str, Standing]:
    """Each arm of a family against its base.

    Args:
        stored: the run.
        settings: seed and sizes of the resampling.
        task: of the run.
        arms: the family; what has no result or no base is said so.
        metric: of the run's.
    """
    entries = {arm: stored.entry(arm) for arm in arms}
    found = {arm: Standing(verdict=_why_not(entry)) for arm, entry in entries.items()}
    ran = [
        arm
        for arm, entry in entries.items()
        if _is_ok(entry) and entry.get("base") and _is_ok(stored.entry(str(entry["base"])))
    ]
    if not ran:
        return found
    names = list(dict.fromkeys([*ran, *(str(entries[arm]["base"]) for arm in ran)]))
    rows = stored.run.per_query.filter(pl.col("task") == task)
    scored = score_task(rows, names, [parse(metric)])
    base = [names.index(str(entries[arm]["base"])) if arm in ran else -1 for arm in names]
    rng = _rng(settings, task, metric, arms)
    sizes = Resampling(settings.resamples, settings.flips, method=settings.interval)
    compared = compare([(scored.scores[0], scored.cluster)], base, rng, sizes)
    at = [names.index(arm) for arm in ran]
    same = compared.wins[at, 1] == compared.queries
    return found | dict(
        zip(ran, _standings(compared.delta[at], compared.delta_interval[at], compared.p[at], same),
            strict=True)
    )  # fmt: skip


def shapley_standings(
    stored: StoredRun, settings: Settings, task: str, metric: str
) -> dict[str, Standing]:
    """The Shapley value of each layer; empty where not all sets of layers have a result."""
    asked = stored.run.result.get("attribution") or {}
    table = effects_of(stored.run, settings).filter(
        (pl.col("task") == task) & (pl.col("metric") == metric)
    )
    if table.is_empty():
        return {}
    sets: Mapping[str, Sequence[str]] = asked["sets"]
    rows = stored.run.per_query.filter(pl.col("task") == task)
    scored = score_task(rows, list(sets), [parse(metric)])
    values = {
        frozenset(sets[arm]): scores for arm, scores in zip(sets, scored.scores[0], strict=True)
    }
    per_query = effects(asked["kind"], values, asked["parts"])  # [P, Q]
    per_query[np.abs(per_query) < 1e-12] = 0.0  # sums of 64 terms leave dust
    rng = _rng(settings, task, metric, list(sets))
    p = sign_flip_test(per_query, scored.cluster, rng, settings.flips)
    ends = table.select("low", "high").to_numpy().astype(np.float64)
    shares = table["effect"].to_numpy()
    made = _standings(shares, ends, p, (per_query == 0).all(axis=1))
    return dict(zip(table["part"].to_list(), made, strict=True))


def turned(standing: Standing) -> Standing:
    """The same with its sign turned: what is lost without becomes what is kept with."""
    other = {"better": "worse", "worse": "better"}
    ends = standing.interval
    return Standing(
        None if standing.value is None else 0.0 - standing.value,
        None if ends is None else (0.0 - ends[1], 0.0 - ends[0]),
        standing.p, other.get(standing.verdict, standing.verdict),
    )  # fmt: skip


def _standings(
    value: NDArray[np.float64], interval: NDArray[np.float64], p: NDArray[np.float64],
    same: NDArray[np.bool_],
) -> list[Standing]:  # fmt: skip
    """Verdicts of one family."""
    adjusted = holm(np.where(same, np.nan, p))
    return [
        _standing(float(value[i]), interval[i], float(adjusted[i]), bool(same[i]))
        for i in range(len(value))
    ]


def _standing(value: float, ends: NDArray[np.float64], p: float, same: bool) -> Standing:
    low, high = (round(float(end), 10) + 0.0 for end in ends)
    interval = None if np.isnan(ends).any() else (low, high)
    value, tested = round(value, 10) + 0.0, None if np.isnan(p) else p
    if same:
        return Standing(value, interval, None, "no change")
    if interval is None:
        return Standing(value, None, None, "one cluster: no interval and no test")
    told = tested is not None and tested < LEVEL and (low > 0 or high < 0)
    said = ("better" if low > 0 else "worse") if told else "not shown"
    return Standing(value, interval, tested, said)


def _is_ok(entry: Mapping[str, object]) -> bool:
    return entry.get("status") == "ok"


def _why_not(entry: Mapping[str, object]) -> str:
    if not entry:
        return "not measured"
    if not _is_ok(entry):
        return str(entry["status"])
    return "no base" if not entry.get("base") else "base without a result"


def _rng(settings: Settings, task: str, metric: str, arms: Sequence[str]) -> np.random.Generator:
    """A stream of its own for each family, so that leaving one out changes no other."""
    key = "\n".join([str(settings.seed), task, metric, *arms]).encode()
    return np.random.default_rng(list(hashlib.sha256(key).digest()))
