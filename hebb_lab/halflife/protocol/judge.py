"""A model on every split: fitted before a block, scored on it, with a fallback where it fails."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from hebb_lab.errors import HebbLabError, MissingExtraError
from hebb_lab.halflife.export import edge_frame
from hebb_lab.halflife.model import MODELS, NotApplicableError, Training
from hebb_lab.halflife.protocol.plain import estimates, plain, with_steadiness
from hebb_lab.halflife.protocol.score import (
    HITS,
    CaseScores,
    probabilities,
    score_cases,
    surviving,
)
from hebb_lab.halflife.protocol.settings import FALLBACK, LAST_RESORT
from hebb_lab.halflife.protocol.shown import shown_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History
    from hebb_lab.halflife.model import Fit
    from hebb_lab.halflife.protocol.sample import Block
    from hebb_lab.halflife.protocol.settings import HalfLifeSettings

T = TypeVar("T")
NOT_HERE = (NotApplicableError, MissingExtraError)
"""What a model raises that says nothing about this log: it is skipped, and does not fall back."""


class Judged(NamedTuple):
    """A model on all splits.

    entry: its item of result.json, with what figures show under ``shown``. losses: [C] of all
    cases. probabilities: [R] of all rows, by horizon, then by block. tracebacks: of exceptions that
    are bugs. edges: half-lives of single pairs, from a model that has them.
    """

    entry: dict[str, Any]
    losses: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    tracebacks: str
    edges: pl.DataFrame | None


class _Split(NamedTuple):
    """A model on one block: scores, seconds of fit and score, and its item of the entry."""

    cases: CaseScores
    rows: list[NDArray[np.float64]]
    surviving: NDArray[np.float64]
    seconds: tuple[float, float]
    item: dict[str, Any]
    traceback: str


class _Failures:
    """Why a model fell back, in which parts of a block, and the tracebacks of what is a bug."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self.replaced: list[str] = []
        self.tracebacks: list[str] = []

    def add(self, error: Exception, where: str = "") -> None:
        reason, lines = _reason(error)
        self.reasons.append(f"{where}: {reason}" if where else reason)
        self.tracebacks += [lines] if lines else []


@dataclass(frozen=True)
class Bench:
    """What all models are judged on.

    Args:
        history: the facts.
        blocks: what is scored.
        settings: how.
        stride: days between the checkpoints to fit to.
        times: [T] days at which survival is predicted.
        seed: of what is sampled.
        fallbacks: (model, split) → its fit, for models that fail there.
    """

    history: History
    blocks: Sequence[Block]
    settings: HalfLifeSettings
    stride: float
    times: Sequence[float]
    seed: int
    fallbacks: dict[tuple[str, int], Fit] = field(default_factory=dict)

    def judge(self, name: str, progress: Callable[[int], None]) -> Judged:
        """Fit a model before each block, score it there, and fit it once more to everything.

        Raises:
            NotApplicableError: the model says nothing about this kind of log.
            Exception: what the last fallback raised.
        """
        parts = []
        for number, block in enumerate(self.blocks):
            progress(number)
            parts.append(self._on(name, block))
        progress(len(self.blocks))
        final, edges, lines = self._final(name)
        seconds = np.sum([part.seconds for part in parts], axis=0).round(3)
        model, items = MODELS[name], [part.item for part in parts]
        told = [item["parameters"] for item in items]
        final["final"]["parameters"] = with_steadiness(final["final"]["parameters"], told)
        entry = {
            "arm": name, "kind": model.kind, "about": model.about,
            "fell_back": [item["split"] for item in items if item["fell_back"]],
            "seconds": {"fit": float(seconds[0]), "score": float(seconds[1])},
            "hits": _means(np.concatenate([part.cases.hits for part in parts])),
            **final,
            "splits": items,
        }  # fmt: skip
        entry["shown"]["survival"] = np.sum([part.surviving for part in parts], axis=0)
        by_horizon = zip(*(part.rows for part in parts), strict=True)
        return Judged(
            plain(entry),
            np.concatenate([part.cases.losses for part in parts]),
            np.concatenate([np.empty(0), *(rows for blocks in by_horizon for rows in blocks)]),
            "\n".join([*(part.traceback for part in parts if part.traceback), *lines]),
            edges,
        )

    def training(self, until: int) -> Training:
        """What may be seen before a recall."""
        asked = self.settings
        return Training(
            until, self.seed, asked.controls, asked.cases_max, asked.train_rows_max, self.stride
        )

    def _on(self, name: str, block: Block) -> _Split:
        """A model on one block; whatever it cannot do there is done by a fallback."""
        split, start, failures = block.split, time.perf_counter(), _Failures()
        fit: Fit | None = None
        try:
            fit = MODELS[name].fit(self.history, self.training(split.first))
        except NOT_HERE:
            raise
        except Exception as error:  # a model that fails must not end the run of the others
            failures.add(error)
        fitted = time.perf_counter()

        def part(compute: Callable[[Fit], T], where: str) -> T:
            return self._or_instead(name, fit, split.first, compute, where, failures)

        cases = part(lambda fit: score_cases(fit, block.cases), "cases")
        rows = [
            part(partial(probabilities, moments=moments.moments, days=days), f"{days:g} days")
            for moments, days in zip(block.rows, self.settings.horizons, strict=True)
        ]
        survived = part(lambda fit: surviving(fit, block.spells, self.times), "survival")
        end = time.perf_counter()
        item = {
            "split": split.number,
            "until_us": int(self.history.recall_us[split.first]),
            "fell_back": " ".join(failures.reasons) or None,
            "replaced": failures.replaced,
            "parameters": {} if fit is None else estimates(fit.parameters),
        }
        seconds = (fitted - start, end - fitted)
        return _Split(cases, rows, survived, seconds, item, "\n".join(failures.tracebacks))

    def _or_instead(
        self, name: str, fit: Fit | None, until: int, compute: Callable[[Fit], T], where: str,
        failures: _Failures,
    ) -> T:  # fmt: skip
        """What a fit gives, or else the first fallback that works.

        Raises:
            Exception: what the last fallback raised.
        """
        if fit is not None:
            try:
                return compute(fit)
            except Exception as error:
                failures.add(error, where)
        failures.replaced.append(where)
        for other in (FALLBACK, LAST_RESORT):
            try:
                return compute(self._fallback(other, until))
            except Exception as error:
                if other == LAST_RESORT:
                    raise
                failures.add(error, f"{other}, {where}")
        raise RuntimeError(f"{name} has no fallback")

    def _fallback(self, name: str, until: int) -> Fit:
        if (name, until) not in self.fallbacks:
            fit = MODELS[name].fit(self.history, self.training(until))
            self.fallbacks[name, until] = fit
        return self.fallbacks[name, until]

    def _final(self, name: str) -> tuple[dict[str, Any], pl.DataFrame | None, list[str]]:
        """(what the entry gets of a fit to everything, half-lives of pairs, tracebacks)."""
        start, history = time.perf_counter(), self.history
        try:
            fit = MODELS[name].fit(history, self.training(history.recalls))
            shown, edges = shown_of(fit, history), _pairs_of(fit, history)
        except Exception as error:
            reason, lines = _reason(error)
            nothing: dict[str, Any] = {"until_us": None, "fell_back": reason, "parameters": {}}
            entry = {"final": nothing, "shown": {}, "half_lives": {}}
            return entry, None, [lines] if lines else []
        final: dict[str, Any] = {
            "until_us": None, "fell_back": None, "parameters": estimates(fit.parameters),
            "seconds": round(time.perf_counter() - start, 3),
        }  # fmt: skip
        half_lives = shown.pop("half_lives")
        return {"final": final, "shown": shown, "half_lives": half_lives}, edges, []


def _pairs_of(fit: Fit, history: History) -> pl.DataFrame | None:
    """Half-lives of single pairs; None for a model without."""
    offered = getattr(fit, "edge_half_lives", None)
    return None if offered is None else edge_frame(history, offered())


def _means(hits: NDArray[np.float64]) -> dict[str, float | None]:
    """Share of the cases that are among the first 1 and 5; None without a case."""
    values = hits.mean(axis=0).round(6).tolist() if len(hits) else [None] * len(HITS)
    return {str(k): value for k, value in zip(HITS, values, strict=True)}


def _reason(error: Exception) -> tuple[str, str]:
    """(why a model failed, the traceback where that is a bug)."""
    if isinstance(error, HebbLabError):
        return str(error), ""
    lines = "".join(traceback.format_exception(error))
    return f"{type(error).__name__}: {error}", lines
