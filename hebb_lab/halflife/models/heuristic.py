"""The published heuristic: a half-life learned from the count, as deployed and as documented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.halflife.model import MODELS, Linked, Training, link_parameters
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.signals.fading import Fading
from hebb_lab.halflife.signals.read_time import ReadTime
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design
from hebb_lab.kernels.arrays import on_host
from hebb_lab.kernels.parameters import rule_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History


@dataclass(frozen=True)
class HeuristicFit(Linked):
    """A linked fit whose half-life follows from the edge's count."""

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """That of the edge: kept from its last event, or read at the moment."""
        fading = _fading_of(self.design)
        if isinstance(fading, ReadTime):
            return fading.half_life_at(asked)
        return np.asarray(fading.half_life[asked.event, 0])

    def details(self) -> Mapping[str, Any]:
        """The half-life right after the n-th reinforcement."""
        fading = _fading_of(self.design)
        known = np.flatnonzero(fading.count[:, 0] > 0)
        count, first = np.unique(fading.count[known, 0], return_index=True)
        stored = known[first]
        if isinstance(fading, ReadTime):
            lives = fading.half_life_of(stored)
        else:
            lives = fading.half_life[stored, 0]
        return {"counts": {"count": count.tolist(), "half_life": lives.tolist()}}


def _fading_of(design: Design) -> Fading:
    term = design.terms[-1]
    assert isinstance(term, Decaying)  # noqa: S101 (the design is made below)
    return term.fading


@dataclass(frozen=True)
class Heuristic:
    """λ = μ + β w under the published rule for half-lives.

    Deployed: evaluated at each reinforcement, where it is a function of the count alone, and kept
    (fitting.md finding 4; neuralmind.md §1.6). Documented: read at the moment, with the log's own
    time for a clock. Source: rules.md §1; fitting.md §3.4, M2.
    """

    about: str
    rule: str  # of SynapseRules.half_life
    kind: str = "published"

    def fit(self, history: History, training: Training) -> HeuristicFit:
        """Only the link is fitted."""
        fading = learned_by_rule(history, self.rule)
        design = Design([Constant(history), Decaying(fading)])
        link = fit_link(design, history, training.until)
        unknown = np.full(len(history.groups), np.nan)
        parameters = link_parameters(link, history, design.names)
        return HeuristicFit(history, design, link, unknown, parameters)


def learned_by_rule(history: History, rule: str) -> Fading:
    """The one signal of weights under rules.half_life = learned or learned_observed."""
    rules = history.rules.change(half_life=rule)
    traces, _ = rule_arrays([rules], history.group_namespace)
    state = on_host(history.backend.replay(history.arrays(), traces, before=True))
    weight, before = np.asarray(state.weight, float), np.asarray(state.before, float)
    if rules.half_life == "learned":
        return ReadTime(
            history, weight, state.reinforcements, before,
            np.ascontiguousarray(traces.default_days.T), rules, by_event=False,
            low=traces.low_days[0], high=float(traces.high_days[0]),
        )  # fmt: skip
    lives = np.maximum(np.asarray(state.half_life_days, float), 1e-6)  # 0 where never alive
    return Fading(history, weight, state.reinforcements, before, lives, rules, by_event=True)


MODELS.register("heuristic_deployed")(
    Heuristic("the published rule as shipped: a function of the count", "learned_observed")
)
MODELS.register("heuristic_documented")(
    Heuristic("the published rule as its page has it: blended at the time of reading", "learned")
)
