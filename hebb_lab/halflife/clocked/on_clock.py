"""A model that fades on a clock of its own, beside those on the clock of the run.

So one run compares clocks, on the same cases and rows, with intervals: does memory fade in days, in
days with work in them, or with every session?
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.halflife.facts.clock import UNITS
from hebb_lab.halflife.facts.history import on_clock
from hebb_lab.halflife.model import MODELS, NotApplicableError, NothingToDraw, Training
from hebb_lab.halflife.models.frailty import Frailty
from hebb_lab.halflife.models.hierarchical import Hierarchical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.model import Fit, Model
    from hebb_lab.halflife.objectives.profile import Estimate


@dataclass(frozen=True)
class FitOnClock(NothingToDraw):
    """A fit on another clock, asked in the moments of the run's.

    Args:
        fit: on that clock.
        there: the history on it.
        here: the history of the run.
    """

    fit: Fit
    there: History
    here: History

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """Half-lives are named for their clock, ``half_life_sessions[group]``, in its units."""
        clock = self.there.clock.name
        found = {}
        for name, estimate in self.fit.parameters.items():
            if "half_life" in name:
                front, bracket, group = name.partition("[")
                unit = f"in {self.there.clock.unit}"
                verdict = "; ".join(part for part in (unit, estimate.verdict) if part)
                found[f"{front}_{clock}{bracket}{group}"] = estimate._replace(verdict=verdict)
            else:
                found[name] = estimate
        return found

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """That of the fit."""
        return self.fit.intensity(self._moments(asked))

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """That of the fit; the clock's speed ahead is what it was of late."""
        return self.fit.predict(self._moments(asked), days)

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """In the units of the run's clock, at the mean speed of the two so far."""
        moments = self._moments(asked)
        speed = np.maximum(asked.reading, 1e-9) / np.maximum(moments.reading, 1e-9)
        return np.asarray(self.fit.half_life(moments) * speed)

    def _moments(self, asked: Asked) -> Asked:
        return self.there.asked(asked.edge, asked.time_us)


@dataclass(frozen=True)
class OnClock:
    """A model whose weights fade on another clock; exposure is counted as in the run.

    Args:
        model: which.
        clock: active_days or sessions.
        name: of the model, for ``about``.
    """

    model: Model
    clock: str
    name: str
    kind: str = "learned"
    about: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", f"{self.name}, its weights fading in {UNITS[self.clock]}")

    def fit(self, history: History, training: Training) -> FitOnClock:
        """As the model does, on that clock.

        Raises:
            NotApplicableError: the run's own clock is that clock, or the log has no such one.
            InputError: as the model's.
        """
        if history.clock.name == self.clock:
            raise NotApplicableError(
                f"the run's own clock is {self.clock}", f"The model is {self.name} there"
            )
        try:
            there = history.shelf.get(("clock", self.clock), lambda: on_clock(history, self.clock))
        except ConfigError as error:
            raise NotApplicableError(error.problem, error.cure) from None
        return FitOnClock(self.model.fit(there, training), there, history)


for _name, _model in (("hierarchical", Hierarchical()), ("frailty", Frailty())):
    for _clock in ("active_days", "sessions"):
        MODELS.register(f"{_name}_{_clock}")(OnClock(_model, _clock, _name))
