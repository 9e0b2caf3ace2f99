"""Rate and decay: each edge has its own running rate, and beside it a weight that fades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hebb_lab.halflife.model import MODELS, Linked, Training, link_parameters
from hebb_lab.halflife.models.hierarchical import profiles
from hebb_lab.halflife.objectives.gamma import fit_rates
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.objectives.sharing import half_life_parameters, shown_of
from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design, Rate

if TYPE_CHECKING:
    from hebb_lab.halflife.facts.history import History


@dataclass(frozen=True)
class RateDecay:
    """λ = μ_g + ρ_g (a + n)/(b + age) + β_g w(h_g), ln h_g ~ N(m, s²) over the groups.

    Without a term for it, edges that are merely more active than others look as if they faded:
    a world without any decay is fitted with a half-life (fitting.md finding 5). With exposure
    counted in recalls, the rate's age too is operational time. The running rate is itself a trace
    that fades slowly, so long half-lives come out too short beside it; the model frailty mends
    that. Source: fitting.md §3.4, M7.
    """

    about: str = "an edge's own rate and, beside it, a weight with a half-life for each namespace"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> Linked:
        """Rates by empirical Bayes, half-lives by partial likelihood, the level by the process.

        Raises:
            InputError: as ``profiles``.
        """
        prior = fit_rates(history, training.until)
        rate = Rate(history, prior.shape, prior.scale)
        found = profiles(history, training, [rate])
        fading = Decaying(by_group(history, found.lives[:, None]))
        design = Design([Constant(history), rate, fading])
        link = fit_link(design, history, training.until)
        parameters = {
            **half_life_parameters(history, found),
            **link_parameters(link, history, design.names),
        }
        shown = shown_of(history, found)
        return Linked(history, design, link, found.lives, parameters, shown)


MODELS.register("rate_decay")(RateDecay())
