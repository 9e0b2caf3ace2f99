"""Logistic regression on what can be said of an edge in a line: the plain competitor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.rows import draw_rows
from hebb_lab.halflife.model import MODELS, NothingToDraw, Training
from hebb_lab.halflife.objectives.profile import Estimate
from hebb_lab.halflife.signals.fading import by_group

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.signals.fading import Fading

HALF_LIVES = np.array([0.1, 1.0, 5.0, 20.0, 60.0, 240.0])
FEATURES = ("ln_count", "ln_recency", "ln_age", "ln_rate", *(f"weight_{h:g}" for h in HALF_LIVES))
SHORTEST = 1.0  # days: the horizon whose hazard ranks the next activation
EDGE = 1e-6  # probabilities stay this far from 0 and 1
LEAST_ROWS = 50


@dataclass(frozen=True)
class _Regression:
    """A fitted regression on standardised features; constant where outcomes do not vary."""

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    slope: NDArray[np.float64]
    intercept: float
    again: int  # rows that came back

    def probability(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """[Q] between EDGE and 1 − EDGE."""
        from scipy.special import expit

        found = expit((features - self.mean) / self.scale @ self.slope + self.intercept)
        return np.asarray(np.clip(found, EDGE, 1 - EDGE))


@dataclass(frozen=True)
class LogisticFit(NothingToDraw):
    """One regression for each horizon, fitted when it is first asked for.

    Args:
        history: the facts.
        training: what may be seen.
        fading: the weights among the features.
        fitted: horizon → regression.
    """

    history: History
    training: Training
    fading: Fading
    any_horizon = False  # a curve over many horizons would fit as many regressions
    fitted: dict[float, _Regression] = field(default_factory=dict)

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """The slopes of the shortest horizon, features standardised."""
        found = self._of(SHORTEST)
        verdict = "" if found.slope.any() else "all rows end alike: the regression is a constant"
        return {
            f"slope_{name}": Estimate(float(slope), np.nan, np.nan, found.again, verdict)
            for name, slope in zip(FEATURES, found.slope, strict=True)
        }

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """−ln(1 − p) of the shortest horizon: the mean hazard until then."""
        return np.asarray(-np.log1p(-self.predict(asked, SHORTEST)))

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """The regression of that horizon."""
        if not len(asked.edge):
            return np.empty(0)  # nothing is asked, so nothing need be known of that horizon
        return self._of(days).probability(self._features(asked))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """There is none."""
        return np.full(len(asked.edge), np.nan)

    def ready(self, days: float) -> None:
        """Fit the regression of a horizon now.

        Raises:
            InputError: too few checkpoint rows.
        """
        self._of(days)

    def _of(self, days: float) -> _Regression:
        if days not in self.fitted:
            rows = draw_rows(
                self.history, 0, self.training.until, days, most=self.training.rows,
                stride_days=self.training.stride_days, seed=self.training.seed, whole=True,
            )  # fmt: skip
            if len(rows.again) < LEAST_ROWS:
                raise InputError(
                    f"only {len(rows.again)} checkpoint rows have a whole horizon of {days:g} days"
                    " in the blocks to fit to",
                    "Give a longer log or a shorter horizon",
                )
            self.fitted[days] = _regression(self._features(rows.moments), rows.again)
        return self.fitted[days]

    def _features(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, F]; what is not known at the moment is not in it."""
        history = self.history
        count, age = history.again(asked) + 1.0, history.age(asked) + 1.0
        edge_age = asked.reading - history.reading[history.birth()[asked.edge]]
        plain = [
            np.log(count), np.log(asked.gap + 0.01), np.log(edge_age + 0.01), np.log(count / age),
        ]  # fmt: skip
        return np.column_stack([*plain, self.fading.at(asked)])


def _regression(features: NDArray[np.float64], again: NDArray[np.bool_]) -> _Regression:
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    count = int(again.sum())
    if count in (0, len(again)):
        odds = (count + 0.5) / (len(again) - count + 0.5)
        return _Regression(mean, scale, np.zeros(len(mean)), float(np.log(odds)), count)
    from sklearn.linear_model import LogisticRegression

    fit = LogisticRegression(C=1.0, max_iter=1000).fit((features - mean) / scale, again)
    return _Regression(mean, scale, fit.coef_[0], float(fit.intercept_[0]), count)


@dataclass(frozen=True)
class Logistic:
    """logit p = features · slope, fitted to checkpoint rows of each horizon.

    Count, recency, age, rate and the weights at six half-lives. In published comparisons such a
    regression ties the best memory models (fitting.md §1.2, §3.4 M9).
    """

    about: str = "logistic regression on count, recency, age, rate and weights at six half-lives"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> LogisticFit:
        """The shortest horizon now, others when they are asked for.

        Raises:
            InputError: too few checkpoint rows.
        """
        fitted = LogisticFit(history, training, by_group(history, HALF_LIVES))
        fitted.ready(SHORTEST)
        return fitted


MODELS.register("logistic")(Logistic())
